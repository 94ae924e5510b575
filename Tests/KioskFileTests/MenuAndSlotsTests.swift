// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing
import RoundelDeclarations

@testable import KioskFile

/// A file with one control on a screen of 800 × 480.
private func page(_ control: String) -> String {
  """
  kiosk: k
  screen: {size: [800, 480]}
  pages:
    - page: p
      controls:
        - \(control)
  """
}

private func control<T>(_ type: T.Type, _ text: String) throws -> T {
  let reading = read(page(text))
  let entry = try #require(reading.description?.pages[0].controls[0])
  return try #require(entry.control as? T)
}

extension Size {
  /// 9 mm on a 7-inch panel of this size.
  var fingerOn7Inches: Double {
    let diagonal = (width * width + height * height).squareRoot()
    return 9 * (diagonal / (7 * 25.4))
  }
}

private let finger = Size(800, 480).fingerOn7Inches

@Suite struct MenuTypeTests {
  @Test func `omitted keys have the documented defaults`() throws {
    let menu = try control(Menu.self, "{menu: m, at: [400, 240], items: [{id: a}, {id: b}]}")
    #expect(
      menu
        == Menu(
          center: Point(400, 240), screen: Size(800, 480), radius: 48, leafRadius: 40,
          smallestLeaf: finger / 2,
          opening: .init(damping: 0.5, duration: 0.4), closing: .init(damping: 0.8, duration: 0.4),
          items: [.init(id: "a"), .init(id: "b")]))
  }

  @Test func `every key is read`() throws {
    let menu = try control(
      Menu.self,
      """
      {menu: m, at: [400, 240], label: Eat, image: wall.png, radius: 60, leaf_radius: 50,
          distance: 150, start: 45, arc: 180, open: {damping: 1}, close: {duration: 0.2},
          color: red, text_color: "#fff", font_size: 30,
          items: [{id: a, label: A, color: blue, enabled: false},
                  {id: b, image: wall.png, items: [{id: c, items: [{id: d}]}]}]}
      """)
    #expect(
      menu
        == Menu(
          center: Point(400, 240), screen: Size(800, 480), label: "Eat", image: "wall.png",
          radius: 60, leafRadius: 50, smallestLeaf: finger / 2, distance: 150, start: .degrees(45),
          arc: .degrees(180),
          opening: .init(damping: 1, duration: 0.4), closing: .init(damping: 0.8, duration: 0.2),
          color: .hex(0xff0000), textColor: .white, fontSize: 30,
          items: [
            .init(id: "a", label: "A", color: .hex(0x0000ff), isEnabled: false),
            .init(
              id: "b", image: "wall.png", items: [.init(id: "c", items: [.init(id: "d")])]),
          ]))
  }

  @Test func `errors are found at any depth`() {
    let found = diagnostics(
      page(
        """
        {menu: m, at: [400, 240], arc: 0, open: {damping: 0}, distance: .nan,
            items: [{id: a, items: []}, {id: a, items: [{id: b, lable: B}]}]}
        """))
    for what in [
      "\"arc\" is out of range: 0", "\"damping\" is out of range: 0", "\"distance\"",
      "\"items\" is an empty list", "duplicate id \"a\"", "unknown key \"lable\"",
    ] {
      #expect(found.contains { $0.contains(what) }, "\(what) in \(found)")
    }
    #expect(diagnostics(page("{menu: m, at: [0, 0], items: []}")).count == 1)
  }

  @Test func `actions open and close a menu, and its items trigger actions`() throws {
    let reading = read(
      page(
        """
        {menu: m, at: [400, 240], on: {closed: [{open: m}]},
            items: [{id: a, on: {selected: [{close: m}]}}]}
        """))
    let entry = try #require(reading.description?.pages[0].controls[0])
    #expect(entry.actions == ["closed": [.perform("open", control: "m")]])
    #expect(entry.itemActions == ["a": ["selected": [.perform("close", control: "m")]]])
  }
}

@Suite struct SlotsTypeTests {
  @Test func `omitted keys have the documented defaults`() throws {
    let slots = try control(
      Slots.self,
      """
      {slots: s, at: [400, 240], size: [600, 300],
          reels: [{id: a, items: [x]}, {id: b, items: [1, 2]}, {id: c, items: [y, z]}]}
      """)
    #expect(
      slots
        == Slots(
          center: Point(400, 240), size: Size(600, 300), rows: 3, duration: 5, sharpen: 0.3,
          triggers: [.touch],
          reels: [
            .init(id: "a", items: ["x"]), .init(id: "b", items: ["1", "2"]),
            .init(id: "c", items: ["y", "z"]),
          ]))
    #expect(slots.reels.map(\.direction) == [.down, .up, .down])
  }

  @Test func `every key is read`() throws {
    let slots = try control(
      Slots.self,
      """
      {slots: s, at: [400, 240], size: [600, 300], rows: 5, duration: 2.5, sharpen: 0.5, seed: 7,
          trigger: [touch, shake], reels: [{id: a, items: [x, y], direction: up}]}
      """)
    #expect(
      slots
        == Slots(
          center: Point(400, 240), size: Size(600, 300), rows: 5, duration: 2.5, sharpen: 0.5,
          seed: 7, triggers: [.touch, .shake],
          reels: [.init(id: "a", items: ["x", "y"], direction: .up)]))
  }

  @Test func `items have weights and reels stop in order`() throws {
    let slots = try control(
      Slots.self,
      """
      {slots: s, at: [400, 240], size: [600, 300], stagger: 0.4,
          reels: [{id: a, items: [x, {label: y, weight: 2.5}, {label: z, weight: 0}]}]}
      """)
    #expect(slots.stagger == 0.4)
    #expect(
      slots.reels[0].items == [
        .init(label: "x"), .init(label: "y", weight: 2.5), .init(label: "z", weight: 0),
      ])
  }

  @Test func `weights without a choice are an error`() {
    let found = diagnostics(
      page(
        """
        {slots: s, at: [400, 240], size: [600, 300], stagger: -1, reels: [
            {id: a, items: [{label: x, weight: 0}, {label: y, weight: 0}]},
            {id: b, items: [{label: x, weight: -1}]}, {id: c, items: [{label: x, image: gone.png}]}]}
        """))
    for what in ["all weights of \"items\" are 0", "\"stagger\"", "\"weight\"", "gone.png"] {
      #expect(found.contains { $0.contains(what) }, "\(what) in \(found)")
    }
  }

  @Test func `errors are found`() {
    let found = diagnostics(
      page(
        """
        {slots: s, at: [400, 240], size: [0, 300], rows: 0, duration: 0, seed: 1.5,
            trigger: [tuch], reels: [{id: a, items: x}, {id: a, items: [x], direction: left}]}
        """))
    for what in [
      "\"rows\" is out of range: 0", "\"duration\" is out of range: 0", "\"seed\"", "tuch",
      "\"items\" has the wrong type", "duplicate id \"a\"", "left",
    ] {
      #expect(found.contains { $0.contains(what) }, "\(what) in \(found)")
    }
  }

  @Test func `reels can be shown, set and spun`() {
    let rest = """
            - {label: l, at: [400, 30], text: "{s.a.label} {s.spinning}"}
            - {button: b, at: [400, 400], size: [200, 100],
                on: {selected: [{set: {s.a.index: 1}}, {set: {s.a.label: x}}, {spin: s}]}}
      """
    let slots = "{slots: s, at: [400, 240], size: [600, 300], reels: [{id: a, items: [x, y]}]}"
    #expect(diagnostics(page(slots) + "\n" + rest) == [])
    let wrong = rest.replacing("index: 1", with: "index: 2")
    #expect(diagnostics(page(slots) + "\n" + wrong).count == 1)
  }
}
