// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing
@testable import KioskFile

private let attract = """
  kiosk: k
  screen: {size: [400, 300]}
  pages:
    - page: attract
      on: {selected: [{go: menu}], held: [{emit: service}]}
      controls:
        - {label: hello, at: [200, 60], text: Touch anywhere}
        - {button: info, at: [330, 230], size: [80, 80], text: i}
        - {button: off, at: [70, 230], size: [80, 80], text: x, enabled: false}
    - page: menu
      controls: [{label: end, at: [200, 150], text: Menu}]
  """

@Suite struct PressTests {
  // MARK: The background

  @Test func `a touch outside all controls selects the page`() throws {
    var guest = try Guest(attract)
    guest.touch(.down, Point(200, 150), at: 1)
    #expect(guest.page == "attract" && guest.events() == ["pressed(page attract) by finger"])
    guest.touch(.up, Point(200, 150), at: 1.1)
    #expect(
      guest.events() == ["selected(page attract) by finger", "page(page menu) by action"])
  }

  @Test func `touches pass through a label without actions`() throws {
    var guest = try Guest(attract)
    guest.tap(Point(200, 60), at: 1)
    #expect(guest.page == "menu")
  }

  @Test func `a control keeps its touches, and a disabled one swallows them`() throws {
    var guest = try Guest(attract)
    try guest.tap("info", at: 1)
    guest.tap(Point(70, 230), at: 2)
    #expect(guest.page == "attract")
    #expect(guest.events("pressed") == ["info.pressed(label i) by finger"])
  }

  @Test func `a label is pressed at its position in the current language`() throws {
    var guest = try Guest(
      """
      kiosk: k
      screen: {size: [400, 300]}
      languages: [en, ar]
      pages:
        - page: home
          controls:
            - {label: l, at: [200, 150], text: "10:15", align: start, on: {selected: [{emit: hit}]}}
      """)
    for (language, hit) in [("en", Point(240, 150)), ("ar", Point(160, 150))] {
      try guest.set("language", .text(language))
      _ = guest.events()
      guest.tap(Point(400 - hit.x, 150), at: language == "en" ? 1 : 3)
      #expect(guest.events("pressed") == [])
      guest.tap(hit, at: language == "en" ? 2 : 4)
      #expect(guest.events("pressed") == ["l.pressed(label 10:15) by finger"])
    }
  }

  @Test func `a page without actions does not report touches`() throws {
    var guest = try Guest(attract)
    guest.engine.go(to: "menu")
    _ = guest.events()
    guest.tap(Point(200, 200), at: 1)
    #expect(guest.events() == [])
  }

  @Test func `a held page is not selected`() throws {
    var guest = try Guest(attract)
    guest.touch(.down, Point(200, 150), at: 1)
    guest.advance(to: 3)
    guest.touch(.up, Point(200, 150), at: 4)
    #expect(
      guest.events() == [
        "pressed(page attract) by finger", "held(page attract) by finger",
        "cancelled(page attract) by finger", "emit(name service) by action",
      ])
    #expect(guest.page == "attract")
  }

  @Test func `the touch that wakes the panel selects nothing`() throws {
    var guest = try Guest(attract)
    guest.engine.setBlank(true)
    guest.tap(Point(200, 150), at: 1)
    #expect(guest.page == "attract")
  }

  // MARK: Labels and images

  @Test(arguments: [
    "{label: l, at: [200, 200], text: Hi, on: {selected: [{emit: done}]}}",
    "{label: l, at: [200, 200], size: [100, 50], text: Hi, on: {selected: [{emit: done}]}}",
    "{image: l, at: [200, 200], size: [100, 50], file: a.png, on: {selected: [{emit: done}]}}",
  ])
  func `a label or an image with actions reports presses like a button`(control: String) throws {
    var guest = try Guest(page("- " + control))
    let fields = control.hasPrefix("{label") ? "(label Hi)" : ""
    try guest.tap("l", at: 1)
    #expect(
      guest.events() == [
        "l.pressed\(fields) by finger", "l.selected\(fields) by finger",
        "emit(name done) by action",
      ])
    guest.touch(.down, Point(200, 200), at: 2)
    guest.touch(.move, Point(390, 390), at: 2.1)
    guest.touch(.up, Point(390, 390), at: 2.2)
    #expect(
      guest.events() == ["pressed", "left", "cancelled"].map { "l.\($0)\(fields) by finger" })
    guest.touch(.down, Point(200, 200), at: 3)
    try guest.set("l.enabled", .flag(false))
    #expect(guest.events("l.cancelled").count == 1)
    guest.touch(.up, Point(200, 200), at: 3.1)
    try guest.tap("l", at: 4)
    #expect(guest.events() == [])
  }

  @Test func `a label without a size is pressed anywhere on its text`() throws {
    for (align, x) in [("left", 230.0), ("right", 170), ("start", 230), ("end", 170)] {
      var guest = try Guest(
        page(
          "- {label: l, at: [200, 200], align: \(align), text: Hello, on: {selected: [{emit: a}]}}")
      )
      guest.tap(Point(x, 200), at: 1)
      guest.tap(Point(400 - x - (x > 200 ? 30 : -30), 200), at: 2)
      #expect(guest.events("l.selected").count == 1, "\(align)")
    }
  }

  @Test func `the text of a pressed label follows its template`() throws {
    var guest = try Guest(
      page(
        "- {label: l, at: [200, 200], text: \"{n}\", on: {selected: [{emit: a}]}}", "values: {n: 1}"
      ))
    guest.touch(.down, Point(200, 200), at: 1)
    try guest.set("n", .number(2))
    #expect(guest["l.text"] == .text("2"))
  }

  // MARK: Long presses

  private static let controls = [
    "{button: c, at: [200, 200], size: [99, 99], text: B, ON}",
    "{pinwheel: c, at: [200, 200], radius: 150, wedges: [{id: i, label: B, ON}]}",
    "{pinwheel: c, at: [200, 200], radius: 150, wedges: [{id: i, label: B}], ON}",
    "{list: c, at: [200, 200], size: [200, 200], row_height: 200, items: [{id: i, label: B, ON}]}",
    "{list: c, at: [200, 200], size: [200, 200], row_height: 200, items: [B, C], ON}",
    "{label: c, at: [200, 200], text: B, ON}",
    "{image: c, at: [200, 200], size: [99, 99], file: a.png, ON}",
  ]

  private func names(_ guest: inout Guest) -> [String] {
    guest.engine.takeEvents().map { event in
      event.name == "emit" ? "\(event.fields[0].value.display)!" : event.name
    }
  }

  /// A position inside each control.
  private let place = Point(200, 155)
  private let labelPlace = Point(200, 200)

  private func place(on control: String) -> Point {
    control.hasPrefix("{label") || control.hasPrefix("{image") ? labelPlace : place
  }

  @Test(arguments: controls)
  func `a long press is held and cancelled, and selects nothing`(control: String) throws {
    let text = control.replacing("ON", with: "on: {held: [{emit: long}]}, hold: 2")
    var guest = try Guest(page("- " + text))
    let place = place(on: control)
    guest.touch(.down, place, at: 1)
    #expect(names(&guest) == ["pressed"])
    guest.advance(to: 2.999)
    #expect(names(&guest) == [])
    guest.advance(to: 3)
    #expect(names(&guest) == ["held", "cancelled", "long!"])
    guest.touch(.up, place, at: 4)
    #expect(names(&guest) == [])
    guest.touch(.down, place, at: 5)
    guest.touch(.up, place, at: 6.9)
    #expect(names(&guest).prefix(2) == ["pressed", "selected"])
    guest.advance(to: 20)
    #expect(!names(&guest).contains("held"))
  }

  @Test(arguments: controls)
  func `a long press without actions for it is an ordinary press`(control: String) throws {
    let text = control.replacing("ON", with: "on: {selected: [{emit: short}]}")
    var guest = try Guest(page("- " + text))
    let place = place(on: control)
    guest.touch(.down, place, at: 1)
    guest.advance(to: 9)
    guest.touch(.up, place, at: 9)
    let isRow = control.hasPrefix("{list")
    #expect(
      names(&guest).filter { $0 != "confirmed" } == (isRow ? [] : ["pressed"]) + [
        "selected", "short!",
      ])
  }

  @Test(arguments: controls)
  func `an interrupted press is cancelled once`(control: String) throws {
    let text = control.replacing("ON", with: "on: {held: [{emit: long}]}")
    var guest = try Guest(page("- " + text))
    let place = place(on: control)
    let ends: [(inout Guest) throws -> Void] = [
      { $0.touch(.cancel, place, at: $0.engine.now.seconds) },
      {
        $0.engine.setBlank(true); $0.engine.setBlank(false)
      },
      {
        try $0.set("c.visible", .flag(false)); try $0.set("c.visible", .flag(true))
      },
      {
        let next = text.replacing("long", with: "longer")
        $0.engine.replace(with: try Guest.description(page("- " + next)), seed: 1)
      },
      { $0.engine.restart($0.engine.description, seed: 1) },
      {
        $0.engine.go(to: "home"); try $0.engine.apply(.reset(nil))
      },
      { $0.engine.cancelTouches(at: $0.engine.now) },
    ]
    for (index, end) in ends.enumerated() {
      guest.touch(.down, place, at: Double(index) * 10 + 1)
      try end(&guest)
      guest.advance(to: Double(index) * 10 + 5)
      guest.touch(.up, place, at: Double(index) * 10 + 6)
      let reported = names(&guest).filter {
        ["pressed", "cancelled", "held", "selected"].contains($0)
      }
      #expect(reported == ["pressed", "cancelled"], "end \(index)")
    }
  }

  @Test func `a finger outside the pressed control does not hold it`() throws {
    var guest = try Guest(
      page("- {button: c, at: [200, 200], size: [99, 99], on: {held: [{emit: long}]}}"))
    guest.touch(.down, place, at: 1)
    guest.touch(.move, Point(10, 10), at: 1.5)
    guest.advance(to: 5)
    guest.touch(.move, Point(200, 200), at: 6)
    guest.touch(.up, Point(200, 200), at: 6.5)
    #expect(names(&guest) == ["pressed", "left", "returned", "selected", "confirmed"])
  }

  @Test func `scrolling a row cancels its press`() throws {
    var guest = try Guest(
      page(
        "- {list: c, at: [200, 200], size: [200, 200], row_height: 90, items: [A, B, C, D], "
          + "on: {held: [{emit: long}]}}"))
    guest.touch(.down, place, at: 1)
    guest.touch(.move, Point(200, 120), at: 1.2)
    #expect(names(&guest) == ["pressed", "cancelled"])
    guest.touch(.up, Point(200, 120), at: 5)
    #expect(names(&guest) == [])
  }

  @Test func `a hold wakes the kiosk once, at its exact time`() throws {
    var guest = try Guest(
      page("- {button: c, at: [200, 200], size: [99, 99], on: {held: [{emit: long}]}}"))
    guest.touch(.down, place, at: 1)
    #expect(guest.engine.nextChange == Instant(seconds: 2))
    guest.advance(to: 2)
    #expect(guest.engine.nextChange == nil)
  }

  @Test func `errors in presses are reported`() {
    #expect(
      diagnostics(page("- {button: c, at: [200, 200], size: [99, 99], hold: 0}")).first?
        .hasPrefix("\"hold\" is out of range: 0") == true)
    #expect(
      diagnostics(page("- {label: c, at: [200, 200], text: a, on: {confirmed: [{emit: a}]}}")) == [
        "unknown event \"confirmed\" (expected pressed, left, returned, selected, cancelled, held or ended)"
      ])
  }
}

extension Instant {
  fileprivate var seconds: Double { Double(microseconds) / 1e6 }
}
