// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelInput
import Testing

@testable import InputDevices

@Suite struct EncoderTests {
  /// EV_KEY and EV_REL in linux/input-event-codes.h.
  private static let (key, relative): (UInt16, UInt16) = (1, 2)
  /// KEY_ENTER.
  private static let enter: UInt16 = 28

  @Test func `a device that turns and doesn't move in a plane is an encoder`() {
    // REL_X, REL_Y, REL_DIAL, REL_WHEEL and its high-resolution variant.
    func isEncoder(_ axes: [CInt], of type: CInt = 2, keys: [CInt] = []) -> Bool {
      EventDevice.isEncoder {
        $0 == type ? axes.contains($1) : $0 == 1 && keys.contains($1)
      }
    }
    for axes: [CInt] in [[0], [7], [8, 11]] { #expect(isEncoder(axes)) }
    for axes: [CInt] in [[0, 1], [0, 1, 8], [], [2]] { #expect(!isEncoder(axes)) }
    // ABS_X alone, which is the driver's default, and ABS_WHEEL.
    for axes: [CInt] in [[0], [8]] { #expect(isEncoder(axes, of: 3, keys: [28])) }
    // A plane, a touchscreen's slots, a volume, a pen and a game's steering wheel.
    for axes: [CInt] in [[0, 1], [0x2f, 0x35, 0x36], [0x20], []] {
      #expect(!isEncoder(axes, of: 3))
    }
    for key: CInt in [0x140, 0x14a, 0x120, 0x130] { #expect(!isEncoder([0], of: 3, keys: [key])) }
  }

  @Test func `each detent is a key, clockwise is right, and the button is Enter`() {
    var reports = EncoderReports()
    func inputs(_ type: UInt16, _ code: UInt16, _ value: Int32) -> [KeyInput] {
      reports.handle(type: type, code: code, value: value)
    }
    #expect(inputs(Self.relative, 7, 1) == [.keystroke(.right)])
    #expect(inputs(Self.relative, 0, -2) == [.keystroke(.left), .keystroke(.left)])
    #expect(inputs(Self.relative, 11, 120).isEmpty)
    #expect(inputs(Self.key, Self.enter, 1) == [.key(.keystroke(.enter), .down)])
    // A held key repeats.
    #expect(inputs(Self.key, Self.enter, 2).isEmpty)
    #expect(inputs(Self.key, Self.enter, 0) == [.key(.keystroke(.enter), .up)])
    #expect(inputs(0, 0, 0).isEmpty)
  }

  @Test func `an encoder that is no longer used cancels its button`() {
    var reports = EncoderReports()
    _ = reports.handle(type: Self.key, code: Self.enter, value: 1)
    #expect(reports.end() == [.key(.keystroke(.enter), .cancel)])
    #expect(reports.end().isEmpty)
    #expect(reports.handle(type: Self.key, code: Self.enter, value: 0).isEmpty)
  }

  /// Turns an encoder whose driver counts from 0 to `steps` and wraps there or one later.
  @Test(arguments: [24, 2, 3, 20], [0, 1])
  func `an absolute axis wraps at its end`(_ steps: Int, _ last: Int) {
    let period = steps + last
    guard period > 2 else { return }
    var reports = EncoderReports(
      scale: EncoderReports.Scale(axis: 0, minimum: 0, maximum: steps, value: 0))
    var position = 0
    for step in Array(repeating: 1, count: 60) + Array(repeating: -1, count: 90) {
      position = (position + step + period) % period
      let inputs = reports.handle(type: 3, code: 0, value: Int32(position))
      #expect(inputs == [.keystroke(step > 0 ? .right : .left)], "at \(position)")
    }
    // Another axis, and invalid positions.
    #expect(reports.handle(type: 3, code: 1, value: 1).isEmpty)
    for value in [Int32.min, -1, Int32(steps) + 1, .max] {
      #expect(reports.handle(type: 3, code: 0, value: value).isEmpty)
    }
  }

  @Test(arguments: [1, 2, 4])
  func `a detent with several steps is one key`(_ steps: Int) {
    var reports = EncoderReports(stepsPerDetent: steps)
    func keys(_ values: [Int32]) -> [KeyInput] {
      values.flatMap { reports.handle(type: 2, code: 7, value: $0) }
    }
    #expect(keys(Array(repeating: 1, count: 4 * steps)).count == 4)
    #expect(keys([Int32(-3 * steps)]) == Array(repeating: .keystroke(.left), count: 3))
    if steps > 1 {
      // Half a detent and back isn't a key.
      #expect(keys([1, -1, 1, -1]).isEmpty)
    }
  }

  @Test(arguments: [Int32.min, -33, 33, .max])
  func `an implausibly fast turn is limited`(_ value: Int32) {
    var reports = EncoderReports()
    let inputs = reports.handle(type: Self.relative, code: 7, value: value)
    #expect(inputs == Array(repeating: .keystroke(value > 0 ? .right : .left), count: 32))
  }
}
