// SPDX-License-Identifier: MIT

import RoundelControls
import Testing

@testable import RoundelInput

/// Codes in linux/input-event-codes.h.
private enum Code {
  static let (escape, backspace, tab, enter, control, c, shift) = (1, 14, 15, 28, 29, 46, 42)
  static let (alternate, otherAlternate, f1, f10, f12) = (56, 100, 59, 68, 88)
  static let (right, q, power, otherShift) = (106, 16, 116, 54)
}

@Suite struct KeyTrackerTests {
  private func strokes(_ codes: Int...) -> [KeyInput?] {
    var keys = KeyTracker()
    return codes.map { keys.handle(device: 1, code: $0, isDown: true) }
  }

  @Test func `arrows, Enter, Tab and Escape are kiosk keys, letters aren't`() {
    #expect(
      strokes(105, Code.right, 103, 108) == [
        .keystroke(.left), .keystroke(.right), .keystroke(.up), .keystroke(.down),
      ])
    #expect(
      strokes(Code.enter, Code.tab, Code.escape, Code.backspace, 57) == [
        .keystroke(.enter), .keystroke(.next), .keystroke(.back), .keystroke(.back),
        .keystroke(.enter),
      ])
    #expect(strokes(Code.q, Code.c, Code.power, -1, 70_000) == [nil, nil, nil, nil, nil])
  }

  @Test func `a key takes effect when it goes down`() {
    var keys = KeyTracker()
    #expect(keys.handle(device: 1, code: Code.enter, isDown: true) == .keystroke(.enter))
    #expect(keys.handle(device: 1, code: Code.enter, isDown: false) == nil)
  }

  @Test func `Tab goes back while a Shift is held`() {
    var keys = KeyTracker()
    _ = keys.handle(device: 1, code: Code.shift, isDown: true)
    _ = keys.handle(device: 1, code: Code.otherShift, isDown: true)
    #expect(keys.handle(device: 1, code: Code.tab, isDown: true) == .keystroke(.previous))
    _ = keys.handle(device: 1, code: Code.shift, isDown: false)
    #expect(keys.handle(device: 1, code: Code.tab, isDown: true) == .keystroke(.previous))
    _ = keys.handle(device: 1, code: Code.otherShift, isDown: false)
    #expect(keys.handle(device: 1, code: Code.tab, isDown: true) == .keystroke(.next))
  }

  @Test func `with Control only C has an effect, the interrupt`() {
    var keys = KeyTracker()
    _ = keys.handle(device: 1, code: Code.control, isDown: true)
    #expect(keys.handle(device: 1, code: Code.enter, isDown: true) == nil)
    #expect(keys.handle(device: 2, code: Code.c, isDown: true) == .interrupt)
  }

  @Test func `with Control and Alt the function keys select virtual terminals`() {
    var keys = KeyTracker()
    _ = keys.handle(device: 1, code: Code.control, isDown: true)
    #expect(keys.handle(device: 1, code: Code.f1, isDown: true) == nil)
    _ = keys.handle(device: 1, code: Code.otherAlternate, isDown: true)
    #expect(keys.handle(device: 1, code: Code.f1, isDown: true) == .terminal(1))
    #expect(keys.handle(device: 1, code: Code.f10, isDown: true) == .terminal(10))
    #expect(keys.handle(device: 1, code: Code.f12, isDown: true) == .terminal(12))
    #expect(keys.handle(device: 1, code: Code.enter, isDown: true) == nil)
    _ = keys.handle(device: 1, code: Code.control, isDown: false)
    #expect(keys.handle(device: 1, code: Code.f1, isDown: true) == nil)
  }

  @Test func `Alt alone has no effect`() {
    #expect(strokes(Code.alternate, Code.enter) == [nil, .keystroke(.enter)])
  }

  @Test func `unplugging a keyboard releases its keys`() {
    var keys = KeyTracker()
    _ = keys.handle(device: 1, code: Code.control, isDown: true)
    keys.remove(device: 1)
    #expect(keys.handle(device: 2, code: Code.enter, isDown: true) == .keystroke(.enter))
  }

  @Test func `only the keys that a console uses identify a keyboard`() {
    #expect([30, 106].allSatisfy(KeyTracker.ownCodes.contains))
    #expect(Set(KeyTracker.ownCodes).isDisjoint(with: [Code.power, 142, 0x110, 0x14a]))
  }
}
