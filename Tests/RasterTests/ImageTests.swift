// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import TestSupport
import Testing
import Text

@testable import Raster

@Suite struct ImageTests {
  private func image(_ size: PixelSize, seed: UInt64 = 1) -> Bitmap {
    var random = SeededGenerator(seed: seed)
    return Bitmap(
      size: size,
      pixels: (0..<size.width * size.height).map { _ in
        let alpha = UInt32.random(in: 0...255, using: &random)
        func channel() -> UInt32 { .random(in: 0...alpha, using: &random) }
        return alpha << 24 | channel() << 16 | channel() << 8 | channel()
      })
  }

  private func channel(_ pixel: UInt32, _ shift: UInt32) -> Double {
    Double(pixel >> shift & 0xff)
  }

  /// The mean of samples, each between four pixels, in the plainest way.
  private func expected(
    _ image: Bitmap, _ frame: Rect, _ x: Int, _ y: Int, _ shift: UInt32
  ) -> Double {
    let (stepX, stepY) = (
      Double(image.size.width) / frame.width, Double(image.size.height) / frame.height
    )
    let (countX, countY) = (max(1, Int(stepX.rounded(.up))), max(1, Int(stepY.rounded(.up))))
    var sum = 0.0
    for sy in 0..<countY {
      for sx in 0..<countX {
        let u = (Double(x) + (Double(sx) + 0.5) / Double(countX) - frame.x0) * stepX
        let v = (Double(y) + (Double(sy) + 0.5) / Double(countY) - frame.y0) * stepY
        guard u >= 0, v >= 0, u < Double(image.size.width), v < Double(image.size.height) else {
          continue
        }
        func at(_ x: Int, _ y: Int) -> Double {
          let place =
            min(max(y, 0), image.size.height - 1) * image.size.width
            + min(max(x, 0), image.size.width - 1)
          return channel(image.pixels[place], shift)
        }
        let (left, top) = ((u - 0.5).rounded(.down), (v - 0.5).rounded(.down))
        let (fx, fy) = (u - 0.5 - left, v - 0.5 - top)
        let (i, j) = (Int(left), Int(top))
        sum += at(i, j) * (1 - fx) * (1 - fy) + at(i + 1, j) * fx * (1 - fy)
        sum += at(i, j + 1) * (1 - fx) * fy + at(i + 1, j + 1) * fx * fy
      }
    }
    return sum / Double(countX * countY)
  }

  @Test(arguments: [
    (PixelSize(5, 7), Rect(x0: 2, y0: 3, x1: 22, y1: 17)),
    (PixelSize(30, 20), Rect(x0: 1.3, y0: 2.7, x1: 12.1, y1: 9.9)),
    (PixelSize(3, 90), Rect(x0: -4.5, y0: -6, x1: 30, y1: 30)),
    (PixelSize(90, 2), Rect(x0: 5, y0: 5, x1: 29, y1: 28.5)),
    (PixelSize(24, 24), Rect(x0: 0, y0: 0, x1: 24, y1: 24)),
  ])
  func `a stretched image is the mean of its samples`(_ size: PixelSize, _ frame: Rect) {
    let image = image(size)
    let bounds = PixelRect(covering: frame).intersection(PixelRect(size: PixelSize(24, 24)))
    let pixels = image.stretched(over: frame, in: bounds)
    #expect(pixels.count == bounds.area)
    for (index, pixel) in pixels.enumerated() {
      let (x, y) = (bounds.x0 + index % bounds.width, bounds.y0 + index / bounds.width)
      for shift in [0, 8, 16, 24] as [UInt32] {
        #expect(abs(channel(pixel, shift) - expected(image, frame, x, y, shift)) <= 0.51)
      }
    }
  }

  @Test func `an image that is made much smaller keeps its colours, by way of smaller ones`() {
    let size = PixelSize(700, 500)
    let pixels = (0..<size.width * size.height).map { place -> UInt32 in
      let (x, y) = (place % size.width, place / size.width)
      let bright = UInt32(x * 255 / size.width)
      // Lines that a pixel of the canvas is much wider than.
      return 0xff00_0000 | (y % 2 == 0 ? 0xff : 0) << 16 | bright << 8 | (x % 2 == 0 ? 0xff : 0)
    }
    let levels = ImageLevels(["a": Bitmap(size: size, pixels: pixels)])
    let frame = Rect(x0: 0, y0: 0, x1: 35, y1: 25)
    let source = PixelSource(
      "a", of: levels, frame: frame, turn: .zero, clip: PixelRect(size: PixelSize(35, 25)))
    for y in 0..<25 {
      for x in 0..<35 {
        guard let pixel = unsafe source?.rows.pointee.row(y)[x] else { continue }
        #expect(abs(channel(pixel, 16) - 127.5) <= 3 && abs(channel(pixel, 0) - 127.5) <= 3)
        #expect(abs(channel(pixel, 8) - (Double(x) + 0.5) / 35 * 254.5) <= 3)
      }
    }
    #expect(source != nil)
  }

  @Test func `a level is remembered and large enough`() throws {
    let levels = ImageLevels(["a": image(PixelSize(640, 3))])
    let level = try #require(levels.level(of: "a", for: 50, 3))
    #expect(level.size == PixelSize(160, 3))
    let taken = levels.memory.taken
    #expect(taken == 160 * 3 * 4)
    _ = levels.level(of: "a", for: 45, 3)
    #expect(levels.memory.taken == taken)
    #expect(levels.copy(of: "a", for: 50, 9)?.size == PixelSize(50, 3))
    #expect(levels.level(of: "b", for: 50, 3) == nil)
  }

  @Test func `images beyond their memory lose lines, and then are not shown`() throws {
    let levels = ImageLevels(["a": image(PixelSize(64, 64))])
    let clip = PixelRect(size: PixelSize(7680, 1000))
    let frame = Rect(x0: 0, y0: 0, x1: 7680, y1: 1000)
    var sources: [PixelSource] = []
    while let source = PixelSource("a", of: levels, frame: frame, turn: .zero, clip: clip) {
      #expect(source.bounds == clip)
      sources.append(source)
      #expect(levels.memory.taken <= ImageMemory.maximumBytes)
      guard sources.count < 12 else { break }
    }
    // Four whole ones, and one of a quarter of its lines.
    #expect(sources.count == 5)
    if let last = sources.popLast() {
      unsafe #expect(last.rows.pointee.row(0) == last.rows.pointee.row(3))
      unsafe #expect(last.rows.pointee.row(0) != last.rows.pointee.row(4))
    }
    sources.removeAll()
    #expect(levels.memory.taken == 0)
  }

  @Test func `a turned image fades at its edges and is whole inside`() {
    let plain = Bitmap(
      size: PixelSize(400, 400), pixels: Array(repeating: 0xff20_4060, count: 160_000))
    let levels = ImageLevels(["a": plain])
    let frame = Rect(x0: 20, y0: 20, x1: 60, y1: 60)
    let clip = PixelRect(size: PixelSize(80, 80))
    let source = PixelSource("a", of: levels, frame: frame, turn: .degrees(30), clip: clip)
    var sum = 0.0
    for y in 0..<80 {
      for x in 0..<80 {
        guard let source, source.bounds.contains(PixelRect(x0: x, y0: y, x1: x + 1, y1: y + 1))
        else { continue }
        let pixel = unsafe source.rows.pointee.row(y)[x]
        sum += channel(pixel, 24) / 255
        let distance = Point(Double(x) + 0.5, Double(y) + 0.5).distance(to: Point(40, 40))
        if distance < 18 { #expect(pixel == 0xff20_4060) }
        if distance > 30 { #expect(pixel == 0) }
      }
    }
    #expect(abs(sum - 1_600) < 16)
  }

  @Test(arguments: [PixelSize(1, 8192), PixelSize(8192, 1), PixelSize(4000, 4000)])
  func `what a turn costs does not depend on the image`(_ size: PixelSize) throws {
    let levels = ImageLevels([
      "a": Bitmap(
        size: size, pixels: Array(repeating: 0xffff_ffff, count: size.width * size.height))
    ])
    let frame = Rect(x0: 0, y0: 0, x1: 100, y1: 100)
    let clip = PixelRect(size: PixelSize(100, 100))
    _ = PixelSource("a", of: levels, frame: frame, turn: .degrees(1), clip: clip)
    // All further turns look at this one only.
    let copy = try #require(levels.copy(of: "a", for: 100, 100))
    #expect(copy.size.width <= 100 && copy.size.height <= 100)
    let taken = levels.memory.taken
    for degrees in 2..<40 {
      _ = PixelSource("a", of: levels, frame: frame, turn: .degrees(Double(degrees)), clip: clip)
    }
    #expect(levels.memory.taken == taken)
  }
}
