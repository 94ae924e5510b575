// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

/// Reloads: the state that a kiosk keeps or ends when it continues with another version of its
/// file, or in another process.
@Suite struct ReloadTests {
  private func speaking(_ pages: [String]) -> String {
    let texts = pages.map {
      "  - page: \($0)\n    controls: [{button: b\($0), at: [80, 80], size: [90, 60], text: \($0)}]\n"
    }
    return """
      kiosk: k
      screen: {size: [400, 400]}
      speech: {start: [always]}
      pages:
      \(texts.joined())
      """
  }

  // MARK: Speech

  @Test func `the first page is announced once, whatever the clock says`() throws {
    let description = try Guest.description(speaking(["a"]))
    var guest = try Guest(speaking(["a"]))
    let expected = guest.events("spoken")
    guest.engine = Engine(
      description, seed: 1, clock: CivilTime(microseconds: 1_796_000_000_000_000))
    #expect(guest.events("spoken") == expected)
  }

  @Test func `a page that moves is not announced again, and one that replaces it is`() throws {
    var guest = try Guest(speaking(["a"]))
    _ = guest.events("spoken")
    try guest.reload(speaking(["zero", "a"]))
    guest.advance(to: 1)
    #expect(guest.events("spoken") == [])
    try guest.reload(speaking(["zero"]))
    guest.advance(to: 2)
    #expect(guest.events("spoken") != [])
  }

  // MARK: Fingers and focus

  @Test func `a finger that dwells on a removed page presses nothing on the first page`() throws {
    func file(_ second: String) -> String {
      """
      kiosk: k
      screen: {size: [400, 400], dwell: 2}
      pages:
        - page: home
          controls: [{button: danger, at: [200, 200], size: [99, 99], text: A}]
        - page: \(second)
          controls: [{button: harmless, at: [200, 200], size: [99, 99], text: B}]
      """
    }
    var guest = try Guest(file("two"))
    guest.engine.go(to: "two")
    guest.touch(.down, Point(200, 200), at: 1)
    try guest.reload(file("other"))
    guest.advance(to: 5)
    guest.touch(.up, Point(200, 200), at: 6)
    #expect(guest.events("pressed") == [] && guest.page == "home")
  }

  @Test func `editing a style ends only the presses of controls that use it`() throws {
    func file(_ color: String) -> String {
      """
      kiosk: k
      screen: {size: [400, 400]}
      styles: {loud: {color: "\(color)"}}
      pages:
        - page: a
          controls:
            - {button: plain, at: [80, 80], size: [90, 60], text: A}
            - {button: styled, at: [80, 200], size: [90, 60], text: B, style: loud}
      """
    }
    var guest = try Guest(file("#aa0000"))
    guest.touch(.down, Point(80, 80), at: 1, finger: 0)
    guest.touch(.down, Point(80, 200), at: 1, finger: 1)
    guest.advance(to: 1.5)
    _ = guest.events()
    try guest.reload(file("#0000aa"))
    #expect(guest.events("cancelled") == ["styled.cancelled(label B) by time"])
  }

  @Test func `rows that were set at run time get the styles of the next version`() throws {
    func file(_ color: String) -> String {
      page(
        "- {list: l, at: [200, 200], size: [300, 300], row_height: 60, items: [{id: a, label: A}]}",
        "styles: {loud: {color: \"\(color)\"}}")
    }
    var guest = try Guest(file("#aa0000"))
    try guest.set(
      "l.items",
      .list([
        .record([
          Field("id", .text("x")), Field("label", .text("X")), Field("style", .text("loud")),
        ])
      ]))
    try guest.reload(file("#0000aa"))
    let reloaded = guest.engine.displayList
    guest = try Guest(file("#0000aa"))
    try guest.set(
      "l.items",
      .list([
        .record([
          Field("id", .text("x")), Field("label", .text("X")), Field("style", .text("loud")),
        ])
      ]))
    #expect(reloaded == guest.engine.displayList)
  }

  @Test func `mirroring keeps the focused part`() throws {
    var guest = try Guest(
      """
      kiosk: k
      screen: {size: [400, 300], mirror: auto}
      languages: [en, ar]
      pages:
        - page: a
          controls:
            - list: l
              at: [200, 150]
              size: [300, 200]
              row_height: 60
              items: [{id: one, label: One}, {id: two, label: Two}]
      """)
    for key in [Keystroke.right, .enter, .down] { try guest.engine.apply(.key(key)) }
    try guest.set("language", .text("ar"))
    _ = guest.events()
    try guest.engine.apply(.key(.enter))
    #expect(guest.events("selected").count == 1)
  }

  // MARK: Values and settings

  @Test func `a dial takes its bound value as soon as the file permits it`() throws {
    func file(_ maximum: Int) -> String {
      page(
        "- {dial: d, at: [200, 200], radius: 99, min: 0, max: \(maximum), value: \"{cups}\"}",
        "values: {cups: 1}")
    }
    var guest = try Guest(file(5))
    try guest.set("cups", .number(8))
    guest.advance(to: 3)
    #expect(guest["d.value"] == .number(5))
    try guest.reload(file(10))
    guest.advance(to: 6)
    #expect(guest["d.value"] == .number(8) && guest["cups"] == .number(8))
  }

  @Test func `a disabled timer stops`() throws {
    func file(_ enabled: String) -> String {
      page("- {timer: t, every: 1\(enabled)}")
    }
    var guest = try Guest(file(""))
    guest.advance(to: 2.5)
    _ = guest.events()
    try guest.reload(file(", enabled: false"))
    guest.advance(to: 5)
    #expect(guest.events("due") == [])
  }

  @Test func `a setting of a removed item does not come back with it`() throws {
    func file(_ wedges: String) -> String {
      page("- {pinwheel: w, at: [200, 200], radius: 140, wedges: [{id: tea, label: Tea}\(wedges)]}")
    }
    let coffee = ", {id: coffee, label: Coffee}"
    var guest = try Guest(file(coffee))
    let first = guest["w.coffee.color"]
    try guest.set("w.coffee.color", .text("#ff0000"))
    try guest.reload(file(""))
    try guest.reload(file(coffee))
    #expect(guest["w.coffee.color"] == first)
  }

  @Test func `one impossible setting does not take others with it, and is reported`() throws {
    func file(_ radius: Int) -> String {
      page(
        "- {pinwheel: w, at: [200, 200], radius: \(radius), wedges: [{id: tea, label: A}, {id: b, label: B}]}"
      )
    }
    var guest = try Guest(file(140))
    try guest.set("w.hole", .number(100))
    try guest.set("w.tea.color", .text("#ff0000"))
    _ = guest.events()
    try guest.reload(file(60))
    #expect(guest.failures().count == 1)
    #expect(guest["w.tea.color"] == .text("#ff0000"))
  }

  // MARK: Time

  @Test func `a reaction that waits for the end of a motion is not lost`() throws {
    let file = page(
      "- {dial: d, at: [150, 150], radius: 80, labels: [A, B]}",
      "reactions: [{when: d.angle > 95 && d.angle < 265, do: [{emit: far}]}]")
    func events(reloadingAt seconds: Double?) throws -> [String] {
      var guest = try Guest(file)
      guest.advance(to: 1)
      try guest.set("d.value", .number(1))
      if let seconds {
        guest.advance(to: 1 + seconds)
        try guest.reload(file)
      }
      guest.advance(to: 5)
      return guest.events("far")
    }
    let undisturbed = try events(reloadingAt: nil)
    for seconds in [0.05, 0.1, 0.15, 0.2, 0.25, 0.3] {
      #expect(try events(reloadingAt: seconds) == undisturbed, "\(seconds) s")
    }
  }

  @Test func `a page that is no longer the first goes home`() throws {
    func file(_ pages: [String]) -> String {
      let pages = pages.map {
        "  - page: \($0)\n    controls: [{label: l\($0), at: [80, 80], text: A}]\n"
      }
      return "kiosk: k\nscreen: {size: [400, 300], home_after: 1}\npages:\n\(pages.joined())"
    }
    var guest = try Guest(file(["a"]))
    guest.advance(to: 5)
    try guest.reload(file(["start", "a"]))
    #expect(guest.page == "a")
    guest.advance(to: 7)
    #expect(guest.page == "start")
  }

  @Test func `controls are mirrored together if an end sets the language`() throws {
    func file(_ color: String) -> String {
      """
      kiosk: k
      screen: {size: [400, 300], mirror: auto}
      languages: [en, ar]
      pages:
        - page: a
          controls:
            - button: left
              at: [80, 80]
              size: [90, 60]
              text: A
              color: "\(color)"
              "on": {cancelled: [{set: {language: ar}}]}
            - {button: other, at: [80, 220], size: [90, 60], text: B}
      """
    }
    var guest = try Guest(file("#aa0000"))
    guest.touch(.down, Point(80, 80), at: 1)
    guest.advance(to: 2)
    try guest.reload(file("#0000aa"))
    #expect(guest["language"] == .text("ar"))
    for control in ["left", "other"] {
      #expect(try #require(Target(control)).point(in: guest.engine).x == 320)
    }
    try guest.set("language", .text("en"))
    for control in ["left", "other"] {
      #expect(try #require(Target(control)).point(in: guest.engine).x == 80)
    }
  }

  @Test func `a page whose end sets the language is left once`() throws {
    func file(_ action: String) -> String {
      """
      kiosk: k
      screen: {size: [400, 300], mirror: auto}
      languages: [en, ar]
      values: {ends: 0}
      pages:
        - page: a
          controls: [{label: l, at: [80, 80], text: A}]
          "on":
            hidden: [{set: {ends: "{ends + 1}"}}, {set: {language: ar}}]
            shown: [{emit: \(action)}]
      """
    }
    var guest = try Guest(file("one"))
    try guest.reload(file("two"))
    #expect(guest["ends"] == .number(1) && guest["language"] == .text("ar"))
  }

  @Test func `a panel that an end puts to sleep sleeps once`() throws {
    func file(_ color: String, _ woken: String) -> String {
      page(
        """
        - button: b
          at: [80, 80]
          size: [90, 60]
          text: A
          color: "\(color)"
          on: {cancelled: [{blank: true}]}
        """,
        "values: {sleeps: 0}\n\"on\": {slept: [{set: {sleeps: \"{sleeps + 1}\"}}], woken: [{emit: \(woken)}]}"
      )
    }
    var guest = try Guest(file("#aa0000", "one"))
    guest.touch(.down, Point(80, 80), at: 1)
    guest.advance(to: 2)
    try guest.reload(file("#0000aa", "two"))
    #expect(guest["sleeps"] == .number(1) && guest.engine.isBlank)
  }

  @Test func `a value that becomes daily after midnight keeps its value until the next`() throws {
    func file(_ keep: String) -> String {
      page("- {label: l, at: [1, 1], text: A}", "values: {visits: {value: 0, keep: \(keep)}}")
    }
    // The clock starts at midnight.
    var guest = try Guest(file("true"))
    try guest.set("visits", .number(5))
    guest.advance(to: 86_400 + 60)
    try guest.reload(file("day"))
    guest.advance(to: 86_400 + 120)
    #expect(guest["visits"] == .number(5))
    guest.advance(to: 2 * 86_400 + 1)
    #expect(guest["visits"] == .number(0))
  }

  @Test func `another process starts its time limits at zero`() throws {
    let file = """
      kiosk: k
      screen: {size: [400, 300], blank_after: 4}
      values: {far: {value: 0, stale: 3}}
      pages: [{page: a, controls: [{label: l, at: [80, 80], text: A}]}]
      """
    var guest = try Guest(file)
    try guest.set("far", .number(7))
    guest.engine = Engine(
      guest.engine.description, seed: 1, clock: Engine.defaultClock,
      continuing: guest.engine.handoverState)
    guest.advance(to: 2.5)
    #expect(guest["far"] == .number(7) && !guest.engine.isBlank)
    #expect(guest.failures() == [])
    guest.advance(to: 4.5)
    #expect(guest["far"] == nil && guest.engine.isBlank)
  }

  @Test func `another process shows no peak of the file's value`() throws {
    let file = """
      kiosk: k
      screen: {size: [400, 300]}
      pages: [{page: a, controls: [{bar: b, at: [200, 150], size: [300, 40], value: 90, peak: 20}]}]
      """
    var guest = try Guest(file)
    try guest.set("b.value", .number(10))
    guest.advance(to: 60)
    let next = Engine(
      guest.engine.description, seed: 1, clock: Engine.defaultClock,
      continuing: guest.engine.handoverState)
    #expect(next.displayList == guest.engine.displayList)
  }

  @Test(arguments: ["M", "Menu"])
  func `a closed menu that opens itself stays closed after a reload`(label: String) throws {
    func file(_ label: String) -> String {
      """
      kiosk: k
      screen: {size: [400, 300]}
      pages:
      - page: a
        controls: [{menu: m, at: [200, 150], label: \(label), opened: true, items: [{id: x}, {id: y}]}]
      - {page: b, controls: []}
      """
    }
    var guest = try Guest(file("M"))
    #expect(guest["m.open"] == .flag(true))
    try guest.set("m.open", .flag(false))
    guest.advance(to: 1)
    try guest.reload(file(label))
    #expect(guest["m.open"] == .flag(false))
    guest.engine.go(to: "b")
    guest.engine.go(to: "a")
    #expect(guest["m.open"] == .flag(true))
  }
}
