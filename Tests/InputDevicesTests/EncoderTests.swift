// SPDX-License-Identifier: MIT

import Controls
import Input
import Testing

@testable import InputDevices

@Suite struct EncoderTests {
  /// EV_KEY and EV_REL, of linux/input-event-codes.h.
  private static let (key, relative): (UInt16, UInt16) = (1, 2)
  /// KEY_ENTER.
  private static let enter: UInt16 = 28

  @Test func `what turns and does not move in a plane is an encoder`() {
    // REL_X, REL_Y, REL_DIAL, REL_WHEEL and its finer twin.
    for axes: [CInt] in [[0], [7], [8, 11]] {
      #expect(EventDevice.isEncoder(axes.contains))
    }
    for axes: [CInt] in [[0, 1], [0, 1, 8], [], [2]] {
      #expect(!EventDevice.isEncoder(axes.contains))
    }
  }

  @Test func `each detent is a key, clockwise to the right, and the button is Enter`() {
    var reports = EncoderReports()
    func inputs(_ type: UInt16, _ code: UInt16, _ value: Int32) -> [KeyInput] {
      reports.handle(type: type, code: code, value: value)
    }
    #expect(inputs(Self.relative, 7, 1) == [.keystroke(.right)])
    #expect(inputs(Self.relative, 0, -2) == [.keystroke(.left), .keystroke(.left)])
    #expect(inputs(Self.relative, 11, 120).isEmpty)
    #expect(inputs(Self.key, Self.enter, 1) == [.keystroke(.enter)])
    // Held, it repeats.
    #expect(inputs(Self.key, Self.enter, 2).isEmpty)
    #expect(inputs(Self.key, Self.enter, 0).isEmpty)
    #expect(inputs(0, 0, 0).isEmpty)
  }

  @Test(arguments: [Int32.min, -33, 33, .max])
  func `a device that turns madly is not followed`(_ value: Int32) {
    var reports = EncoderReports()
    let inputs = reports.handle(type: Self.relative, code: 7, value: value)
    #expect(inputs == Array(repeating: .keystroke(value > 0 ? .right : .left), count: 32))
  }
}
