// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing
@testable import KioskFile

private let kiosk = """
  kiosk: k
  screen: {size: [400, 300], home_after: 30}
  on: {home: [{emit: home}]}
  pages:
    - page: start
      controls: [{button: a, at: [100, 100], size: [80, 80], on: {selected: [{go: "{'a'}"}]}}]
    - page: a
      controls:
        - {button: on, at: [100, 100], size: [80, 80], on: {selected: [{go: b}]}}
        - {button: off, at: [300, 100], size: [80, 80], on: {selected: [{go: back}]}}
    - page: b
      controls:
        - {button: up, at: [100, 100], size: [80, 80], on: {selected: [{go: back}]}}
        - {button: out, at: [300, 100], size: [80, 80], on: {selected: [{go: home}]}}
  """

@Suite struct NavigationTests {
  @Test func `back retraces the visited pages, and no farther`() throws {
    var guest = try Guest(kiosk)
    try guest.tap("a", at: 1)
    try guest.tap("on", at: 2)
    #expect(guest.page == "b")
    try guest.tap("up", at: 3)
    #expect(guest.page == "a")
    try guest.tap("off", at: 4)
    #expect(guest.page == "start")
    _ = guest.events()
    guest.engine.go(to: "back")
    #expect(guest.page == "start" && guest.events() == [])
  }

  @Test func `home shows the first page, reports it and clears the history`() throws {
    var guest = try Guest(kiosk)
    try guest.tap("a", at: 1)
    try guest.tap("on", at: 2)
    _ = guest.events()
    try guest.tap("out", at: 3)
    #expect(guest.page == "start")
    #expect(
      guest.events("page") + guest.events("emit") == ["page(page start) by action"])
    guest.engine.go(to: "back")
    #expect(guest.page == "start")
    guest.advance(to: 100)
    #expect(guest.events() == [])
  }

  @Test func `going home by idle time clears the history`() throws {
    var guest = try Guest(kiosk)
    try guest.tap("a", at: 1)
    guest.advance(to: 60)
    #expect(guest.page == "start")
    #expect(guest.events("emit") == ["emit(name home) by action"])
    guest.engine.go(to: "back")
    #expect(guest.page == "start")
  }

  @Test func `every return reports home, and reset all clears the history`() throws {
    var guest = try Guest(kiosk)
    guest.engine.go(to: "b")
    guest.engine.go(to: "home")
    #expect(guest.events("emit") == ["emit(name home) by action"])
    guest.engine.go(to: "b")
    try guest.engine.apply(.reset(nil))
    guest.engine.go(to: "back")
    #expect(guest.page == "start")
  }

  @Test func `the history survives a reload, without removed pages`() throws {
    var guest = try Guest(kiosk)
    for page in ["a", "b", "a", "b"] { guest.engine.go(to: page) }
    let next = kiosk.replacing("page: a", with: "page: c").replacing("go: on", with: "go: c")
      .replacing("\"{'a'}\"", with: "c")
    guest.engine.replace(with: try Guest.description(next), seed: 1)
    #expect(guest.page == "b")
    guest.engine.go(to: "back")
    #expect(guest.page == "start")
    guest.engine.go(to: "back")
    #expect(guest.page == "start")
  }

  @Test func `a page takes precedence over a word with the same name`() throws {
    let own = """
      kiosk: k
      pages:
        - {page: a, controls: []}
        - {page: back, controls: []}
        - {page: home, controls: []}
      """.replacing("controls: []", with: "controls: [{timer: t$, every: 9}]")
    var text = ""
    for (index, part) in own.split(separator: "$", omittingEmptySubsequences: false).enumerated() {
      text += (index > 0 ? "\(index)" : "") + part
    }
    var guest = try Guest(text)
    guest.engine.go(to: "home")
    #expect(guest.page == "home")
    guest.engine.go(to: "back")
    #expect(guest.page == "back")
  }

  @Test func `an unknown page is reported with the word that may be meant`() {
    let found = diagnostics(kiosk.replacing("{go: b}", with: "{go: bakc}"))
    #expect(found.count == 1 && found[0].contains("did you mean \"back\"?"))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `random navigation behaves like a stack`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var guest = try Guest(kiosk)
    var (stack, page) = ([String](), "start")
    for _ in 0..<300 {
      let next = ["start", "a", "b", "back", "back", "home"][Int.random(in: 0..<6, using: &random)]
      guest.engine.go(to: next)
      switch next {
      case "back": page = stack.popLast() ?? page
      case "home": (stack, page) = ([], "start")
      default:
        if next != page { stack.append(page) }
        page = next
      }
      #expect(guest.page == page)
    }
  }
}
