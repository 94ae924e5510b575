// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelJSON
import Kiosk
import RoundelMotion
import Testing
import RoundelDeclarations

@testable import KioskFile

/// Consequences of a key's declaration, for each key of each control type.
@Suite struct KeyTests {
  /// A kiosk with one control of a type, without its optional keys.
  private static func kiosk(_ type: ControlType, with extra: JSONValue = [:]) throws -> Engine {
    let items: JSONValue = [["id": "one"], ["id": "two"]]
    let filled: JSONValue = [["id": "one", "items": ["a", "b"]], ["id": "two", "items": ["c"]]]
    let values: [JSONValue.Member] = [
      .init(type.name, "x"), .init("at", [200, 200]), .init("radius", 99),
      .init("size", [200, 200]),
      .init("max", 9), .init("text", "text"), .init("file", "wall.png"), .init("wedges", items),
      .init("items", items), .init("reels", filled), .init("wheels", filled), .init("every", 1),
      .init("row_height", 50),
    ]
    guard case .object(let members) = extra else { fatalError("no object") }
    // A dial needs labels or numbers.
    let needed = type.table.keys.all.filter(\.isRequired).map(\.name) + ["size", "max"]
    let all = values.filter { value in
      type.table.keys.names.contains(value.name) && needed.contains(value.name)
        && !members.contains { $0.name == value.name }
    }
    let file: JSONValue = [
      "kiosk": "k", "values": ["n": 1, "t": "text", "f": true],
      "pages": [["page": "p", "controls": [.object(all + members)]]],
    ]
    let reading = read(file.text)
    #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    return Engine(try #require(reading.description), seed: 1)
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `a key has a kind and a value, and can be set or explains why not`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    var engine = try Self.kiosk(type)
    let entry = try #require(engine.placedControl("x"))
    let source = try #require(entry.source)
    let states = entry.control.properties + ["enabled", "visible"]
    for declaration in type.table.keys.all where declaration.role != .fixed {
      let key = declaration.name
      #expect(source.names(upTo: .max).contains(key), "\(name).\(key) is not in the tree")
      #expect(source[key]?.key.valueKind == declaration.valueKind)
      #expect(entry.propertyKinds[key] != nil)
      if let value = declaration.defaultValue, declaration.valueKind != .record {
        #expect(engine.value(of: key, of: "x") != nil, "\(name).\(key) has no value, not \(value)")
      }
      // This name refers to a state, like a menu's `label`.
      guard declaration.role == .variable, !states.contains(key) else { continue }
      #expect(throws: PropertyError.self, "\(name).\(key) takes anything") {
        try engine.set(key, of: "x", to: .time(CivilTime(microseconds: 0)))
        try engine.set(key, of: "x", to: .list([.flag(true)]))
      }
      if let value = source.value(of: key) {
        try engine.set(key, of: "x", to: value)
        #expect(engine.value(of: key, of: "x") == value)
      }
    }
    #expect(throws: PropertyError.self) { try engine.set("at", of: "x", to: .list([])) }
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `a template is allowed for every variable key`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    for declaration in type.table.keys.all
    where declaration.role != .fixed && declaration.valueKind != .list {
      let template: String? =
        switch declaration.valueKind {
        case .number: "{n}"
        case .flag: "{f}"
        case .text where declaration.isFreeText: "{t} {n}"
        // One of the key's own words, such as a colour.
        case .text: declaration.defaultValue?.string.map { "{f ? '\($0)' : '\($0)'}" }
        default: nil
        }
      guard let template else { continue }
      let engine = try Self.kiosk(
        type, with: .object([.init(declaration.name, .string(template))]))
      #expect(
        engine.placedControl("x")?.bindings[declaration.name] != nil, "\(name).\(declaration.name)")
    }
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `every key is in the schema, with its summary and default`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    var definitions = KioskSchema.definitions
    _ = type.table.form.schema(&definitions)
    let schema = try #require(definitions.members.first { $0.name == name }?.value)
    for declaration in type.table.keys.all {
      let key = try #require(schema["properties"]?[declaration.name])
      #expect(key["description"]?.string == declaration.summary)
      #expect(!declaration.summary.isEmpty)
      if let value = declaration.defaultValue { #expect(key["default"] == value) }
    }
  }
}
