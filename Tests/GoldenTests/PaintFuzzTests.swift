// SPDX-License-Identifier: MIT

import Foundation
import Painting
import SystemFonts
import TestSupport
import Testing

/// Valid kiosk files, however unusual, can be painted and touched on panels of any size, format and
/// rotation.
@Suite struct PaintFuzzTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `valid random kiosks are painted and touched`(_ seed: UInt64) throws {
    let font = try FontFile.read(try SystemFonts().file(for: "sans-serif").path)
    for number in Cases.of(12).map({ seed * 1000 + UInt64($0) }) {
      var session = PaintSession(number: number, font: font)
      let violation = try session.run()
      #expect(violation == nil, "paint-fuzz --session \(number)")
    }
  }
}
