// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import KioskFile
import RoundelMotion
import Testing

@testable import Kiosk

@Suite struct ReactionTests {
  private static func file(
    _ reactions: String, _ page: String = "[{when: page == 'c', do: [{go: a}]}]",
    values: String = "n: 0"
  )
    -> String
  {
    """
    kiosk: k
    values: {\(values)}
    reactions: \(reactions)
    pages:
      - page: a
        controls: [{dial: d, at: [200, 200], radius: 90, labels: 9}]
      - page: b
        reactions: \(page)
        controls: [{label: l, at: [100, 100], text: x}]
    """
  }

  @Test
  func `a reaction runs when its condition becomes true, and not while it stays true`() throws {
    var guest = try Guest(Self.file("[{when: n > 2, do: [{emit: {name: much, n: '{n}'}}]}]"))
    #expect(guest.events("emit") == [])
    for n in [1, 3, 4, 2, 5.0] { try guest.set("n", .number(n)) }
    #expect(
      guest.events("emit") == [
        "emit(name much, n 3) by action", "emit(name much, n 5) by action",
      ])
    #expect(guest.engine.cause(ofLastChangeOf: [.value("n")]) == .command)
  }

  @Test func `a reaction sees all values of one set together`() throws {
    var guest = try Guest(
      """
      kiosk: k
      values: {x: 1, y: 1, same: "{x == y}"}
      reactions: [{when: x != y || !same, do: [{emit: apart}]}]
      pages:
        - page: a
          controls:
            - {button: b, at: [100, 100], size: [90, 90], text: B, on: {pressed: [{set: {x: 2}}, {set: {y: 2}}]}}
      """)
    try guest.tap("b", at: 1)
    #expect(guest["x"] == .number(2))
    #expect(guest.events("emit") == [])
  }

  @Test func `the kiosk's reactions run before the page's, in the file's order`() throws {
    var guest = try Guest(
      Self.file(
        "[{when: n > 0, do: [{emit: one}, {emit: two, when: n > 5}]}, {when: n > 1, do: [{emit: three}]}]",
        "[{when: n > 0, do: [{emit: four}]}]"))
    guest.engine.go(to: "b")
    _ = guest.events()
    try guest.set("n", .number(3))
    #expect(
      guest.events("emit") == ["one", "three", "four"].map { "emit(name \($0)) by action" })
  }

  @Test
  func `a condition counts as new after a start, a reset or a page change, not a reload`() throws {
    let file = Self.file(
      "[{when: n == 0, do: [{emit: zero}]}]", "[{when: n == 0, do: [{emit: here}]}]")
    var guest = try Guest(file)
    let (zero, here) = ("emit(name zero) by action", "emit(name here) by action")
    #expect(guest.events("emit") == [zero])
    guest.engine.go(to: "b")
    #expect(guest.events("emit") == [here])
    guest.engine.go(to: "b")
    try guest.set("n", .number(1))
    guest.engine.replace(with: try Guest.description(file), seed: 1)
    #expect(guest.events("emit") == [])
    try guest.set("n", .number(0))
    #expect(guest.events("emit") == [zero, here])
    guest.engine.replace(with: try Guest.description(file), seed: 1)
    #expect(guest.events("emit") == [])
    try guest.engine.apply(.reset(nil))
    #expect(guest.events("emit") == [zero])
    guest.engine.go(to: "b")
    #expect(guest.events("emit") == [here])
    guest.engine.restart(try Guest.description(file), seed: 1)
    #expect(guest.events("emit") == [zero])
    let other = Engine(
      try Guest.description(file), seed: 1, clock: Engine.defaultClock,
      continuing: guest.engine.handoverState)
    #expect(!other.hasNews)
  }

  @Test func `reactions trigger each other in rounds, and endless rounds fail once`() throws {
    var guest = try Guest(
      Self.file(
        """
        [{when: n >= 1, do: [{set: {m: "{n}"}}]}, {when: m >= 1, do: [{set: {k: "{m * 2}"}}]},
         {when: k == 2, do: [{go: b}]}, {when: turn == 1, do: [{set: {turn: 2, turns: "{turns + 1}"}}]},
         {when: turn == 2, do: [{set: {turn: 1}}]}]
        """, values: "n: 0, m: 0, k: 0, turn: 0, turns: 0"))
    try guest.set("n", .number(1))
    #expect(guest.page == "b")
    #expect(guest.failures() == [])
    try guest.set("turn", .number(1))
    let failures = guest.failures()
    #expect(failures.count == 1)
    #expect(
      failures.first
        == "reactions have triggered each other 100 times; \"when turn == 1\" and the following reactions were dropped"
    )
    #expect(guest["turns"] == .number(50))
    // The kiosk still works.
    try guest.set("turn", .number(0))
    try guest.set("n", .number(0))
    try guest.set("n", .number(7))
    #expect(guest["m"] == .number(7))
    #expect(guest.failures() == [])
  }

  @Test func `an undefined condition is false, and fails once`() throws {
    var guest = try Guest(
      Self.file(
        "[{when: 10 / n > 2, do: [{emit: some}]}, {when: '!(10 / n > 2)', do: [{emit: few}]}]"))
    let start = guest.events()
    #expect(start.filter { $0.hasPrefix("failed") }.count == 2)
    #expect(start.filter { $0.hasPrefix("emit") } == [])
    try guest.set("n", .number(1))
    #expect(guest.events("emit") == ["emit(name some) by action"])
  }

  @Test func `a reaction reads controls and clocks, and wakes the kiosk even in the dark`() throws {
    var guest = try Guest(
      Self.file(
        "[{when: now.getHours() == 7, do: [{wake: true}]}, {when: d.value == 4, do: [{emit: four}]}]",
        "[{when: uptime >= 3, do: [{emit: late}]}]"))
    guest.engine.setClock(try #require(CivilTime("2026-11-21T06:59:30")))
    #expect(guest.engine.nextChange == Instant(seconds: 30))
    try guest.set("d.value", .number(4))
    guest.advance(to: 2)
    #expect(guest.events("emit") == ["emit(name four) by action"])
    guest.engine.setBlank(true)
    #expect(guest.engine.nextChange == Instant(seconds: 30))
    guest.advance(to: 29)
    #expect(guest.engine.isBlank)
    guest.advance(to: 31)
    #expect(!guest.engine.isBlank)
    #expect(guest.events("emit") == [])
    guest.engine.go(to: "b")
    #expect(guest.events("emit") == ["emit(name late) by action"])
  }

  @Test func `a clock reaction runs at the exact time at any frame rate`() throws {
    for frame in [0.013, 0.7, 100] {
      var guest = try Guest(
        Self.file("[{when: now.getSeconds() % 10 == 5, do: [{emit: five}]}]"))
      _ = guest.events()
      while guest.engine.now.seconds < 31 { guest.advance(to: guest.engine.now.seconds + frame) }
      let times = guest.engine.takeEvents().map(\.time.seconds)
      #expect(times.prefix(3) == [5, 15, 25], "\(frame)")
    }
  }

  @Test func `a thousand reactions on a hundred values are cheap`() throws {
    let values = (0..<100).map { "v\($0): 0" }.joined(separator: ", ")
    let reactions = (0..<1000).map {
      "{when: v\($0 % 100) == \($0 / 100 + 1), do: [{set: {v99: \"{v99 + 1}\"}}]}"
    }
    var guest = try Guest(
      Self.file("[\(reactions.joined(separator: ", "))]", values: values))
    let judged = guest.engine.dataflow.holding.count
    #expect(judged == 0)
    try guest.set("v7", .number(3))
    #expect(guest["v99"] == .number(11) && guest.engine.dataflow.holding.count == 1)
    let clock = ContinuousClock()
    let times = (0..<200).map { step in
      clock.measure { try? guest.set("v\(step % 90)", .number(Double(step % 13))) }
    }
    // An optimised build takes a tenth of this.
    #expect(times.sorted()[100] < .milliseconds(2), "\(times.sorted()[100])")
  }

  // MARK: Files

  private func diagnostics(_ reactions: String) -> [String] {
    ParsedKiosk(Array(Self.file(reactions).utf8), path: "k.yaml", assets: StubAssets()).diagnostics
      .map(\.description)
  }

  @Test func `reactions are repeated like items of other lists`() throws {
    var guest = try Guest(
      Self.file(
        "[{for: [{id: 2}, {id: 5}], when: n == $id, do: [{emit: at$id}]}]", values: "n: 0, m: 0"))
    try guest.set("n", .number(5))
    #expect(guest.events("emit") == ["emit(name at5) by action"])
  }

  @Test(arguments: [
    ("[{when: n > , do: [{go: b}]}]", "expected"),
    ("[{when: cups > 1, do: [{go: b}]}]", "unknown name \"cups\""),
    ("[{when: n, do: [{go: b}]}]", "\"when\" is a number (expected a condition, true or false)"),
    ("[{when: n > 1, do: [{go: c}]}]", "there is no page \"c\""),
    ("[{when: n > 1}]", "\"do\""), ("[{do: [{go: b}]}]", "\"when\""), ("7", "reactions"),
    ("[{when: n > 1, do: [{emit: '{event.index}'}]}]", "only available in the actions of an event"),
    ("[{when: '{n > 1}', do: [{go: b}]}]", "a brace inside an expression"),
    ("[{when: n > 1, do: []}]", "empty"),
  ])
  func `an invalid reaction is an error at its location`(_ reactions: String, _ words: String) {
    let found = diagnostics(reactions)
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
    #expect(found.first?.hasPrefix("k.yaml:3:") == true)
  }
}
