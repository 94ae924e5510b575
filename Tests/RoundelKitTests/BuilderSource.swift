// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelJSON

/// The source of RoundelKit's builders, from the schema of kiosk files.
struct BuilderSource {
  private struct Slot {
    var key: String
    var kind: String
    var shape: String
  }

  private let definitions: [JSONValue.Member]
  private var text = ""

  private init(definitions: [JSONValue.Member]) { self.definitions = definitions }

  static func text(from schema: JSONValue) -> String {
    var source = BuilderSource(definitions: members(schema["$defs"]))
    source.write()
    return source.text
  }

  private static func members(_ json: JSONValue?) -> [JSONValue.Member] {
    if case .object(let members)? = json { members } else { [] }
  }

  private func definition(_ name: String) -> JSONValue? {
    definitions.first { $0.name == name }?.value
  }

  private func properties(_ name: String) -> [JSONValue.Member] {
    Self.members(definition(name)?["properties"]).filter {
      !["for", "as", "if", "on"].contains($0.name)
    }
  }

  // MARK: The schema

  /// Definitions that are not parts of a kiosk.
  private static let plain: Set = [
    "include", "parameter", "for", "as", "if", "color", "theme_color", "actions", "action",
  ]

  private var controlKinds: [String] {
    Self.members(definition("control")?["else"]?["properties"]).map(\.name)
  }

  /// Returns the parts that a key's value may contain.
  private func slots(_ key: String, _ schema: JSONValue, _ shape: String = "single") -> [Slot] {
    var found: [Slot] = []
    for member in Self.members(schema) {
      switch (member.name, member.value) {
      case ("$ref", .string(let reference)):
        let name = String(reference.split(separator: "/").last ?? "")
        guard !Self.plain.contains(name), let definition = definition(name) else { continue }
        if let values = definition["additionalProperties"], !Self.members(values).isEmpty {
          found += slots(key, values, "map")
        } else if name == "control" || !properties(name).isEmpty {
          found.append(Slot(key: key, kind: name, shape: shape))
        }
      case ("items", let items): found += slots(key, items, "list")
      case ("then", let next), ("else", let next): found += slots(key, next, shape)
      case ("anyOf", .array(let options)), ("oneOf", .array(let options)):
        for option in options { found += slots(key, option, shape) }
      default: break
      }
    }
    var kinds: Set<String> = []
    return found.filter { kinds.insert($0.kind).inserted }
  }

  /// Whether a value may be written without parts.
  private func isPlain(_ schema: JSONValue) -> Bool {
    if slots("", schema).isEmpty { return true }
    return Self.members(schema).contains { member in
      switch (member.name, member.value) {
      case ("type", .string(let type)): type != "array" && type != "object"
      case ("type", .array), ("enum", _), ("const", _): true
      case ("$ref", .string):
        slots("", .object([member])).allSatisfy { $0.shape == "single" && $0.kind != "control" }
          && member.value != .string("#/$defs/include")
          && member.value != .string("#/$defs/parameter")
      case ("then", let next), ("else", let next): isPlain(next) && !isOnlyReference(next)
      case ("anyOf", .array(let options)), ("oneOf", .array(let options)):
        options.contains { isPlain($0) }
      default: false
      }
    }
  }

  private func isOnlyReference(_ schema: JSONValue) -> Bool {
    schema == ["$ref": "#/$defs/include"] || schema == ["$ref": "#/$defs/parameter"]
  }

  private func isRequired(_ key: String, in name: String) -> Bool {
    guard case .array(let keys)? = definition(name)?["required"] else { return false }
    return keys.contains(.string(key))
  }

  // MARK: The source

  private mutating func write() {
    text = """
      // SPDX-License-Identifier: MIT

      // Generated from the tables of kiosk files by BuilderSchemaTests. Don't edit.
      // swift-format-ignore-file


      """
    // Maps of actions, such as `publish`, are in no slot.
    let content = Set(
      definitions.map(\.name).filter { !Self.plain.contains($0) }.flatMap { name in
        properties(name).flatMap { slots($0.name, $0.value) }.map(\.kind)
      } + controlKinds)
    let parts = definitions.map(\.name).filter {
      content.contains($0) && !["kiosk", "control"].contains($0) && !properties($0).isEmpty
    }
    writeTables(parts)
    writeKiosk()
    for part in parts { writePart(part) }
  }

  private mutating func writeTables(_ parts: [String]) {
    text += "extension PartTree {\n  static let controlKinds: Set = [\n"
    text += Self.list(controlKinds.map { "\"\($0)\"" }, indent: 4) + "  ]\n\n"
    text += "  /// The slots of each kind of part, by the kind of the content.\n"
    text += "  static let parents: [String: [String: Slot]] = [\n"
    for part in ["kiosk"] + parts {
      let own = properties(part).flatMap { slots($0.name, $0.value) }
      guard !own.isEmpty else { continue }
      text += "    \"\(part)\": [\n"
      for slot in own {
        text += "      \"\(slot.kind)\": Slot(key: \"\(slot.key)\", shape: .\(slot.shape)),\n"
      }
      text += "    ],\n"
    }
    text += "  ]\n}\n"
  }

  /// Returns lines of at most 100 columns, each item with a comma after it.
  private static func list(_ items: [String], indent: Int) -> String {
    wrapped(items.map { "\($0)," }, String(repeating: " ", count: indent - 1))
  }

  private static func wrapped(_ words: [String], _ head: String) -> String {
    var lines: [String] = []
    var line = head
    for word in words {
      if line.count + word.count + 1 > 100, line != head {
        lines.append(line)
        line = head
      }
      line += " \(word)"
    }
    return words.isEmpty ? "" : (lines + [line]).joined(separator: "\n") + "\n"
  }

  private mutating func writeKiosk() {
    let keys = properties("kiosk").filter { $0.name != "kiosk" && isPlain($0.value) }
    text += "\nextension Kiosk {\n"
    text += Self.comment("Creates a kiosk from parts. Throws if it has errors.", indent: 2)
    text += "  ///\n"
    text += Self.comment("Names of other files are relative to `folder`.", indent: 2)
    text += "  public convenience init(\n    _ name: String,\n"
    text += Self.list(keys.map { "\(Self.parameter($0.name)): (any Setting)? = nil" }, indent: 4)
    text += """
          folder: String = "", fileID: String = #fileID, line: Int = #line, column: Int = #column,
          @ContentBuilder _ content: () -> [any Element]
        ) throws(KioskError) {
          try self.init(
            Part(
              "kiosk",
              [
                "kiosk": name,

      """
    text += Self.list(keys.map { Self.member($0.name) }, indent: 10)
    text += """
              ], content(), Site(file: fileID, line: line, column: column)), name, folder: folder)
        }
      }

      """
  }

  private mutating func writePart(_ part: String) {
    let all = properties(part)
    let isNamed = Self.namedKinds.contains(part)
    let first =
      all.first { $0.name == part || $0.name == "id" }?.name ?? (part == "value" ? "value" : nil)
    let keys = all.filter { $0.name != first && isPlain($0.value) }
    let hasContent = !all.flatMap { slots($0.name, $0.value) }.isEmpty
    let summary = definition(part)?["description"]?.string ?? "The keys of `\(part)`."
    text += "\n" + Self.comment(summary, indent: 0)
    text += "public struct \(Self.type(part)): Element {\n"
    text += "  /// The part's keys and content.\n  public var part: Part\n\n"
    text += "  /// Creates the part. See the reference for its keys.\n"
    text += "  public init(\n"
    if isNamed { text += "    _ name: String,\n" }
    if let first { text += "    _ \(parameter(first, in: part)),\n" }
    text += Self.list(keys.map { parameter($0.name, in: part) }, indent: 4)
    text += "    fileID: String = #fileID, line: Int = #line, column: Int = #column"
    text += hasContent ? ",\n    @ContentBuilder _ content: () -> [any Element] = { [] }\n" : "\n"
    text += "  ) {\n    part = Part(\n      \"\(part)\","
    text += isNamed ? " name: name,\n      [\n" : "\n      [\n"
    text += Self.list(([first].compactMap(\.self) + keys.map(\.name)).map(Self.member), indent: 8)
    if first == nil, keys.isEmpty { text += "        :\n" }
    text += "      ], \(hasContent ? "content()" : "[]"), "
    text += "Site(file: fileID, line: line, column: column))\n  }\n"
    if controlKinds.contains(part) { writeEvents(part) }
    text += "}\n"
  }

  private static func member(_ key: String) -> String { "\"\(key)\": \(use(key))" }

  private func parameter(_ key: String, in part: String) -> String {
    "\(Self.parameter(key)): \(isRequired(key, in: part) ? "any Setting" : "(any Setting)? = nil")"
  }

  private mutating func writeEvents(_ control: String) {
    let on = Self.members(definition(control)?["properties"]).first { $0.name == "on" }?.value
    for event in on.map(Self.eventNames) ?? [] {
      text += "\n  /// The event `\(event)` of this control.\n"
      text += "  public var \(event): EventName { EventName(part.id, \"\(event)\") }\n"
    }
  }

  private static func eventNames(_ schema: JSONValue) -> [String] {
    let own = members(schema["properties"]).map(\.name)
    if !own.isEmpty { return own }
    return ["then", "else"].compactMap { schema[$0] }.flatMap { eventNames($0) }
  }

  /// Parts with a name in a map of the kiosk.
  private static let namedKinds: Set = ["value", "theme", "style"]

  private static let abbreviations = ["qr": "QR"]

  private static func type(_ name: String) -> String {
    abbreviations[name]
      ?? name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// Swift's reserved words that are keys or could become keys.
  private static let keywords: Set = [
    "as", "case", "default", "do", "else", "for", "if", "import", "in", "init", "internal", "is",
    "private", "public", "repeat", "self", "static", "switch", "where", "while",
  ]

  private static func parameter(_ key: String) -> String {
    let words = key.split(separator: "_")
    return (words.first.map(String.init) ?? "")
      + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func use(_ key: String) -> String {
    let name = parameter(key)
    return keywords.contains(name) ? "`\(name)`" : name
  }

  private static func comment(_ text: String, indent: Int) -> String {
    wrapped(
      text.split(separator: " ").map(String.init), String(repeating: " ", count: indent) + "///")
  }
}
