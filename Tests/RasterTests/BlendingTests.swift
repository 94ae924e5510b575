// SPDX-License-Identifier: MIT

import CPixels
import TestSupport
import Testing

@testable import Raster

/// What the processor does with eight pixels at a time, against the formula for one.
@Suite struct BlendingTests {
  private var random = SeededGenerator(seed: 7)

  private mutating func opaquePixels(_ count: Int) -> [UInt32] {
    (0..<count).map { _ in UInt32.random(in: 0xff00_0000...UInt32.max, using: &random) }
  }

  @Test(arguments: 0...33)
  mutating func `a veil gives each pixel what the formula says, and touches no other`(count: Int) {
    let below = opaquePixels(count + 8)
    for alpha in [0, 1, 77, 128, 254, 255] as [UInt64] {
      let color = lanes(UInt32.random(in: 0...0xff_ffff, using: &random))
      let given = contribution(color, weight: weight(coverage: 256, alpha: alpha))
      var row = below
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let start = row.baseAddress else { return }
        unsafe Veil(given).blend(3, 3 + count, over: UnsafePointer(start), into: start)
      }
      for x in below.indices {
        let isVeiled = (3..<3 + count).contains(x)
        #expect(row[x] == (isVeiled ? blend(given, over: below[x]) : below[x]))
      }
    }
  }

  @Test(arguments: 0...100)
  mutating func `a colour fills as many pixels as it should, and no other`(count: Int) {
    let below = opaquePixels(count + 40)
    // Each place that a line of the cache can have.
    for start in 1...17 {
      var row = below
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let first = row.baseAddress else { return }
        unsafe fill(first + start, with: 0xff12_3456, count: count)
      }
      let filled = [UInt32](repeating: 0xff12_3456, count: count)
      #expect(row == below[..<start] + filled + below[(start + count)...])
    }
  }

  @Test(arguments: 0...33)
  mutating func `a source gives each pixel what the formula says, and touches no other`(
    count: Int
  ) {
    let below = opaquePixels(count + 8)
    let source = (0..<count).map { _ in
      // Premultiplied: no channel exceeds the alpha.
      let alpha = UInt32.random(in: 0...255, using: &random)
      return (0..<3).reduce(alpha) { pixel, _ in
        pixel << 8 | UInt32.random(in: 0...alpha, using: &random)
      }
    }
    var row = below
    unsafe row.withUnsafeMutableBufferPointer { row in
      unsafe source.withUnsafeBufferPointer { source in
        guard let start = row.baseAddress, let first = source.baseAddress else { return }
        unsafe pixels_cover(first, start + 3, count)
      }
    }
    for x in below.indices {
      let isCovered = (3..<3 + count).contains(x)
      let given = contribution(premultiplied: isCovered ? source[x - 3] : 0, covered: 256)
      #expect(row[x] == blend(given, over: below[x]))
    }
  }
}
