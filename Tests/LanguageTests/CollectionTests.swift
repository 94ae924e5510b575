// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelJSON
import Kiosk
import KioskFile
import TestSupport
import Testing

/// Lists and maps in the expressions of a kiosk.
@Suite struct CollectionTests {
  private static let values = """
    values:
      room: {value: 20, stale: 5}
      alarm: 1
      order: {value: {id: 7, items: [{name: tea, price: 2.5}, {name: cake, price: 4}]}}
      orders: [{name: soup, price: 4.5}, {name: salad, price: 6}]
      total: "{sum(orders.map(o, o.price))}"
      axis: x
      offset_x: 1
      offset_y: 2
      silent: false
      format_of_total: .2f
    languages: [en, de]
    texts:
      alarm_1: {en: Door open, de: Tür offen}
      alarm_2: {en: "{room} degrees", de: "{room} Grad"}
    """

  private static func guest(_ controls: String, _ head: String = "") throws -> Guest {
    try Guest(page(controls, values + head))
  }

  private static func value(_ json: String) throws -> Value {
    try #require(Value(try JSONValue(parsing: Array(json.utf8))))
  }

  @Test func `expressions read the members and items of values`() throws {
    var guest = try Self.guest(
      #"- {label: l, at: [200, 40], text: "{order.items[1].name} { {'a': total}.a } {orders.map(o, o.name).join('+')}"}"#
    )
    #expect(guest["l.text"] == .text("cake 10.5 soup+salad"))
    try guest.set("order", try Self.value(#"{"items": [{"name": "x"}, {"name": "y"}]}"#))
    try guest.set("orders", try Self.value(#"[{"name": "rice", "price": 3}]"#))
    #expect(guest["l.text"] == .text("y 3 rice"))
    #expect(guest.failures() == [])
  }

  @Test(arguments: 0..<8)
  func `parts of values are followed like whole values, whatever a service sends`(_ seed: UInt64)
    throws
  {
    let parts = [
      "rows[0].a", "rows[1]['b'].c", "rows[2]", "rows[0].b.c + rows[1].a", "has(rows[1].a)",
      "size(rows[0].b)", "last.a", "last.b.c", "rows[2].a > 1 ? rows[0].a : last.a", "sums[0]",
    ]
    // The conditional hides that only a part is read.
    let whole = parts.map { part in
      ["rows", "last", "sums"].reduce(part) {
        $0.replacing("\($1)[", with: "(true ? \($1) : \($1))[")
          .replacing("\($1).", with: "(true ? \($1) : \($1)).")
      }
    }
    func labels(_ prefix: String, _ texts: [String]) -> String {
      texts.enumerated().map {
        "- {label: \(prefix)\($0), at: [200, 40], text: \"{\($1)}\"}\n"
      }.joined()
    }
    let head = """
      values:
        rows: {value: []}
        last: {value: {a: 0, b: {}}}
        sums: "{rows.map(r, r.a)}"
        first: "{rows[0].a}"
        again: "{first + sums[0]}"
        plain: "{(true ? rows : rows)[0].a}"
        twice: "{plain + (true ? sums : sums)[0]}"
      """
    var guest = try Guest(
      page(
        labels("part", parts + ["again"]) + labels("whole", whole + ["twice"]), head))
    var random = SeededGenerator(seed: seed)
    func value(_ depth: Int) -> Value {
      switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
      case 0: .number(Double(Int.random(in: 0..<3, using: &random)))
      case 1: .text(["a", "x"].randomElement(using: &random) ?? "")
      case 2, 3:
        .record(
          ["a", "b", "c"].filter { _ in Bool.random(using: &random) }
            .map { Field($0, value(depth - 1)) })
      default:
        .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1) })
      }
    }
    for _ in 0..<200 {
      try? guest.set("rows", value(3))
      if Bool.random(using: &random) { try? guest.set("last", value(2)) }
      for index in 0...parts.count {
        #expect(guest["part\(index).text"] == guest["whole\(index).text"])
      }
    }
  }

  @Test func `a missing member and a wrong kind are one failure each, which names the item`() throws
  {
    var guest = try Self.guest(
      #"- {label: l, at: [200, 40], text: "{order.items[1].price} {total}"}"#)
    try guest.set("orders", try Self.value(#"[{"name": "rice", "price": 3}, {"name": "tea"}]"#))
    #expect(guest["l.text"] == .text("4 –"))
    #expect(guest.failures() == [#"total: "o.price" is missing in item 1 of "orders""#])
    try guest.set("orders", try Self.value(#"[{"price": 3}, {"price": "4"}]"#))
    #expect(guest.failures() == [])
    try guest.set("orders", try Self.value(#"[{"price": 3}]"#))
    try guest.set("orders", try Self.value(#"[1, {"price": 3}]"#))
    #expect(
      guest.failures() == [
        #"total: only records have members such as "price", not a number in item 0 of "orders""#
      ])
    #expect(throws: PropertyError.self) { try guest.set("order", .list([])) }
    #expect(guest["order"]?.kind == .record)
  }

  @Test func `a value has at most eight levels and a mebibyte`() throws {
    var guest = try Self.guest("- {label: l, at: [200, 40], text: a}")
    func nested(_ levels: Int) -> Value {
      (0..<levels).reduce(.number(1)) { value, _ in .list([value]) }
    }
    try guest.set("orders", nested(8))
    #expect(throws: PropertyError.self) { try guest.set("orders", nested(9)) }
    let long = Value.record([Field("a", .text(String(repeating: "x", count: 1 << 20)))])
    #expect(throws: PropertyError.self) { try guest.set("order", long) }
  }

  @Test func `a computed key finds a translated string`() throws {
    var guest = try Self.guest(
      #"- {label: l, at: [200, 40], text: "{texts['alarm_' + string(alarm)]}"}"# + "\n"
        + #"- {label: m, at: [200, 80], text: "{has(texts['alarm_' + string(alarm)]) ? 'known' : 'unknown'} {'alarm_1' in texts}"}"#
    )
    #expect(guest["l.text"] == .text("Door open"))
    try guest.set("language", .text("de"))
    #expect(guest["l.text"] == .text("Tür offen"))
    // The entry's own names are dependencies, too.
    try guest.set("alarm", .number(2))
    #expect(guest["l.text"] == .text("–") && guest["m.text"] == .text("unknown –"))
    try guest.set("room", .number(30))
    #expect(guest["l.text"] == .text("30 Grad") && guest["m.text"] == .text("known true"))
    try guest.set("room", .number(31))
    #expect(guest["l.text"] == .text("31 Grad"))
    try guest.set("alarm", .number(3))
    #expect(guest["l.text"] == .text("–") && guest["m.text"] == .text("unknown true"))
    #expect(guest.failures() == [#"l.text: "texts["alarm_" + string(alarm)]" is missing"#])
  }

  @Test func `a computed format applies to a number`() throws {
    var guest = try Self.guest(
      #"- {label: l, at: [200, 40], text: "{format(total, format_of_total)}"}"#)
    #expect(guest["l.text"] == .text("10.50"))
    try guest.set("format_of_total", .text(".0f"))
    #expect(guest["l.text"] == .text("10"))
    try guest.set("format_of_total", .text("%"))
    #expect(guest["l.text"] == .text("1050.000000%"))
    try guest.set("format_of_total", .text("?"))
    #expect(guest["l.text"] == .text("–"))
    #expect(guest.failures().count == 1)
  }

  @Test func `silence of a sensor triggers a reaction`() throws {
    var guest = try Self.guest(
      "- {label: l, at: [200, 40], text: \"{has(room) ? room : 0}\"}",
      """

      reactions:
        - {when: "!has(room)", do: [{set: {silent: true}}]}
        - {when: has(room), do: [{set: {silent: false}}]}
      """)
    #expect(guest["silent"] == .flag(true) && guest["l.text"] == .text("0"))
    try guest.set("room", .number(3))
    #expect(guest["silent"] == .flag(false) && guest["l.text"] == .text("3"))
    guest.advance(to: 4.9)
    #expect(guest["silent"] == .flag(false))
    guest.advance(to: 5)
    #expect(guest["silent"] == .flag(true) && guest["l.text"] == .text("0"))
  }

  private static func button(_ actions: String) -> String {
    "- {button: b, at: [200, 200], size: [90, 90], text: b, on: {selected: [\(actions)]}}"
  }

  @Test func `an action sets a value with a computed name`() throws {
    var guest = try Self.guest(Self.button(#"{set: {"offset_{axis}": 0}}"#))
    try guest.tap("b", at: 1)
    #expect(guest["offset_x"] == .number(0) && guest["offset_y"] == .number(2))
    try guest.set("axis", .text("y"))
    try guest.tap("b", at: 2)
    #expect(guest["offset_y"] == .number(0))
    #expect(guest.failures() == [])
    try guest.set("axis", .text("z"))
    try guest.tap("b", at: 3)
    let failures = guest.failures()
    #expect(failures.count == 1)
    #expect(failures.first?.hasPrefix(#"there is no value "offset_z""#) == true)
  }

  @Test(arguments: [
    (#"{set: {silent: true, alarm: "{orders[5].price}"}}"#, #""orders[5]" is missing"#),
    (#"{set: {silent: true, alarm: "{orders[0].name}"}}"#, #""alarm" takes a number"#),
    (#"{set: {silent: true, "offset_{axis + axis}": 1}}"#, #"there is no value "offset_xx""#),
    (#"{set: {silent: true, alarm: 5}, when: "orders[5].open"}"#, #""orders[5]" is missing"#),
    (#"{emit: {name: paid, price: "{orders[5].price}"}}"#, #""orders[5]" is missing"#),
  ])
  func `an action that fails is one failure and changes nothing`(
    _ action: String, _ failure: String
  ) throws {
    var guest = try Self.guest(Self.button(action))
    try guest.tap("b", at: 1)
    let events = guest.events()
    #expect(events.filter { $0.hasPrefix("failed") }.count == 1, "\(events)")
    #expect(events.contains { $0.contains(failure) }, "\(events)")
    #expect(!events.contains { $0.hasPrefix("emit") })
    #expect(guest["silent"] == .flag(false) && guest["alarm"] == .number(1))
  }

  @Test func `an action's settings see the settings before them`() throws {
    var guest = try Self.guest(Self.button(#"{set: {alarm: 5, offset_x: "{alarm + 1}"}}"#))
    try guest.tap("b", at: 1)
    #expect(guest["offset_x"] == .number(6))
  }

  @Test func `an action sets a map`() throws {
    var guest = try Self.guest(
      Self.button(#"{set: {order: {id: 8, items: []}}}, {set: {alarm: "{order.id}"}}"#))
    try guest.tap("b", at: 1)
    #expect(guest["alarm"] == .number(8) && guest.failures() == [])
  }

  @Test func `a for repeats over a computed list of constants`() throws {
    let guest = try Self.guest(
      """
      - {for: "{lists.range(24)}", as: hour, label: h$hour, at: ["{10 * $hour}", 40], text: "{$hour + 1}"}
      - {for: {x: "{[1, 2].map(i, i * 100)}", y: [a, b]}, label: $y$x, at: [$x, 80], text: "$x"}
      """)
    #expect(guest["h0.text"] == .text("1") && guest["h23.text"] == .text("24"))
    #expect(guest["b200.text"] == .text("200"))
  }

  @Test(arguments: [
    ("text: \"{texts.alarm_{alarm}}\"", #"did you mean "texts[\"alarm_\" + …]"?"#),
    ("text: \"{texts.alarm_ + string(alarm)}\"", #"did you mean "texts[\"alarm_\" + …]"?"#),
    (
      "text: \"{orders.price}\"",
      "expected orders[0].price, or orders.map(i, i.price) for all items"
    ),
    ("text: \"{texts.nope}\"", #"there is no text "nope""#),
    ("text: \"{orders[0] + 1}\"", "\"+\" takes"),
    ("text: \"{sum(orders)}\"", "\"sum\" takes a list of numbers, not of records"),
    ("text: \"{sum(['a'])}\"", "\"sum\" takes a list of numbers, not of strings"),
    ("text: t, enabled: \"{orders.all(o, o.price)}\"", ""),
  ])
  func `an error is found when the file is read, with the meant expression`(
    _ keys: String, _ message: String
  ) throws {
    let reading = ParsedKiosk(
      Array(page("- {label: l, at: [200, 40], \(keys)}", Self.values).utf8), path: "k.yaml",
      assets: StubAssets())
    let errors = reading.diagnostics.map(\.description)
    #expect(errors.count == (message.isEmpty ? 0 : 1), "\(errors)")
    #expect(errors.allSatisfy { $0.contains(message) }, "\(errors)")
  }

  @Test func `a translated string that reads another by a computed key is a cycle`() throws {
    let reading = ParsedKiosk(
      Array(
        page(
          "- {label: l, at: [200, 40], text: \"{texts.a}\"}",
          "languages: [en]\ntexts: {a: {en: \"{texts['a' + '']}\"}}"
        ).utf8), path: "k.yaml", assets: StubAssets())
    #expect(reading.diagnostics.contains { $0.message.contains("depends on itself") })
  }
}
