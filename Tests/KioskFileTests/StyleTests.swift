// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import Kiosk
import Testing

@testable import KioskFile

private func kiosk(_ styles: String, _ controls: String) -> String {
  "kiosk: k\nvalues: {n: 3}\nstyles: \(styles)\npages: [{page: home, controls: [\n\(controls)\n]}]"
}

private func engine(_ text: String) throws -> Engine {
  let reading = read(text)
  #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
  return Engine(try #require(reading.description), seed: 0)
}

@Suite struct StyleTests {
  @Test func `controls and items take the keys of their style unless they set them`() throws {
    let text = kiosk(
      "[{title: {font_size: 64, bold: true, color: '#123456', icon_font: Icons}}, {leaf: {color: red, label: L}}]",
      """
      {label: a, at: [1, 2], text: t, style: title},
      {label: b, at: [1, 2], text: t, style: title, font_size: 30},
      {menu: m, at: [99, 99], style: title, items: [{id: x, style: leaf, items: [{id: y, style: leaf,
        label: own}]}]},
      {picker: p, at: [99, 99], size: [99, 99], wheels: [{id: w, items: [{style: leaf}, z]}]}
      """)
    let engine = try engine(text)
    func value(_ name: String, _ id: String) -> Value? {
      if case .some(let value) = engine.value(of: name, of: id) { value } else { nil }
    }
    #expect(value("font_size", "a") == .number(64))
    #expect(value("font_size", "b") == .number(30))
    #expect(value("color", "b") == .text("#123456"))
    #expect(value("x.color", "m") == .text("red") && value("x.label", "m") == .text("L"))
    #expect(value("y.color", "m") == .text("red") && value("y.label", "m") == .text("own"))
    #expect(value("w.0.label", "p") == .text("L"))
    #expect(engine.description.pages[0].controls[0].font.weight == 700)
  }

  @Test func `a key is a position or size in all tables that have it, or in none`() {
    var places: [String: Set<Bool>] = [:]
    var seen: Set<String> = []
    func add(_ keys: Keys) {
      guard seen.insert(keys.table).inserted else { return }
      for key in keys.all {
        places[key.name, default: []].insert(key.isGeometric)
        if let items = key.objects?(), items.names.contains("style") { add(items) }
      }
    }
    for type in ControlType.all { add(type.table.keys) }
    #expect(places.filter { $0.value.count > 1 }.keys.sorted() == [])
    #expect(places["radius"] == [true] && places["color"] == [false])
  }

  @Test func `a template in a style is bound`() throws {
    var engine = try engine(
      kiosk(
        "{s: {text: \"{n} cups\", font_size: \"{n * 10}\"}}", "{label: l, at: [1, 2], style: s}"))
    #expect(engine.value(of: "text", of: "l") == .text("3 cups"))
    try engine.set(.value("n"), to: .number(5))
    #expect(engine.value(of: "text", of: "l") == .text("5 cups"))
    #expect(engine.value(of: "font_size", of: "l") == .number(50))
  }

  @Test func `items set at run time can use styles, too`() throws {
    var engine = try engine(
      kiosk(
        "{s: {detail: d}}",
        "{list: l, at: [99, 99], size: [99, 99], row_height: 20, items: [{id: a, label: a}]}"))
    try engine.set(
      "items", of: "l",
      to: .list([
        .record([Field("id", .text("b")), Field("label", .text("b")), Field("style", .text("s"))])
      ]))
    #expect(engine.value(of: "b.detail", of: "l") == .text("d"))
  }

  @Test(arguments: [
    (
      "{s: {at: [1, 2]}}", "style: s",
      "3:14: error: \"at\" belongs to a control, not to a style (expected any key except positions, sizes, ids, "
        + "on and style)"
    ),
    (
      "{s: {fnt_size: 5}}", "style: s",
      "3:14: error: no control has the key \"fnt_size\" (expected a key of a control or an item; did you "
        + "mean \"font_size\"?)"
    ),
    (
      "{s: {font_size: x}}", "style: s",
      "3:25: error: \"font_size\" has the wrong type: \"x\" (expected a number from 1 to 2000 pixels)"
    ),
    (
      "{title: {bold: true}}", "style: titel",
      "5:40: error: there is no style \"titel\" (expected title; did you mean \"title\"?)"
    ),
    (
      "{s: {bold: true}, s2: 5}", "style: s",
      "3:31: error: \"s2\" has the wrong type: 5 (expected a map of keys of controls)"
    ),
  ])
  func `an error in a style is reported at its location`(
    _ styles: String, _ key: String, _ diagnostic: String
  ) {
    let text = kiosk(
      styles, "{label: l, at: [1, 2], text: t, \(key)}, {label: k, at: [1, 2], text: t, \(key)}")
    #expect(diagnostics(text).first == diagnostic)
  }
}
