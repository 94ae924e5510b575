// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelJSON
import Kiosk
import RoundelMotion
import SchemaValidator
import TestSupport
import Testing
import RoundelDeclarations

@testable import KioskFile

/// Random kiosk files with all keys, generated from the tables. A new key is included
/// automatically.
@Suite struct RandomFileTests {
  @Test(arguments: ControlType.all.map(\.name))
  func `setting keys to their current values changes nothing`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    let validator = Validator(KioskSchema.schema)
    let all = Set(type.table.keys.names).subtracting(["on"])
    var used: Set<String> = []
    for seed in 0..<8 where Cases.of(8).contains(seed) || !all.isSubset(of: used) {
      var maker = RandomControl(type, seed: UInt64(seed))
      let members = maker.members()
      used.formUnion(members.map(\.name))
      let plain = RandomControl.file(.object(members))
      #expect(validator.problem(plain) == nil, "the schema refuses \(plain.text)")
      let reading = maker.read(members)
      #expect(reading.diagnostics.filter { $0.severity == .error } == [])
      let description = try #require(reading.description)
      for entry in description.pages.flatMap(\.controls) {
        let source = try #require(entry.source)
        let first = text(of: entry.control)
        var values: [String: Value] = [:]
        for key in source.names(upTo: .max) where source[key]?.key.role == .variable {
          // The parts of lists and maps have their own keys.
          guard let value = source.value(of: key), ![.list, .record].contains(value.kind) else {
            continue
          }
          values[key] = value
        }
        let same = source.changing(values, of: entry.control, where: [:], at: .zero)
        #expect(same.refusals.isEmpty && same.conflict == nil, "\(members)")
        #expect(text(of: same.control) == first, "\(members)")
      }
      Self.use(description, &maker.random)
    }
    // Every key was used at least once.
    #expect(all.subtracting(used) == [], "keys of \(name) that were never tried")
  }

  /// Sets, reloads and draws; none of this may trap.
  private static func use(_ description: Description, _ random: inout SeededGenerator) {
    var engine = Engine(description, seed: 1)
    _ = engine.displayList
    for (name, value) in [
      ("n", Value.number(7)), ("f", .flag(false)), ("t", .text("other")), ("n", .number(-1e9)),
      ("t", .text("")),
    ] {
      try? engine.set(.value(name), to: value)
      _ = engine.displayList
    }
    engine.replace(with: description, seed: 1)
    for entry in description.pages.flatMap(\.controls) {
      for key in entry.source?.names(upTo: .max) ?? [] {
        let value: Value =
          [.number(3), .text("wall.png"), .flag(true), .list([])].randomElement(
            using: &random) ?? .flag(false)
        try? engine.set(key, of: entry.id, to: value)
      }
    }
    engine.replace(with: description, seed: 2)
    engine.advance(to: Instant(seconds: 3))
    _ = engine.displayList
  }
}

/// A control as text. Sets have no order.
private func text(of control: any Control) -> String {
  let parts = "\(control)".split(separator: "Set([", omittingEmptySubsequences: false)
  return parts.enumerated().map { index, part in
    guard index > 0, let end = part.firstIndex(of: "]") else { return String(part) }
    return part[..<end].split(separator: ", ").sorted().joined(separator: ", ") + part[end...]
  }.joined()
}

/// A control with random values for its keys, according to their schemas.
struct RandomControl {
  let type: ControlType
  var random: SeededGenerator
  private let definitions: Definitions
  private let schema: JSONValue
  private var ids = 0
  /// Whether a cell determines its position.
  private let standsInCell: Bool

  init(_ type: ControlType, seed: UInt64) {
    self.type = type
    standsInCell = seed % 2 == 1 && type.isSeen
    random = SeededGenerator(seed: seed)
    var definitions = KioskSchema.definitions
    _ = type.table.form.schema(&definitions)
    self.definitions = definitions
    schema = definitions.members.first { $0.name == type.name }?.value ?? [:]
  }

  /// The required keys, and compatible random ones, including nested keys.
  mutating func members() -> [JSONValue.Member] {
    let others = (standsInCell ? DeclarationReader.placeKeys : ["cell"]) + ["on"]
    let keys = type.table.keys.all.filter { !others.contains($0.name) }
    var members: [JSONValue.Member] = []
    for _ in 0..<2000 where members.isEmpty {
      ids = 0
      let bare =
        [.init(type.name, "c")]
        + keys.dropFirst().filter { $0.isRequired || $0.name == "cell" }.map { made($0) }
      // Some types require one of several keys.
      if isGood(bare) {
        members = bare
      } else if let key = keys.randomElement(using: &random) {
        let more = bare + [made(key)]
        if !key.isRequired, isGood(more) { members = more }
      }
    }
    for key in keys.shuffled(using: &random)
    where !members.contains(where: { $0.name == key.name }) {
      for _ in 0..<30 {
        let more = members + [made(key)]
        guard isGood(more) else { continue }
        members = more
        break
      }
    }
    for _ in 0..<20 {
      let more = grown(.object(members), schema).members
      if isGood(more) { members = more }
    }
    return members
  }

  /// A copy with one more key in one of its maps.
  private mutating func grown(_ value: JSONValue, _ schema: JSONValue) -> JSONValue {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      return grown(value, definitions.members[String(name)] ?? [:])
    }
    if let otherwise = schema["else"] { return grown(value, otherwise) }
    if let choices = schema["anyOf"]?.items {
      let fitting = choices.filter { $0["$ref"] != nil || $0["type"]?.string == value.type }
      return fitting.last.map { grown(value, $0) } ?? value
    }
    switch value {
    case .array(var items):
      guard let place = items.indices.randomElement(using: &random) else { return value }
      items[place] = grown(items[place], schema["items"] ?? [:])
      return .array(items)
    case .object(var members):
      let properties = schema["properties"]?.members ?? []
      let inner = members.indices.filter { ["array", "object"].contains(members[$0].value.type) }
      if let place = inner.randomElement(using: &random), random.next() % 3 != 0 {
        let name = members[place].name
        let value = grown(members[place].value, properties[name] ?? [:])
        members[place] = .init(name, value)
      } else if let key = properties.randomElement(using: &random), key.name != "on",
        !members.contains(where: { $0.name == key.name })
      {
        members.append(.init(key.name, self.value(key.value)))
      }
      return .object(members)
    default: return value
    }
  }

  private mutating func made(_ key: Keys.Declaration) -> JSONValue.Member {
    let cells: [JSONValue] = [[0, 0], [2, 1], [0, 0, 2, 2], ["{3 - 2}", 0, 1, 2]]
    let value =
      key.name == "cell"
      ? cells.randomElement(using: &random) : nil
    return .init(key.name, value ?? self.value(schema["properties"]?[key.name] ?? [:]))
  }

  /// A random valid value of a key.
  mutating func value(of key: Keys.Declaration) -> JSONValue {
    var all = definitions
    return value(key.schema(&all))
  }

  private func isGood(_ members: [JSONValue.Member]) -> Bool {
    !read(members).diagnostics.contains { $0.severity == .error }
  }

  // MARK: Files

  static func file(_ control: JSONValue, values: [JSONValue.Member] = []) -> JSONValue {
    [
      "kiosk": "k",
      "values": .array(
        [["n": 3], ["t": "text", "f": true], .object(values)].filter { $0 != [:] }),
      "styles": ["text": ["bold": true, "text_color": "gold"], "gold": ["label": "{t}"]],
      "pages": [
        ["page": "p", "grid": ["columns": 3, "rows": 2, "gap": 8], "controls": [control]]
      ],
    ]
  }

  /// Reads the control from a separate file, with pictures from included lists.
  func read(
    _ members: [JSONValue.Member], values: JSONValue = [:]
  ) -> ParsedKiosk {
    let list: JSONValue = [["photo": "../../wall.png"]]
    return ParsedKiosk(
      Array(Self.file(["include": "parts/c.yaml"], values: values.members).text.utf8),
      path: "dir/k.yaml",
      assets: StubAssets(texts: [
        "dir/parts/c.yaml": JSONValue.object(members).repeating().text,
        "dir/parts/lists/l.yaml": list.text,
      ]))
  }

  // MARK: Values

  private mutating func value(_ schema: JSONValue) -> JSONValue {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      return value(definitions.members[String(name)] ?? [:])
    }
    if let condition = schema["if"], let otherwise = schema["else"] {
      // A template, or a number in quotes, or a plain value.
      return Bool.random(using: &random) ? value(otherwise) : value(schema["then"] ?? condition)
    }
    if let choices = schema["anyOf"]?.items, let one = choices.randomElement(using: &random) {
      return value(one)
    }
    if let words = schema["enum"]?.items { return words.randomElement(using: &random) ?? .null }
    if let only = schema["const"] { return only }
    switch schema["type"]?.string ?? schema["type"]?.items.first?.string {
    case "number", "integer":
      let low = schema["minimum"]?.number ?? -9
      let limit = low > 200 ? low + 200 : 200
      let range = max(low, -200)...max(low, min(schema["maximum"]?.number ?? 9, limit))
      let number = Double.random(in: range, using: &random)
      return .number(schema["type"] == "integer" || number > 1 ? number.rounded() : number)
    case "boolean": return .bool(Bool.random(using: &random))
    case "array":
      let least = Int(schema["minItems"]?.number ?? 0)
      let most = min(Int(schema["maxItems"]?.number ?? 4), least + 3)
      return .array(
        (0..<Int.random(in: least...max(least, most), using: &random)).map { _ in
          value(schema["items"] ?? [:])
        })
    case "object":
      let required = schema["required"]?.strings ?? []
      return .object(
        (schema["properties"]?.members ?? []).compactMap { member in
          guard required.contains(member.name) else { return nil }
          return .init(member.name, value(member.value))
        })
    default: return .string(text(schema))
    }
  }

  private mutating func text(_ schema: JSONValue) -> String {
    let pattern = schema["pattern"]?.string
    if pattern?.contains("./{}") == true {
      ids += 1
      return "i\(ids)"
    }
    let templates = [
      "{n}", "{f}", "{t}", "{t} {n}", "{f ? 'red' : 'blue'}", "{f ? '../wall.png' : '../wall.png'}",
    ]
    let constants = ["{screen.width / 8}", "{40 + 8 * 2}", "{min(screen.height, 99)}"]
    if pattern?.contains("\\{") == true {
      return (templates + constants).randomElement(using: &random) ?? ""
    }
    let words = [
      "../wall.png", "../wall.png", "text", "", "#123456", "gold", "6px", "7", "brown", "digits",
      "4k7",
      "{t} {n}", "{{x}}", "none",
    ]
    return words.randomElement(using: &random) ?? ""
  }
}

extension JSONValue {
  /// A copy whose items take their pictures from an included list.
  fileprivate func repeating() -> JSONValue {
    switch self {
    case .array(let items): return .array(items.map { $0.repeating() })
    case .object(let members):
      let isPicture = { (member: Member) in member.value.string == "../wall.png" }
      guard members.contains(where: isPicture), self["id"] != nil else {
        return .object(members.map { Member($0.name, $0.value.repeating()) })
      }
      return .object(
        [Member("for", ["include": "lists/l.yaml"])]
          + members.map { Member($0.name, isPicture($0) ? "$photo" : $0.value.repeating()) })
    default: return self
    }
  }
}
