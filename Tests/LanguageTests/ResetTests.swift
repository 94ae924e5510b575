// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import Testing

@Suite struct ResetTests {
  private static let menu =
    "- {menu: c, at: [200, 200], label: M, opened: true, items: [{id: a}, {id: b}]}"

  /// A kiosk with one page. The page isn't called "home", so that `go: home` goes home.
  private func guest(_ controls: String) throws -> Guest {
    try Guest(page(controls).replacing("page: home", with: "page: first"))
  }

  /// A way back to the initial state of the page.
  enum ResetMethod: CaseIterable {
    case all, one, home

    func begin(_ guest: inout Guest) throws {
      switch self {
      case .all: try guest.engine.apply(.reset(nil))
      case .one: try guest.engine.apply(.reset("c"))
      case .home: guest.engine.go(to: "home")
      }
    }
  }

  @Test(arguments: ResetMethod.allCases)
  func `the hub of a dial shows its value after a reset`(_ method: ResetMethod) throws {
    var guest = try guest("- {dial: c, at: [200, 200], radius: 190, labels: 12, value: 3}")
    let before = guest.engine.displayList
    #expect(guest.texts.count { $0 == "3" } == 2)
    try method.begin(&guest)
    #expect(guest.engine.displayList == before)
  }

  @Test(arguments: ResetMethod.allCases)
  func `a menu that opens itself is open after a reset and at home`(_ method: ResetMethod) throws {
    var guest = try guest(Self.menu)
    #expect(guest["c.open"] == .flag(true))
    try guest.tap("c/a", at: 1)
    guest.advance(to: 3)
    #expect(guest["c.open"] == .flag(false))
    try method.begin(&guest)
    #expect(guest["c.open"] == .flag(true))
    try method.begin(&guest)
    #expect(guest["c.open"] == .flag(true))
    // The menu was closed before each opening.
    let reported = guest.events().compactMap { event in
      ["opened", "closed"].first { event.contains(".\($0)") }
    }
    #expect(reported == ["opened", "closed", "opened", "closed", "opened"])
  }

  @Test func `a menu that opens itself is open when it becomes visible again`() throws {
    var guest = try guest(Self.menu)
    try guest.set("c.visible", .flag(false))
    #expect(guest["c.open"] == .flag(false))
    try guest.set("c.visible", .flag(true))
    #expect(guest["c.open"] == .flag(true))
  }

  @Test func `when the kiosk goes home by time, a menu that opens itself is open`() throws {
    var guest = try Guest(
      """
      kiosk: k
      screen: {size: [400, 400], home_after: 5}
      pages:
        - page: home
          controls:
            \(Self.menu)
      """)
    try guest.tap("c/a", at: 1)
    guest.advance(to: 3)
    #expect(guest["c.open"] == .flag(false))
    guest.advance(to: 8)
    #expect(guest["c.open"] == .flag(true))
  }

  @Test(arguments: [ResetMethod.all, .home])
  func `a timer and a chart on the first page keep running after a reset and at home`(
    _ method: ResetMethod
  ) throws {
    var guest = try guest(
      """
      - {timer: t, every: 1}
      - {chart: c, at: [200, 200], size: [200, 100], value: 3, seconds: 4}
      """)
    guest.advance(to: 2.5)
    try method.begin(&guest)
    _ = guest.events()
    guest.advance(to: 5.6)
    #expect(guest.events("due").count == 3)
    #expect(guest.engine.pages[0].controls[1].control.nextChange(after: guest.engine.now) != nil)
  }

  @Test func `slots have different results after a reset at the same time`() throws {
    let reels = (0..<4).map { "{id: r\($0), items: [a, b, c, d, e, f, g, h]}" }
      .joined(separator: ", ")
    var guest = try Guest(
      page(
        """
        - {slots: x, at: [100, 200], size: [99, 99], duration: 1, reels: [\(reels)]}
        - {slots: y, at: [300, 200], size: [99, 99], duration: 1, reels: [\(reels)]}
        """))
    guest.advance(to: 1)
    try guest.engine.apply(.reset(nil))
    guest.engine.perform("spin", on: "x")
    guest.engine.perform("spin", on: "y")
    guest.advance(to: 3)
    func result(_ machine: String) -> [Value?] { (0..<4).map { guest["\(machine).r\($0).index"] } }
    #expect(result("x") != result("y"))
  }

  @Test func `a reset of all ends the dark view, the question and the history`() throws {
    let file = """
      kiosk: k
      screen: {size: [400, 400], home_after: 10, warn: 5}
      on: {started: [{blank: view}], home: [{emit: home}]}
      pages:
        - {page: first, controls: [{label: a, at: [200, 200], text: A}]}
        - {page: second, controls: [{label: b, at: [200, 200], text: B}]}
      """
    var guest = try Guest(file)
    #expect(guest.engine.isDark)
    try guest.engine.apply(.reset(nil))
    #expect(!guest.engine.isDark)
    guest.engine.go(to: "second")
    guest.advance(to: 7)
    #expect(guest.engine.isAsking)
    try guest.engine.apply(.reset(nil))
    #expect(!guest.engine.isAsking && guest.page == "first" && guest.texts == ["A"])
    _ = guest.events()
    guest.advance(to: 60)
    #expect(guest.events() == [])
  }
}
