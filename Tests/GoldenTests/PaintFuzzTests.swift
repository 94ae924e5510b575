// SPDX-License-Identifier: MIT

import Foundation
import Painting
import SystemFonts
import Testing

/// Kiosk files that pass, however strange, can also be painted and touched, on panels of any size,
/// format and rotation.
@Suite struct PaintFuzzTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `kiosks of any numbers that pass are painted and touched`(_ seed: UInt64) throws {
    let font = try FontFile.read(try SystemFonts().file(for: "sans-serif").path)
    var painted = 0
    for number in seed * 1000..<seed * 1000 + 12 {
      var session = PaintSession(number: number, font: font)
      switch try session.run() {
      case .refused: break
      case .held: painted += 1
      case .violated(let what): Issue.record("paint-fuzz --session \(number): \(what)")
      }
    }
    #expect(painted > 0)
  }
}
