// SPDX-License-Identifier: MIT

import Controls
import Testing

@testable import InputDevices

/// Codes of linux/input-event-codes.h.
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

  @Test func `arrows, Enter, Tab and Escape are keys of a kiosk, letters are not`() {
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

  @Test func `a key counts when it goes down`() {
    var keys = KeyTracker()
    #expect(keys.handle(device: 1, code: Code.enter, isDown: true) == .keystroke(.enter))
    #expect(keys.handle(device: 1, code: Code.enter, isDown: false) == nil)
  }

  @Test func `Shift and Tab go back while a Shift is held`() {
    var keys = KeyTracker()
    _ = keys.handle(device: 1, code: Code.shift, isDown: true)
    _ = keys.handle(device: 1, code: Code.otherShift, isDown: true)
    #expect(keys.handle(device: 1, code: Code.tab, isDown: true) == .keystroke(.previous))
    _ = keys.handle(device: 1, code: Code.shift, isDown: false)
    #expect(keys.handle(device: 1, code: Code.tab, isDown: true) == .keystroke(.previous))
    _ = keys.handle(device: 1, code: Code.otherShift, isDown: false)
    #expect(keys.handle(device: 1, code: Code.tab, isDown: true) == .keystroke(.next))
  }

  @Test func `with Control keys do nothing but to interrupt by C`() {
    var keys = KeyTracker()
    _ = keys.handle(device: 1, code: Code.control, isDown: true)
    #expect(keys.handle(device: 1, code: Code.enter, isDown: true) == nil)
    #expect(keys.handle(device: 2, code: Code.c, isDown: true) == .interrupt)
  }

  @Test func `with Control and Alt the function keys name virtual terminals`() {
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

  @Test func `Alt alone changes nothing`() {
    #expect(strokes(Code.alternate, Code.enter) == [nil, .keystroke(.enter)])
  }

  @Test func `a keyboard that is unplugged holds nothing`() {
    var keys = KeyTracker()
    _ = keys.handle(device: 1, code: Code.control, isDown: true)
    keys.remove(device: 1)
    #expect(keys.handle(device: 2, code: Code.enter, isDown: true) == .keystroke(.enter))
  }
}

@Suite struct EncoderTests {
  /// EV_KEY and EV_REL, of linux/input-event-codes.h.
  private static let (key, relative): (UInt16, UInt16) = (1, 2)

  @Test func `what turns and does not move in a plane is an encoder`() {
    // REL_X, REL_Y, REL_DIAL, REL_WHEEL and its finer twin.
    for axes: [CInt] in [[0], [7], [8, 11]] {
      #expect(EventDevice.isEncoder(axes.contains))
    }
    for axes: [CInt] in [[0, 1], [0, 1, 8], [], [2]] {
      #expect(!EventDevice.isEncoder(axes.contains))
    }
  }

  @Test func `keys that a console would take are a keyboard's, those of a power button are not`() {
    #expect([30, 106].allSatisfy(KeyTracker.ownCodes.contains))
    #expect(Set(KeyTracker.ownCodes).isDisjoint(with: [Code.power, 142, 0x110, 0x14a]))
  }

  @Test func `each detent is a key, clockwise to the right, and the button is Enter`() {
    var reports = EncoderReports()
    func inputs(_ type: UInt16, _ code: UInt16, _ value: Int32) -> [KeyInput] {
      reports.handle(type: type, code: code, value: value)
    }
    #expect(inputs(Self.relative, 7, 1) == [.keystroke(.right)])
    #expect(inputs(Self.relative, 0, -2) == [.keystroke(.left), .keystroke(.left)])
    #expect(inputs(Self.relative, 11, 120).isEmpty)
    #expect(inputs(Self.key, UInt16(Code.enter), 1) == [.keystroke(.enter)])
    // Held, it repeats.
    #expect(inputs(Self.key, UInt16(Code.enter), 2).isEmpty)
    #expect(inputs(Self.key, UInt16(Code.enter), 0).isEmpty)
    #expect(inputs(0, 0, 0).isEmpty)
  }

  @Test(arguments: [Int32.min, -33, 33, .max])
  func `a device that turns madly is not followed`(_ value: Int32) {
    var reports = EncoderReports()
    let inputs = reports.handle(type: Self.relative, code: 7, value: value)
    #expect(inputs == Array(repeating: .keystroke(value > 0 ? .right : .left), count: 32))
  }
}
