// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import Glibc
internal import RoundelJSON
package import Kiosk
internal import LinuxIO

/// The user's choices that one build of the program passes to the next while the kiosk runs, as in
/// an upgrade.
///
/// A restart of the same build begins with the initial state. A stop does too, because the service
/// manager then removes the file.
package struct Handover {
  private let file: StateFile
  /// The executable file, which an upgrade replaces.
  private let build: String

  private static let format = 1
  private static let maximumBytes = 16 << 20

  /// Returns nil without a runtime directory.
  package init?(of path: String, in folders: StateFolders, build: String) {
    guard
      let file = folders.passingFile(of: path, "chosen", maximumBytes: Self.maximumBytes)
    else { return nil }
    self.file = file
    self.build = build
  }

  /// The build of this program, or nil if unknown.
  package static var ownBuild: String? {
    // The running process keeps its inode number in use.
    var status = stat()
    guard unsafe stat("/proc/self/exe", &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  /// Takes the state of another build for a kiosk of this name.
  package func take(for kiosk: Description) -> HandoverState? {
    guard let bytes = try? file.read() else { return nil }
    Files.remove(file.path)
    guard let json = try? JSONValue(parsing: bytes), json["format"]?.integer == Self.format,
      json["kiosk"]?.string == kiosk.name, let other = json["build"]?.string, other != build,
      let page = json["page"]?.string, let language = json["language"]?.string
    else { return nil }
    var properties: [PropertyPath: Value] = [:]
    for control in Self.members(json["properties"]) {
      for (name, value) in Self.values(control.value) {
        properties[PropertyPath(control: control.name, property: name)] = value
      }
    }
    return HandoverState(
      page: page, language: language, values: Self.values(json["values"]), properties: properties,
      overlays: Self.list(json["overlays"]))
  }

  /// Ignores failures, because the next build can start with the initial state.
  package func leave(_ chosen: HandoverState, of kiosk: Description) {
    let controls = Dictionary(grouping: chosen.properties) { $0.key.control }
    let json = JSONValue.object([
      .init("format", .number(Double(Self.format))), .init("kiosk", .string(kiosk.name)),
      .init("build", .string(build)), .init("page", .string(chosen.page)),
      .init("language", .string(chosen.language)),
      .init(
        "values", .object(chosen.values.map { JSONValue.Member($0.key, JSONValue($0.value)) })),
      .init("overlays", .array(chosen.overlays.map { JSONValue($0) })),
      .init(
        "properties",
        .object(
          controls.map { id, properties in
            JSONValue.Member(
              id,
              .object(
                properties.map { JSONValue.Member($0.key.property, JSONValue($0.value)) }))
          })),
    ])
    try? file.write(Array((json.text + "\n").utf8))
  }

  private static func values(_ json: JSONValue?) -> [String: Value] {
    members(json).reduce(into: [:]) { $0[$1.name] = Value($1.value) }
  }

  private static func list(_ json: JSONValue?) -> [Value] {
    if case .array(let items)? = json { items.compactMap { Value($0) } } else { [] }
  }

  private static func members(_ json: JSONValue?) -> [JSONValue.Member] {
    if case .object(let members)? = json { members } else { [] }
  }
}
