// SPDX-License-Identifier: MIT

import Foundation
import JSON
import Testing
import YAML

@testable import KioskFile

@Suite struct SchemaTests {
  /// With UPDATE_SCHEMA in the environment the file is written, and the test fails once more.
  @Test func `the schema for editors is the one in deploy`() throws {
    let path = "deploy/kiosk.schema.json"
    if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] != nil {
      try KioskSchema.json.write(
        to: repository.appending(path: path), atomically: true, encoding: .utf8)
      Issue.record("wrote \(path)")
    }
    #expect(try file(path) == KioskSchema.json)
  }

  @Test func `the schema is JSON, and all its references lead somewhere`() throws {
    let json = try JSONSerialization.jsonObject(with: Data(KioskSchema.json.utf8))
    let root = try #require(json as? [String: Any])
    let names = try #require(root["$defs"] as? [String: Any]).keys
    let references = KioskSchema.json.split(separator: "\"").filter { $0.hasPrefix("#/$defs/") }
    #expect(!references.isEmpty)
    #expect(references.allSatisfy { names.contains(String($0.dropFirst("#/$defs/".count))) })
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `every key of every control is in the schema`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    guard case .object(let root) = KioskSchema.schema,
      case .object(let definitions) = try #require(root["$defs"]),
      case .object(let table) = try #require(definitions[name]),
      case .object(let properties) = try #require(table["properties"])
    else {
      Issue.record("not an object")
      return
    }
    #expect(properties.map(\.name) == type.table.keys.names)
    #expect(Set(type.table.keys.names).isSuperset(of: [name, "at", "enabled", "visible"]))
    #expect(table["required"]?.strings.first == name)
    #expect(type.events.isEmpty != type.table.keys.names.contains("on"))
  }

  @Test func `the schema accepts what the reader accepts`() throws {
    let validator = Validator(KioskSchema.schema)
    for text in try Corpus.all() {
      let node = try #require(
        Composer.compose(Array(text.utf8), kind: "kiosk", example: "") { _, _ in })
      #expect(validator.problem(JSONValue(node)) == nil)
    }
  }

  @Test(arguments: [
    "kiosk: k", "kiosk: k\npages: []", "{kiosk: k, pages: 3}", "{kiosk: k, pages: [{page: a}]}",
    control("label: l, at: [1, 2]"), control("label: l, at: [1], text: t"),
    control("label: l, at: [1, 2], text: t, colour: red"),
    control("label: l, at: [1, 2], text: t, color: redd"),
    control("label: l, at: [1, 2], text: t, font_size: 0"),
    control("label: l, at: [1, 2], text: t, align: middle"),
    control("label: a.b, at: [1, 2], text: t"),
    control("pinwheel: p, at: [1, 2], radius: 9, wedges: []"),
    control("pinwheel: p, at: [1, 2], radius: 9, gap: 6pt, wedges: [{id: a}]"),
    control("button: b, at: [1, 2], size: [9, 9], on: {settled: [{go: a}]}"),
    control("button: b, at: [1, 2], size: [9, 9], on: {pressed: [{jump: a}]}"),
    control("button: b, at: [1, 2], size: [9, 9], on: {pressed: [{go: a, emit: b}]}"),
    control("button: b, at: [1, 2], size: [9, 9], on: {pressed: []}"),
  ])
  func `the schema refuses what the reader refuses`(_ text: String) throws {
    let node = try #require(
      Composer.compose(Array(text.utf8), kind: "kiosk", example: "") { _, _ in })
    #expect(Validator(KioskSchema.schema).problem(JSONValue(node)) != nil)
    #expect(read(text).description == nil)
  }

  private static func control(_ control: String) -> String {
    "kiosk: k\npages: [{page: a, controls: [{\(control)}]}]"
  }
}

extension [JSONValue.Member] {
  subscript(name: String) -> JSONValue? { first { $0.name == name }?.value }
}

extension JSONValue {
  var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
  var members: [Member] { if case .object(let members) = self { members } else { [] } }
  var strings: [String] { items.compactMap(\.string) }

  var type: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// What an editor sees in a YAML 1.1 file.
  init(_ node: Node) {
    switch node.content {
    case .list(let items): self = .array(items.map { JSONValue($0) })
    case .map(let pairs):
      self = .object(pairs.map { Member($0.key, JSONValue($0.value)) })
    case .scalar(let text, _):
      self = node.number.map(JSONValue.number) ?? node.flag.map(JSONValue.bool) ?? .string(text)
    }
  }
}

/// As much of JSON Schema as the kiosk's schema uses.
struct Validator {
  private let root: JSONValue

  init(_ root: JSONValue) {
    self.root = root
  }

  /// Why `value` does not fit; nil where it does.
  func problem(_ value: JSONValue) -> String? { problem(value, root) }

  private func problem(_ value: JSONValue, _ schema: JSONValue) -> String? {
    for keyword in schema.members {
      if let problem = problem(value, keyword, in: schema) { return "\(keyword.name): \(problem)" }
    }
    return nil
  }

  private func problem(_ value: JSONValue, _ keyword: JSONValue.Member, in schema: JSONValue)
    -> String?
  {
    let rule = keyword.value
    func fail(_ holds: Bool) -> String? { holds ? nil : value.text }
    switch keyword.name {
    case "$schema", "$defs", "title", "description", "default": return nil
    case "$ref":
      guard let name = rule.string?.split(separator: "/").last,
        let definition = root["$defs"]?[String(name)]
      else { return "no such definition" }
      return problem(value, definition)
    case "anyOf":
      let problems = rule.items.map { problem(value, $0) }
      return problems.contains(nil) ? nil : problems.compactMap(\.self).joined(separator: " | ")
    case "type":
      let types = rule.string.map { [$0] } ?? rule.strings
      let isInteger = value.number.map { $0 == $0.rounded() } ?? false
      return fail(types.contains(value.type) || (types.contains("integer") && isInteger))
    case "enum": return fail(rule.items.contains(value))
    case "const": return fail(rule == value)
    case "minimum": return fail(value.number.map { $0 >= rule.number ?? 0 } ?? true)
    case "maximum": return fail(value.number.map { $0 <= rule.number ?? 0 } ?? true)
    case "minItems":
      return fail(value.type != "array" || value.items.count >= Int(rule.number ?? 0))
    case "maxItems":
      return fail(value.type != "array" || value.items.count <= Int(rule.number ?? 0))
    case "minLength": return fail(value.string?.isEmpty != true)
    case "minProperties": return fail(value.type != "object" || !value.members.isEmpty)
    case "maxProperties": return fail(value.members.count <= 1)
    case "pattern":
      guard let pattern = rule.string, let text = value.string else { return nil }
      return fail((try? Regex(pattern).firstMatch(in: text)) != nil)
    case "items": return value.items.lazy.compactMap { problem($0, rule) }.first
    case "required":
      return fail(rule.strings.allSatisfy { value[$0] != nil })
    case "properties":
      return value.members.lazy.compactMap { member in
        rule[member.name].flatMap { problem(member.value, $0) }
      }.first
    case "additionalProperties":
      let extra = value.members.filter { schema["properties"]?[$0.name] == nil }
      if rule == false { return extra.first?.name }
      return extra.lazy.compactMap { problem($0.value, rule) }.first
    case "propertyNames":
      return value.members.lazy.compactMap { problem(.string($0.name), rule) }.first
    default: return "unknown keyword"
    }
  }
}
