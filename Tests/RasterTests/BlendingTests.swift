// SPDX-License-Identifier: MIT

import CRoundelPixels
import TestSupport
import Testing

@testable import RoundelRaster

/// Compares vector code for eight pixels with the formula for one.
@Suite struct BlendingTests {
  private var random = SeededGenerator(seed: 7)

  private mutating func opaquePixels(_ count: Int) -> [UInt32] {
    (0..<count).map { _ in UInt32.random(in: 0xff00_0000...UInt32.max, using: &random) }
  }

  @Test(arguments: 0...33)
  mutating func `a uniform layer blends each pixel by the formula, and touches no other`(count: Int)
  {
    let below = opaquePixels(count + 8)
    for alpha in [0, 1, 77, 128, 254, 255] as [UInt64] {
      let color = lanes(UInt32.random(in: 0...0xff_ffff, using: &random))
      let given = contribution(color, weight: weight(coverage: 256, alpha: alpha))
      var row = below
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let start = row.baseAddress else { return }
        unsafe UniformLayer(given).blend(3, 3 + count, over: UnsafePointer(start), into: start)
      }
      for x in below.indices {
        let isCovered = (3..<3 + count).contains(x)
        #expect(row[x] == (isCovered ? blend(given, over: below[x]) : below[x]))
      }
    }
  }

  @Test(arguments: 1...33)
  mutating func `a text on a line across its mask blends each pixel by the formula`(
    count: Int
  ) {
    let (width, height) = (60, 20)
    // Half of it is empty, like most text.
    let pairs = (0..<width * height).map { _ in
      Bool.random(using: &random) ? 0 : UInt16.random(in: 0...UInt16.max, using: &random)
    }
    func place(_ limit: Int) -> Int { Int.random(in: 0..<(limit - 1) << 16, using: &random) }
    for alpha in [0, 1, 77, 254, 255] as [UInt32] {
      let (u, v) = (place(width), place(height))
      let (du, dv) = ((place(width) - u) / count, (place(height) - v) / count)
      let pixel = UInt32.random(in: 0xff00_0000...UInt32.max, using: &random)
      let below = opaquePixels(count + 20)
      var row = below
      // The first and last pixels have all their texels.
      unsafe pairs.withUnsafeBufferPointer { pairs in
        unsafe row.withUnsafeMutableBufferPointer { row in
          guard let start = row.baseAddress else { return }
          unsafe pixels_text(
            pixels_mask(pairs: pairs.baseAddress, stride: UInt32(width)),
            pixels_line(u: Int32(u), v: Int32(v), du: Int32(du), dv: Int32(dv)), pixel, alpha,
            start + 10, count)
        }
      }
      for x in below.indices {
        guard (10..<10 + count).contains(x) else {
          #expect(row[x] == below[x])
          continue
        }
        let (u, v) = (u + (x - 10) * du, v + (x - 10) * dv)
        let (fx, fy) = (u >> 8 & 255, v >> 8 & 255)
        func column(_ shift: Int) -> Int {
          let pair = Int(pairs[(v >> 16) * width + (u >> 16) + shift])
          return pair % 256 * (256 - fy) + pair / 256 * fy
        }
        let covered = (column(0) * (256 - fx) + column(1) * fx) >> 16
        let taken = weight(coverage: UInt64(covered + covered >> 7), alpha: UInt64(alpha))
        #expect(row[x] == mix(lanes(pixel), weight: taken, over: below[x]))
      }
    }
  }

  @Test(arguments: 0...100)
  mutating func `a colour fills exactly the given pixels`(count: Int) {
    let below = opaquePixels(count + 40)
    // Every position in a cache line.
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
  mutating func `a source blends each pixel by the formula, and touches no other`(
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
