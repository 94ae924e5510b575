// SPDX-License-Identifier: MIT

internal import Expressions
internal import Glibc
internal import JSON
package import Kiosk
internal import LinuxIO

/// The choices that one build of the program leaves to the next that takes its place while the kiosk runs,
/// as an upgrade does.
///
/// A start that follows an end of the same build begins afresh, as it did before; so does one after the kiosk
/// was stopped, since the service manager then takes the file away.
package struct Handover {
  private let file: StateFile
  /// The build of this program, known by the file that it was started from: an upgrade replaces that file.
  private let build: String

  private static let format = 1
  private static let maximumBytes = 16 << 20

  /// A handover for the kiosk file at `path`, by a program that was built as `build`; nil where there is
  /// no folder for it.
  package init?(of path: String, in folders: StateFolders, build: String) {
    guard
      let file = folders.passingFile(of: path, "chosen", maximumBytes: Self.maximumBytes)
    else { return nil }
    self.file = file
    self.build = build
  }

  /// The build of this program; nil where the kernel does not tell.
  package static var ownBuild: String? {
    // The process holds its file, so nothing else has that number while it runs.
    var status = stat()
    guard unsafe stat("/proc/self/exe", &status) == 0 else { return nil }
    return "\(status.st_dev):\(status.st_ino)"
  }

  /// Takes what another build has left for a kiosk of this name. It can be taken only once.
  package func take(for kiosk: Description) -> Continuation? {
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
    return Continuation(
      page: page, language: language, values: Self.values(json["values"]), properties: properties)
  }

  /// Leaves the choices. A failure is not reported: the next build then merely starts afresh.
  package func leave(_ chosen: Continuation, of kiosk: Description) {
    let controls = Dictionary(grouping: chosen.properties) { $0.key.control }
    let json = JSONValue.object([
      .init("format", .number(Double(Self.format))), .init("kiosk", .string(kiosk.name)),
      .init("build", .string(build)), .init("page", .string(chosen.page)),
      .init("language", .string(chosen.language)),
      .init(
        "values", .object(chosen.values.map { JSONValue.Member($0.key, JSONValue($0.value)) })),
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

  private static func members(_ json: JSONValue?) -> [JSONValue.Member] {
    if case .object(let members)? = json { members } else { [] }
  }
}
