// SPDX-License-Identifier: MIT

extension StudioServer {
  static let files: [String: [UInt8]] = [
    "actions.js": PackageResources.actions_js,
    "arrangement.js": PackageResources.arrangement_js,
    "completion.js": PackageResources.completion_js,
    "connection.js": PackageResources.connection_js,
    "editor.js": PackageResources.editor_js,
    "elements.js": PackageResources.elements_js,
    "fields.js": PackageResources.fields_js,
    "frame.js": PackageResources.frame_js,
    "gesture.js": PackageResources.gesture_js,
    "index.html": PackageResources.index_html,
    "keys.js": PackageResources.keys_js,
    "kiosk.js": PackageResources.kiosk_js,
    "map.js": PackageResources.map_js,
    "palette.js": PackageResources.palette_js,
    "panel.js": PackageResources.panel_js,
    "picture.js": PackageResources.picture_js,
    "properties.js": PackageResources.properties_js,
    "recording.js": PackageResources.recording_js,
    "schema.js": PackageResources.schema_js,
    "selection.js": PackageResources.selection_js,
    "session.js": PackageResources.session_js,
    "signal.js": PackageResources.signal_js,
    "snapping.js": PackageResources.snapping_js,
    "source.js": PackageResources.source_js,
    "state.js": PackageResources.state_js,
    "studio.css": PackageResources.studio_css,
    "suites.js": PackageResources.suites_js,
  ]
}
