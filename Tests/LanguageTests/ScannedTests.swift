// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk
import RoundelMotion
import Testing

/// Lines of scanners, whose keys never arrive as keys.
@Suite struct ScannedTests {
  private static let file = """
    kiosk: k
    screen: {size: [400, 400], home_after: 30, scanner: [{device: "Reader *", prefix: "#", end: tab}, {device: X}]}
    values: {code: ""}
    "on": {scanned: [{set: {code: "{event.text}"}}, {go: b, when: "event.text == 'b'"}]}
    pages:
      - page: a
        controls:
          - {button: danger, at: [200, 100], size: [100, 100]}
          - {keypad: pad, at: [200, 280], size: [200, 200], layout: digits}
      - page: b
        controls: [{label: l, at: [100, 100], text: x}]
    """

  @Test func `a line is one event of the kiosk, and presses and types nothing`() throws {
    var guest = try Guest(Self.file)
    try guest.engine.apply(.key(.right))
    try guest.engine.apply(.scan("4006381333931"))
    #expect(guest.events() == ["scanned(text 4006381333931) by finger"])
    #expect(guest["code"] == .text("4006381333931") && guest["pad.value"] == .text(""))
    try guest.engine.apply(.scan("b"))
    #expect(guest.page == "b")
  }

  @Test func `a scan wakes the panel, restarts the idle time, and is still reported`() throws {
    var guest = try Guest(Self.file)
    guest.advance(to: 20)
    guest.engine.setBlank(true)
    try guest.engine.apply(.scan("7"))
    #expect(guest.events("scanned") == ["scanned(text 7) by finger"])
    #expect(!guest.engine.isBlank)
    try guest.engine.apply(.go(page: "b"))
    guest.advance(to: 49)
    #expect(guest.page == "b")
    guest.advance(to: 51)
    #expect(guest.page == "a")
  }

  @Test func `control characters are dropped, and an overlong line is refused`() throws {
    var guest = try Guest(Self.file)
    try guest.engine.apply(.scan("\u{1d}01\u{0}2\n\t\u{85}é"))
    #expect(guest["code"] == .text("012é"))
    let longest = String(repeating: "x", count: Scanner.maximumLength)
    try guest.engine.apply(.scan(longest))
    #expect(guest["code"] == .text(longest))
    #expect(throws: CommandError.self) { try guest.engine.apply(.scan(longest + "x")) }
  }

  @Test func `the file declares scanners by the names of devices`() throws {
    let screen = try Guest.description(Self.file).screen
    #expect(
      screen.scanners == [
        Scanner(device: "Reader *", prefix: "#", end: .tab), Scanner(device: "X"),
      ])
  }
}
