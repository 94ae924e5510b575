// SPDX-License-Identifier: MIT

import CRoundelPixels
import RoundelDrawing
import RoundelGeometry
import Glibc
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

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

  /// The mean of samples, each interpolated between four pixels, in the simplest way.
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
    var pixels: [UInt32] = []
    image.stretch(over: frame, in: bounds) { _, row in pixels += row }
    #expect(pixels.count == bounds.area)
    for (index, pixel) in pixels.enumerated() {
      let (x, y) = (bounds.x0 + index % bounds.width, bounds.y0 + index / bounds.width)
      for shift in [0, 8, 16, 24] as [UInt32] {
        #expect(abs(channel(pixel, shift) - expected(image, frame, x, y, shift)) <= 0.51)
      }
    }
  }

  /// An image of smooth colours with a hard edge, like photographs and drawings.
  private func picture(_ size: PixelSize, alpha: Bool = false) -> Bitmap {
    let pixels = (0..<size.width * size.height).map { place -> UInt32 in
      let (x, y) = (Double(place % size.width), Double(place / size.width))
      let wave = { (a: Double, b: Double) in 127.5 + 127.5 * sin(x / a + y / b) }
      let isDark = Point(x, y).distance(to: Point(x / 2 + 40, 120)) < 60
      var color = SIMD3(wave(23, 41), wave(17, -29), isDark ? 30 : wave(61, 13))
      let opacity = alpha ? min(max(wave(31, 37) * 2 - 100, 0), 255).rounded() : 255
      color *= opacity / 255
      return UInt32(opacity) << 24 | UInt32(color.x) << 16 | UInt32(color.y) << 8 | UInt32(color.z)
    }
    return Bitmap(size: size, pixels: pixels)
  }

  /// The mean of 16 × 16 nearest-texel samples per pixel.
  private func oracle(
    _ image: Bitmap, _ frame: Rect, _ turn: Angle, _ x: Int, _ y: Int
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    let (across, down) = ((Angle.degrees(90) - turn).unit, (Angle.degrees(180) - turn).unit)
    for sub in 0..<256 {
      let place = Point(
        Double(x) + (Double(sub % 16) + 0.5) / 16, Double(y) + (Double(sub / 16) + 0.5) / 16)
      let p = place - frame.center
      let q = across * p.x + down * p.y
      let u = Int(((q.x / frame.width + 0.5) * Double(image.size.width)).rounded(.down))
      let v = Int(((q.y / frame.height + 0.5) * Double(image.size.height)).rounded(.down))
      let pixel = image.pixels[
        min(max(v, 0), image.size.height - 1) * image.size.width
          + min(max(u, 0), image.size.width - 1)]
      sum += SIMD4(
        channel(pixel, 0), channel(pixel, 8), channel(pixel, 16), channel(pixel, 24))
    }
    return sum / 256
  }

  @Test(arguments: [
    (PixelSize(200, 200), false), (PixelSize(260, 230), false), (PixelSize(370, 150), true),
    (PixelSize(800, 800), false), (PixelSize(90, 120), true),
  ])
  func `a rotated image looks like one sampled 256 times per pixel`(
    _ size: PixelSize, _ alpha: Bool
  ) throws {
    let image = picture(size, alpha: alpha)
    let store = ImageStore(["a": ImageFile(image)])
    let frame = Rect(x0: 10.3, y0: 8.7, x1: 200.3, y1: 198.7)
    let level = try #require(store.level(of: "a", for: frame.width, frame.height))
    for degrees in [0, 17.3, 45, 90, 200.9] {
      let turn = Angle.degrees(degrees)
      let sampler = ImageSampler(level, frame: frame, turn: turn, ends: false)
      var row = [UInt32](repeating: 0, count: 212)
      var sum = 0.0
      var count = 0.0
      for y in stride(from: 9, to: 198, by: 3) {
        unsafe row.withUnsafeMutableBufferPointer {
          if let row = $0.baseAddress { unsafe sampler.sample(y, 10, 200, into: row) }
        }
        for x in stride(from: 10, to: 200, by: 3)
        where Point(Double(x) + 0.5, Double(y) + 0.5).distance(to: frame.center) < 94 {
          let expected = oracle(image, frame, turn, x, y)
          for (lane, shift) in [0, 8, 16, 24].enumerated() {
            sum += abs(channel(row[x], UInt32(shift)) - expected[lane])
            count += 1
          }
          #expect(row[x] >> 16 & 0xff <= row[x] >> 24, "more colour than alpha")
        }
      }
      #expect(sum / count < 2, "at \(degrees)° the mean difference is \(sum / count)")
    }
  }

  @Test(arguments: [PixelSize(2, 2), PixelSize(33, 7), PixelSize(1, 40), PixelSize(40, 1)])
  func `pixels are identical, however many are requested at once`(_ size: PixelSize) {
    let level = ImageLevel(image(size))
    let frame = Rect(x0: 3.2, y0: 5.1, x1: 83.9, y1: 61.4)
    var random = SeededGenerator(seed: 5)
    for degrees in [0.0, 1, 33.3, 90, 123, 180, 271] {
      for ends in [false, true] {
        let sampler = ImageSampler(level, frame: frame, turn: .degrees(degrees), ends: ends)
        for y in stride(from: -20, to: 90, by: 7) {
          var whole = [UInt32](repeating: 0, count: 100)
          unsafe whole.withUnsafeMutableBufferPointer {
            if let row = $0.baseAddress { unsafe sampler.sample(y, 0, 100, into: row) }
          }
          var parts = [UInt32](repeating: 1, count: 100)
          var x = 0
          while x < 100 {
            let next = min(100, x + .random(in: 1...30, using: &random))
            unsafe parts.withUnsafeMutableBufferPointer {
              if let row = $0.baseAddress { unsafe sampler.sample(y, x, next, into: row) }
            }
            x = next
          }
          #expect(parts == whole, "\(degrees)°, row \(y)")
        }
      }
    }
  }

  @Test func `all processors interpolate to identical bits`() {
    let level = ImageLevel(image(PixelSize(61, 47)))
    var random = SeededGenerator(seed: 6)
    for _ in 0..<2000 {
      let count = Int.random(in: 1...40, using: &random)
      func line(_ limit: Int) -> (Int32, Int32) {
        let (a, b) = (
          Int.random(in: 0..<limit << 16, using: &random),
          Int.random(in: 0..<limit << 16, using: &random)
        )
        return (Int32(a), Int32((b - a) / count))
      }
      let ((u, du), (v, dv)) = (line(60), line(46))
      let line = pixels_line(u: u, v: v, du: du, dv: dv)
      var image = unsafe level.image
      var fast = [UInt32](repeating: 0, count: count)
      var portable = fast
      var clamped = fast
      // All texels of the first and last pixels exist.
      unsafe pixels_sample(&image, line, &fast, count)
      unsafe pixels_sample_portably(&image, line, &portable, count)
      unsafe pixels_sample_clamped(&image, line, &clamped, count)
      #expect(fast == portable && clamped == portable)
    }
  }

  @Test func `an image is extended by its edge pixels`() {
    let level = ImageLevel(image(PixelSize(20, 9)))
    var image = unsafe level.image
    let texel: Int32 = 1 << 16
    for (u, v) in [(-3, 4), (4, -1), (10, 4), (4, 100), (-30_000, 30_000), (30_000, -1)] {
      let line = pixels_line(u: Int32(u) * texel, v: Int32(v) * texel, du: texel, dv: 9)
      var pixels = [UInt32](repeating: 0, count: 24)
      var clamped = pixels
      // Both arrays have the same number of pixels.
      unsafe pixels_sample(&image, line, &pixels, pixels.count)
      unsafe pixels_sample_clamped(&image, line, &clamped, clamped.count)
      #expect(pixels == clamped, "from (\(u), \(v)) on")
    }
  }

  @Test func `a level has at least the displayed number of pixels, and is cached`() throws {
    let store = ImageStore(["a": ImageFile(image(PixelSize(640, 3)))])
    let level = try #require(store.level(of: "a", for: 50, 3))
    #expect(level.size == PixelSize(80, 3))
    let taken = store.memory.taken
    #expect(taken == ImageLevel.cost(PixelSize(80, 3)))
    #expect(store.level(of: "a", for: 45, 2) === level)
    #expect(store.memory.taken == taken)
    #expect(store.level(of: "a", for: 700, 9)?.size == PixelSize(640, 3))
    #expect(store.level(of: "b", for: 50, 3) == nil)
  }

  private func tile(_ name: String, _ frame: Rect, at offset: Double = 0) -> Tile {
    let shape = Rect(x0: frame.x0, y0: frame.y0, x1: frame.x1 - offset, y1: frame.y1)
    return Tile(.rect(shape), .image(name, frame: frame))
  }

  @Test func `images beyond the memory limit lose lines, then disappear`() throws {
    let store = ImageStore(["a": ImageFile(image(PixelSize(64, 64)))])
    let clip = PixelRect(size: PixelSize(7680, 1000))
    let frame = Rect(x0: 0, y0: 0, x1: 7680, y1: 1000)
    var sources: [PixelSource] = []
    while let source = store.pixels(
      of: tile("a", frame, at: Double(sources.count)), frame: frame, under: nil, clip: clip)
    {
      #expect(source.bounds == clip)
      sources.append(source)
      #expect(store.memory.taken <= ImageMemory.maximumBytes)
      guard sources.count < 12 else { break }
    }
    // Four complete images, and one with a quarter of its lines.
    #expect(sources.count == 5)
    if let last = sources.popLast() {
      let rows = unsafe last.rows
      // Outside the macro, because its expansion accepts no unsafe types in Swift 6.2.
      let (first, fourth, fifth) = unsafe (
        UInt(bitPattern: rows.pointee.row(0, 0, 9)), UInt(bitPattern: rows.pointee.row(3, 0, 9)),
        UInt(bitPattern: rows.pointee.row(4, 0, 9))
      )
      #expect(first == fourth)
      #expect(first != fifth)
    }
    // Images that are no longer shown release their memory.
    sources.removeAll()
    let more = tile("a", frame, at: 20)
    #expect(store.pixels(of: more, frame: frame, under: nil, clip: clip) != nil)
    #expect(store.memory.taken <= ImageMemory.maximumBytes)
  }

  @Test func `a wedge's art needs memory only for its visible part`() throws {
    let names = (0..<14).map { "w\($0)" }
    let images = Dictionary(
      uniqueKeysWithValues: names.map { ($0, ImageFile(image(PixelSize(20, 20)))) })
    let store = ImageStore(images)
    var cache = CoverageCache(
      viewport: Viewport(scale: 1, offset: .zero), canvas: PixelRect(size: PixelSize(400, 400)),
      fonts: FontLibrary(), images: store)
    let center = Point(200, 200)
    let frame = Rect(center: center, size: Size(380, 380))
    let sources = names.enumerated().map { index, name in
      let shape = Shape.sector(
        Sector(
          center: center, innerRadius: 40, outerRadius: 190,
          start: .degrees(Double(index) * 360 / 14), end: .degrees(Double(index + 1) * 360 / 14)))
      return cache.source(
        of: Tile(shape, .image(name, frame: frame)), under: cache.coverage(of: shape))
    }
    #expect(!sources.contains { $0 == nil })
    #expect(store.memory.taken < 4 * 380 * 380 * 5 / 4)
  }

  @Test func `a rotated image fades at its edges and is complete inside`() {
    let plain = Bitmap(
      size: PixelSize(400, 400), pixels: Array(repeating: 0xff20_4060, count: 160_000))
    let frame = Rect(x0: 20, y0: 20, x1: 60, y1: 60)
    let sampler = ImageSampler(ImageLevel(plain), frame: frame, turn: .degrees(30), ends: true)
    var sum = 0.0
    for y in 0..<80 {
      var row = [UInt32](repeating: 1, count: 80)
      unsafe row.withUnsafeMutableBufferPointer {
        if let row = $0.baseAddress { unsafe sampler.sample(y, 0, 80, into: row) }
      }
      for (x, pixel) in row.enumerated() {
        sum += channel(pixel, 24) / 255
        let distance = Point(Double(x) + 0.5, Double(y) + 0.5).distance(to: Point(40, 40))
        if distance < 18 { #expect(pixel == 0xff20_4060) }
        if distance > 30 { #expect(pixel == 0) }
      }
    }
    #expect(abs(sum - 1_600) < 16)
  }

  @Test func `each frame of a rotating image is drawn separately, even on a panel with one row`() {
    let face = ImageFile(image(PixelSize(40, 40)))
    func sheet() -> Sheet {
      Sheet(
        Painter(
          size: PixelSize(60, 1), viewport: Viewport(scale: 1, offset: .zero),
          fonts: FontLibrary(), images: ["face": face]))
    }
    func list(_ degrees: Double) -> DisplayList {
      let frame = Rect(x0: 10, y0: -20, x1: 50, y1: 20)
      let fill = Fill.image("face", frame: frame, turn: .degrees(degrees), isMoving: true)
      return DisplayList(
        items: [DisplayItem(.disc(center: frame.center, radius: 20), fill)])
    }
    let turning = sheet()
    for degrees in [0.0, 40, 41, 200] {
      turning.show(list(degrees))
      let fresh = sheet()
      fresh.show(list(degrees))
      #expect((0..<60).map { turning.canvas[$0, 0] } == (0..<60).map { fresh.canvas[$0, 0] })
    }
  }
}
