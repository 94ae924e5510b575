// SPDX-License-Identifier: MIT

import Foundation
import RoundelJSON
import SchemaValidator
import Testing
import RoundelDeclarations
import RoundelYAML

@testable import KioskFile

@Suite struct SchemaTests {
  /// If UPDATE_SCHEMA is set in the environment, writes the file. The test then still fails once.
  @Test func `the schema for editors is up to date in deploy`() throws {
    let path = "deploy/kiosk.schema.json"
    if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] != nil {
      try KioskSchema.json.write(
        to: repository.appending(path: path), atomically: true, encoding: .utf8)
      Issue.record("wrote \(path)")
    }
    #expect(try file(path) == KioskSchema.json)
  }

  @Test func `the schema is valid JSON without dangling references`() throws {
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
    #expect(properties.map(\.name) == type.table.keys.names + ["for", "as", "if"])
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
    "kiosk: k\nscreen: {include: s.yaml}\npages: {include: p.yaml}",
    "kiosk: k\npages: [{include: p.yaml}, {for: {include: x.yaml}, include: q.yaml}]",
    "kiosk: k\npages: [{for: [{a: 1}], page: p$a, controls: {include: c.yaml}}]",
    control("for: {a: [1, 2]}, label: l$a, at: [$a, 2], text: $a, font_size: $a, align: $b"),
    control("for: [{a: 1}], label: 'l${a}', at: [1, 2], text: t, color: $c"),
    control("for: {a: [1, 2]}, button: b, at: $at, size: $size, on: {selected: $actions}"),
    control("pinwheel: p, at: [1, 2], radius: 9, wedges: [{for: [{a: 1}], id: $a}, {include: w}]"),
    control("menu: m, at: [1, 2], items: [{for: [{a: 1}], id: $a, items: [{include: i.yaml}]}]"),
    control("button: b, at: [1, 2], size: [9, 9], on: {include: on.yaml}"),
    control("button: b, at: [1, 2], size: [9, 9], on: {selected: [{include: a.yaml}]}"),
  ])
  func `the schema allows repetitions and inclusions`(_ text: String) throws {
    let node = try #require(
      Composer.compose(Array(text.utf8), kind: "kiosk", example: "") { _, _ in })
    #expect(Validator(KioskSchema.schema).problem(JSONValue(node)) == nil)
  }

  @Test(arguments: [
    "kiosk: k\nscreen: {include: s.yaml, size: [99, 99]}\npages: [{include: p}]",
    "kiosk: k\npages: [{include: 3}]", "kiosk: k\npages: {include: []}",
    control("for: [], label: l, at: [1, 2], text: t"),
    control("for: [{a-b: 1}], label: l, at: [1, 2], text: t"),
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
    control("button: b, at: [1, 2], size: [9, 9], on: {pressed: [{emit: {name: ''}}]}"),
    control("button: b, at: [1, 2], size: [9, 9], on: {pressed: [{emit: {name: [a]}}]}"),
    control("button: b, at: [1, 2], size: [9, 9], on: {pressed: [{emit: {name: a, by: b}}]}"),
  ])
  func `the schema rejects what the reader rejects`(_ text: String) throws {
    let node = try #require(
      Composer.compose(Array(text.utf8), kind: "kiosk", example: "") { _, _ in })
    #expect(Validator(KioskSchema.schema).problem(JSONValue(node)) != nil)
    #expect(read(text).description == nil)
  }

  private static func control(_ control: String) -> String {
    "kiosk: k\npages: [{page: a, controls: [{\(control)}]}]"
  }
}
