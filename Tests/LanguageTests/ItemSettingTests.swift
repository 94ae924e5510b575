// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import TestSupport
import Testing

/// A control whose items are set as a whole at run time.
struct Itemized: Sendable, CustomTestStringConvertible {
  var control: String
  /// The control with the items a, b, c and d.
  var file: String
  /// The property that sets the items.
  var property: String
  /// The property with the selected item's id or label.
  var chosen: String
  /// Whether items have ids; otherwise labels identify them.
  var hasIDs = true

  var testDescription: String { control }

  func items(_ names: [String]) -> Value {
    .list(
      names.map { name in
        hasIDs
          ? .record([Field("id", .text(name)), Field("label", .text(name.uppercased()))])
          : .text(name)
      })
  }

  static let all = [
    Itemized(
      control: "pinwheel",
      file:
        "- {pinwheel: x, at: [200, 200], radius: 150, wedges: [{id: a}, {id: b}, {id: c}, {id: d}]}",
      property: "x.wedges", chosen: "x.item"),
    Itemized(
      control: "dial",
      file: "- {dial: x, at: [200, 200], radius: 150, labels: [a, b, c, d]}",
      property: "x.labels", chosen: "x.label", hasIDs: false),
    Itemized(
      control: "menu",
      file: "- {menu: x, at: [200, 200], items: [{id: a}, {id: b}, {id: c}, {id: d}]}",
      property: "x.items", chosen: "x.item"),
    Itemized(
      control: "slots",
      file:
        "- {slots: x, at: [200, 200], size: [300, 300], duration: 1, reels: [{id: r, items: [a, b, c, d]}]}",
      property: "x.r.items", chosen: "x.r.label", hasIDs: false),
    Itemized(
      control: "picker",
      file:
        "- {picker: x, at: [200, 200], size: [300, 300], wheels: [{id: w, items: [a, b, c, d]}]}",
      property: "x.w.items", chosen: "x.w.label", hasIDs: false),
    Itemized(
      control: "list",
      file:
        "- {list: x, at: [200, 200], size: [300, 300], row_height: 60, items: [{id: a}, {id: b}, {id: c}, {id: d}]}",
      property: "x.items", chosen: "x.item"),
  ]
}

@Suite struct ItemSettingTests {
  @Test(arguments: Itemized.all)
  func `the selected item stays selected if it is among the new items`(_ kind: Itemized) throws {
    var guest = try Guest(page(kind.file))
    try choose(2, kind, &guest)
    let before = guest[kind.chosen]
    #expect(before == .text("c"))
    try guest.set(kind.property, kind.items(["x", "c", "y", "z", "a"]))
    guest.advance(to: 6)
    #expect(guest[kind.chosen] == before)
    #expect(guest.failures() == [])
    // The selected item is gone, so another one or none is selected.
    try guest.set(kind.property, kind.items(["p", "q"]))
    guest.advance(to: 9)
    let after = try #require(guest[kind.chosen])
    #expect([.text("p"), .text("q"), .text(""), .text("c")].contains(after), "\(after)")
  }

  /// Selects an item, by a tap if the control's events name the item.
  private func choose(_ index: Int, _ kind: Itemized, _ guest: inout Guest) throws {
    switch kind.control {
    case "pinwheel", "list": try guest.tap("x/c", at: 1)
    case "menu":
      try guest.tap("x", at: 1)
      guest.advance(to: 2)
      try guest.tap("x/c", at: 2)
    case "dial": try guest.set("x.value", .integer(index))
    case "slots": try guest.set("x.r.index", .integer(index))
    default: try guest.set("x.w.index", .integer(index))
    }
    guest.advance(to: 4)
    _ = guest.events()
  }

  @Test(arguments: Itemized.all.filter(\.hasIDs))
  func `a touch keeps its item if the new items have it at the same position`(_ kind: Itemized)
    throws
  {
    var guest = try Guest(page(kind.file))
    if kind.control == "menu" { try guest.tap("x", at: 1) }
    guest.advance(to: 2)
    let place = try #require(Target("x/b")).point(in: guest.engine)
    _ = guest.events()
    guest.touch(.down, place, at: 2)
    try guest.set(kind.property, kind.items(["n", "b", "o", "p"]))
    guest.touch(.up, place, at: 2.1)
    guest.advance(to: 4)
    #expect(guest.events("selected").map { $0.prefix { $0 != "(" } } == ["x/b.selected"])
    #expect(guest[kind.chosen] == .text("b"))
  }

  @Test(arguments: Itemized.all.filter { ["pinwheel", "list"].contains($0.control) })
  func `replacing a held item cancels it under its original name`(_ kind: Itemized) throws {
    let emit = "[{emit: {name: '{event.item}'}}]"
    let item = "{id: b, on: {cancelled: [{emit: released}]}}"
    let file = kind.file.replacing("{id: b}", with: item).dropLast()
    var guest = try Guest(page("\(file), on: {pressed: \(emit), cancelled: \(emit)}}"))
    let place = try #require(Target("x/b")).point(in: guest.engine)
    for end in [Touch.Phase.up, .cancel] {
      guest.touch(.down, place, at: guest.engine.now.seconds + 1)
      try guest.set(kind.property, kind.items(["n", "m", "o", "p"]))
      guest.touch(end, place, at: guest.engine.now.seconds + 0.1)
      let reported = guest.events().map { String($0.prefix { $0 != "," && $0 != ")" }) }
      #expect(
        reported == [
          "x/b.pressed(index 1", "emit(name b", "x/b.cancelled(index 1", "emit(name b",
          "emit(name released",
        ])
      try guest.engine.apply(.reset("x"))
    }
  }

  @Test(arguments: Itemized.all.filter(\.hasIDs))
  func `new items have their own keys, and values set on former items are dropped`(
    _ kind: Itemized
  ) throws {
    var guest = try Guest(page(kind.file))
    try guest.set("x.b.label", .text("Old"))
    try guest.set(kind.property, kind.items(["n", "b"]))
    #expect(guest["x.n.label"] == .text("N"))
    #expect(guest["x.b.label"] == .text("B"))
    #expect(guest["x.a.label"] == nil)
    try guest.set("x.n.label", .text("New"))
    try guest.set("x.b.enabled", .flag(false))
    #expect(guest["x.n.label"] == .text("New"))
    if kind.control != "menu" { #expect(guest.texts == ["New", "B"]) }
    #expect(throws: PropertyError.self) { try guest.set("x.a.label", .text("Gone")) }
    guest.engine.replace(with: try Guest.description(page(kind.file)), seed: 1)
    #expect(guest["x.n.label"] == .text("New"))
    #expect(guest["x.b.enabled"] == .flag(false))
    try guest.engine.apply(.reset("x"))
    #expect(guest["x.n.label"] == nil)
    #expect(guest["x.b.enabled"] == .flag(true))
  }

  @Test(arguments: Itemized.all)
  func `random items at random times under random touches are applied`(_ kind: Itemized) throws {
    let names = ["a", "b", "c", "d", "e", "f", "g"]
    for seed in Cases.of(40).map(UInt64.init) {
      var chance = SeededGenerator(seed: seed)
      var guest = try Guest(page(kind.file), seed: seed)
      var time = 0.1
      var held: [Int: Point] = [:]
      for _ in 0..<60 {
        time += .random(in: 0...0.3, using: &chance)
        let finger = Int.random(in: 0...1, using: &chance)
        let place = Point(
          .random(in: 40...360, using: &chance), .random(in: 40...360, using: &chance))
        switch Int.random(in: 0...3, using: &chance) {
        case 0:
          let count = Int.random(in: 1...names.count, using: &chance)
          let new = kind.items(Array(names.shuffled(using: &chance).prefix(count)))
          try guest.set(kind.property, new)
          #expect(guest[kind.property] == new, "\(kind.control), seed \(seed)")
        case 1 where held[finger] != nil:
          guest.touch(.up, place, at: time, finger: finger)
          held[finger] = nil
        case 2 where held[finger] != nil:
          guest.touch(.move, place, at: time, finger: finger)
        default:
          if held[finger] == nil { guest.touch(.down, place, at: time, finger: finger) }
          held[finger] = place
        }
        _ = guest.engine.displayList
      }
      for finger in held.keys.sorted() {
        guest.touch(.up, Point(1, 1), at: time + 1, finger: finger)
      }
      guest.advance(to: time + 20)
      let reported = guest.engine.takeEvents().map(\.name)
      func count(_ names: String...) -> Int { reported.count { names.contains($0) } }
      #expect(count("failed") == 0)
      if kind.control == "pinwheel" {
        #expect(count("pressed") > 0)
        #expect(count("pressed") == count("selected", "cancelled"), "\(kind.control), seed \(seed)")
      }
      #expect(count("opened") >= count("closed"))
      #expect(guest.engine.isStill, "\(kind.control), seed \(seed)")
    }
  }
}
