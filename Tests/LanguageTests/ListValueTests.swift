// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelJSON
import Kiosk
import KioskFile
import RoundelMotion
import TestSupport
import Testing

/// A control that shows a list; LIST in its file is replaced by the items.
private struct Shown: Sendable, CustomTestStringConvertible {
  var control: String
  var property: String
  var items: Kind
  var mayBeEmpty = false

  enum Kind {
    /// Maps with ids.
    case records
    /// Strings, or maps without ids.
    case texts
    case numbers
  }

  var testDescription: String { property }

  static let all = [
    Shown(
      control: "- {list: x, at: [200, 200], size: [300, 300], row_height: 60, items: LIST}",
      property: "x.items", items: .records, mayBeEmpty: true),
    Shown(
      control: "- {chart: x, at: [200, 200], size: [300, 200], items: LIST}",
      property: "x.items", items: .numbers, mayBeEmpty: true),
    Shown(
      control: "- {pinwheel: x, at: [200, 200], radius: 180, wedges: LIST}", property: "x.wedges",
      items: .records),
    Shown(
      control: "- {menu: x, at: [200, 200], opened: true, items: LIST}", property: "x.items",
      items: .records),
    Shown(
      control: "- {picker: x, at: [200, 200], size: [300, 300], wheels: [{id: w, items: LIST}]}",
      property: "x.w.items", items: .texts, mayBeEmpty: true),
    Shown(
      control:
        "- {slots: x, at: [200, 200], size: [300, 300], seed: 3, reels: [{id: r, items: LIST}]}",
      property: "x.r.items", items: .texts, mayBeEmpty: true),
  ]

  /// A random list of `count` items.
  func list(of count: Int, _ random: inout SplitMix64) -> Value {
    .list(
      (0..<count).map { index in
        if items == .numbers { return .number(.random(in: -20...20, using: &random)) }
        let label = Field(
          "label", .text(["Soup", "سلطة", "", "{cups}", "₂"].randomElement(using: &random) ?? ""))
        guard items == .records else {
          return Bool.random(using: &random) ? label.value : .record([label])
        }
        var fields = [Field("id", .text("i\(index)")), label]
        if Bool.random(using: &random) { fields.append(Field("enabled", .flag(false))) }
        return .record(fields)
      })
  }

  func file(_ items: String, _ head: String) -> String {
    page(control.replacing("LIST", with: items), head)
  }
}

@Suite struct ListValueTests {
  @Test(arguments: Shown.all)
  fileprivate func `a list set at run time looks like a list from the file`(
    _ shown: Shown
  ) throws {
    var random = SplitMix64(seed: 7)
    for count in [1, 2, 3, 5, 9, 0, 4] {
      // The selected item stays selected if it is in both lists.
      let former = Value.list(
        ["former", "other"].map { name in
          switch shown.items {
          case .records: .record([Field("id", .text(name))])
          case .texts: .text(name)
          case .numbers: .number(Double(name.count))
          }
        })
      let list = shown.list(of: count, &random)
      func file(_ first: Value) -> String {
        shown.file("\"{v}\"", "values: {v: \(JSONValue(first).text)}")
      }
      var guest = try Guest(file(former))
      let expected = try Guest(file(list))
      try guest.set("v", list)
      #expect(guest.engine.displayList == expected.engine.displayList, "\(list)")
      #expect(guest["v"] == list)
      #expect(guest.failures() == [])
      if !JSONValue(list).text.contains("{cups}"), count > 0 {
        let written = try Guest(shown.file(JSONValue(list).text, ""))
        #expect(guest.engine.displayList == written.engine.displayList, "\(list)")
      }
      if count == 0, !shown.mayBeEmpty {
        let dash = shown.items == .records ? "[{id: none, label: –}]" : "[–]"
        let written = try Guest(shown.file(dash, ""))
        #expect(guest.engine.displayList == written.engine.displayList)
      }
    }
  }

  @Test(arguments: Shown.all)
  fileprivate func `an invalid item is one failure, and the previous items stay`(
    _ shown: Shown
  ) throws {
    var random = SplitMix64(seed: 8)
    let first = shown.list(of: 3, &random)
    var guest = try Guest(
      shown.file("\"{v}\"", "values: {v: {value: \(JSONValue(first).text)}}"))
    let picture = guest.engine.displayList
    for wrong: Value in [.record([Field("label", .list([]))]), .list([])] {
      guard case .list(let items) = first else { return }
      try guest.set("v", .list(items + [wrong]))
      let failures = guest.failures()
      #expect(failures.count == 1 && failures[0].hasPrefix(shown.property), "\(failures)")
      #expect(guest.engine.displayList == picture)
      try guest.set("v", first)
      #expect(guest.failures() == [])
    }
  }

  @Test func `setting the items of a control sets their value`() throws {
    var guest = try Guest(
      page(
        "- {list: x, at: [200, 200], size: [300, 300], row_height: 60, items: \"{v}\"}",
        "values: {v: []}"))
    try guest.set("x.items", .list([.text("one"), .text("two")]))
    #expect(guest["v"] == .list([.text("one"), .text("two")]) && guest.texts == ["one", "two"])
  }

  @Test func `a list passes unchanged through expressions, actions and events`() throws {
    var guest = try Guest(
      page(
        """
        - {list: x, at: [200, 100], size: [300, 100], row_height: 50, items: "{shown}"}
        - {label: l, at: [200, 300], text: "{size(a)} {size(shown)} {a == b}"}
        - button: k
          at: [200, 350]
          size: [90, 60]
          text: K
          on: {selected: [{set: {a: "{b}", c: [x, {label: y}]}}, {emit: {name: e, list: "{a}"}}]}
        """,
        """
        values:
          a: {value: [one], keep: true}
          b: [two, three]
          c: []
          flag: false
          shown: "{flag ? b : a}"
        """), kept: ["a": .list([.text("kept")])])
    #expect(guest.texts.prefix(2) == ["kept", "1 1 false"])
    try guest.set("flag", .flag(true))
    #expect(guest.texts.prefix(3) == ["two", "three", "1 2 false"])
    try guest.tap("k", at: 1)
    guest.advance(to: 3)
    #expect(guest.events("emit") == ["emit(name e, list two, three) by action"])
    #expect(guest["c"] == .list([.text("x"), .record([Field("label", .text("y"))])]))
    #expect(guest.engine.persistentValues["a"] == guest["b"])
    let past = guest.engine.handoverState
    #expect(past.values["a"] == guest["b"])
    try guest.engine.apply(.reset(nil))
    #expect(guest["c"] == .list([]) && guest["flag"] == .flag(false))
    #expect(guest["a"] == .list([.text("two"), .text("three")]))
  }

  @Test func `items accept the file's styles, but not actions`() throws {
    let file = page(
      "- {pinwheel: x, at: [200, 200], radius: 180, wedges: \"{v}\"}",
      "values: {v: [{id: a, style: s}]}\nstyles: {s: {label: From a style}}")
    var guest = try Guest(file)
    #expect(guest.texts == ["From a style"])
    try guest.set("v", .list([.record([Field("id", .text("b")), Field("style", .text("s"))])]))
    #expect(guest.texts == ["From a style"])
    let parsed = ParsedKiosk(
      Array(
        file.replacing("style: s}]", with: "on: {selected: []}}]").utf8), path: "k.yaml",
      assets: StubAssets())
    #expect(
      parsed.diagnostics.first?.description.hasPrefix(
        "k.yaml:3:22: error: an item of a list value cannot have actions") == true)
  }

  @Test func `a value that isn't a list, or exceeds a request's size, is rejected`() throws {
    var guest = try Guest(page("- {label: l, at: [1, 2], text: x}", "values: {v: []}"))
    #expect(throws: PropertyError.self) { try guest.set("v", .text("[]")) }
    let long = Value.text(String(repeating: "x", count: 1 << 19))
    try guest.set("v", .list([long]))
    #expect(throws: PropertyError.self) { try guest.set("v", .list([long, long])) }
    #expect(guest["v"] == .list([long]))
  }

  @Test func `a list with a duplicate id is rejected, as in a file`() throws {
    var guest = try Guest(
      page(
        "- {list: x, at: [200, 200], size: [300, 300], row_height: 60, items: \"{v}\"}",
        "values: {v: [{id: a, label: One}]}"))
    let twice = Value.list(
      ["One", "Two"].map { .record([Field("id", .text("a")), Field("label", .text($0))]) })
    try guest.set("v", twice)
    #expect(guest.texts == ["One"])
    #expect(guest.failures() == [#"x.items: "items" takes another value: duplicate id "a""#])
  }

  @Test func `the longest list appears in one turn`() throws {
    var guest = try Guest(
      page(
        "- {list: x, at: [200, 200], size: [300, 300], row_height: 60, items: \"{v}\"}",
        "values: {v: []}"))
    try guest.set("v", .list((0..<100_000).map { .text("\($0)") }))
    #expect(guest.failures() == [] && guest.texts.first == "0")
  }
}
