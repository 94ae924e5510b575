// SPDX-License-Identifier: MIT

internal import Controls
internal import Kiosk

/// The words of kiosk files that other files use, too.
package enum KioskVocabulary {
  /// The events of a type of control, such as `dial`.
  package static func events(ofKind kind: String) -> [String] {
    ControlType.named(kind)?.events.map(\.name) ?? []
  }

  /// All events, also those of no control.
  package static var events: [String] {
    var names: [String] = []
    let ofControls = ControlType.all.flatMap { $0.events.map(\.name) }
    for name in ofControls + EventType.ofKiosk.map(\.name)
    where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
