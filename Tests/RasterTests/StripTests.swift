// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

@Suite struct VerticalBlurTests {
  private func noise(_ count: Int, seed: UInt64) -> [UInt32] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt32.random(in: 0xff00_0000...UInt32.max, using: &random) }
  }

  private func blurred(_ pixels: [UInt32], width: Int, length: Int) -> [UInt32] {
    let lines = pixels.count / width
    let blur = VerticalBlur(length: length)
    var target = [UInt32](repeating: 0, count: width * (lines - blur.length + 1))
    unsafe pixels.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      var rows = unsafe (0..<lines).map {
        unsafe SourceRows.Line(zero: base + $0 * width, 0..<width)
      }
      var sums = [UInt8](repeating: 0, count: VerticalBlur.sumBytes(width))
      unsafe target.withUnsafeMutableBufferPointer { target in
        unsafe sums.withUnsafeMutableBytes { sums in
          unsafe rows.withUnsafeMutableBufferPointer { rows in
            guard let sums = sums.baseAddress, let target = target.baseAddress else { return }
            unsafe blur.begin(sums, rows[..<(length - 1)], 0, width)
            for y in 0...(pixels.count / width - length) {
              unsafe blur.slide(
                sums, in: rows[y + length - 1].zero, out: rows[y].zero, into: target + y * width,
                width: width)
            }
          }
        }
      }
    }
    return target
  }

  @Test(arguments: [2, 3, 5, 16, 33, 100, 255, 256, 257, 300, 1000])
  func `each channel is the rounded mean of its lines`(length: Int) {
    let width = 13
    let height = 9
    let pixels = noise(width * (height + length - 1), seed: UInt64(length))
    let means = blurred(pixels, width: width, length: length)
    for y in 0..<height {
      for x in 0..<width {
        for shift in [0, 8, 16, 24] as [UInt32] {
          let sum = (0..<length).reduce(0) {
            $0 + Int(pixels[(y + $1) * width + x] >> shift & 0xff)
          }
          let exact = Double(sum) / Double(length)
          let mean = Double(means[y * width + x] >> shift & 0xff)
          // A 16-bit reciprocal may round a value near a half the other way.
          #expect(abs(mean - exact) <= 0.52, "\(length) \(mean) \(exact)")
        }
      }
    }
  }

  @Test(arguments: [2, 7, 33, 255, 256, 257, 300, 511, 1000, 5000])
  func `a plain colour is unchanged`(length: Int) {
    for color in [0xff00_0000, 0xffff_ffff, 0xff02_03fe, 0xff10_151c] as [UInt32] {
      let pixels = [UInt32](repeating: color, count: 5 * (length + 4))
      #expect(blurred(pixels, width: 5, length: length).allSatisfy { $0 == color })
    }
  }
}

@Suite struct StripTests {
  private let size = PixelSize(40, 60)
  private let red = Color(hex: 0xc81e1e)
  private let green = Color(hex: 0x1ec81e)
  private let blue = Color(hex: 0x1e1ec8)

  private func rows(_ colors: [Color]) -> [Strip.Row] {
    colors.map { Strip.Row(background: $0) }
  }

  private func show(_ strip: Strip, shape: Shape? = nil, scale: Double = 1) -> Canvas {
    let painter = Painter(
      size: size, viewport: Viewport(scale: scale, offset: .zero), fonts: FontLibrary())
    painter.show(
      DisplayList(
        background: .white,
        items: [DisplayItem(shape ?? .rect(strip.frame), .strip(strip))]))
    return painter.canvas()
  }

  private func column(_ canvas: Canvas, x: Int = 20) -> [UInt32] {
    (0..<canvas.size.height).map { canvas[x, $0] }
  }

  @Test func `rows are stacked from the offset down`() {
    let strip = Strip(
      frame: Rect(x0: 10, y0: 5, x1: 30, y1: 45), rowHeight: 10,
      rows: rows([red, green, blue, red, green]), offset: -4)
    let lines: [(Color, count: Int)] = [
      (.white, 5), (red, 6), (green, 10), (blue, 10), (red, 10), (green, 4), (.white, 15),
    ]
    let expected: [UInt32] = lines.flatMap { color, count in
      [UInt32](repeating: color.opaquePixel, count: count)
    }
    let canvas = show(strip)
    #expect(column(canvas) == expected)
    #expect(canvas[9, 20] == Color.white.opaquePixel)
    #expect(canvas[10, 20] == expected[20])
    #expect(canvas[29, 20] == expected[20])
    #expect(canvas[30, 20] == Color.white.opaquePixel)
  }

  @Test func `a row that rounding makes a line taller repeats its last line`() {
    // The largest double below 0.5. Adding 10 rounds it up to 10.5.
    let strip = Strip(
      frame: Rect(x0: 0, y0: 0, x1: 40, y1: 60), rowHeight: 10, rows: rows([red, green]),
      offset: 0.5.nextDown)
    let column = column(show(strip))
    #expect(column[0..<11].allSatisfy { $0 == red.opaquePixel })
    #expect(column[11] == green.opaquePixel)
  }

  @Test func `the empty part of a strip is black`() {
    let strip = Strip(
      frame: Rect(x0: 0, y0: 0, x1: 40, y1: 60), rowHeight: 10, rows: rows([red]), offset: 20)
    let column = column(show(strip))
    #expect(column[19] == Color.black.opaquePixel)
    #expect(column[20] == red.opaquePixel)
    #expect(column[30] == Color.black.opaquePixel)
  }

  @Test func `rows of fractional height fill the window without a gap`() {
    for offset in stride(from: -9.7, to: 0, by: 0.31) {
      let strip = Strip(
        frame: Rect(x0: 0, y0: 0, x1: 40, y1: 40), rowHeight: 7.77,
        rows: rows([red, green, blue, red, green, blue, red]), offset: offset)
      let shown = column(show(strip)).prefix(40)
      #expect(!shown.contains(Color.black.opaquePixel))
      let changes = zip(shown, shown.dropFirst()).filter { $0 != $1 }.count
      #expect((4...6).contains(changes))
    }
  }

  @Test func `blurred rows are the mean of the motion around each pixel`() {
    let colors = [red, green, blue, red, green, blue, red, green]
    var strip = Strip(
      frame: Rect(x0: 0, y0: 0, x1: 40, y1: 30), rowHeight: 10, rows: rows(colors), offset: -23)
    let sharp = { () -> [UInt32] in
      // The whole strip in a tall window shows all of them.
      strip.frame = Rect(x0: 0, y0: 0, x1: 40, y1: 60)
      strip.offset = -8
      return column(show(strip))
    }()
    strip.frame = Rect(x0: 0, y0: 0, x1: 40, y1: 30)
    strip.offset = -23
    strip.blur = 9
    let blurred = column(show(strip))
    for y in 0..<30 {
      for shift in [0, 8, 16] as [UInt32] {
        let sum = (-4...4).reduce(0) { $0 + Int(sharp[y + 15 + $1] >> shift & 0xff) }
        #expect(abs(Double(blurred[y] >> shift & 0xff) - Double(sum) / 9) <= 1)
      }
    }
  }

  @Test func `a strip is clipped to its shape`() {
    let strip = Strip(
      frame: Rect(x0: 0, y0: 0, x1: 40, y1: 60), rowHeight: 60, rows: rows([red]), offset: 0)
    let canvas = show(strip, shape: .disc(center: Point(20, 30), radius: 10))
    #expect(canvas[20, 30] == red.opaquePixel)
    #expect(canvas[20, 22] == red.opaquePixel)
    #expect(canvas[20, 18] == Color.white.opaquePixel)
    #expect(canvas[11, 21] == Color.white.opaquePixel)
  }

  @Test func `a moving strip painted by damage equals a full repaint`() {
    let painter = Painter(
      size: size, viewport: Viewport(scale: 1.3, offset: .zero), fonts: FontLibrary())
    var random = SeededGenerator(seed: 4)
    for _ in 0..<60 {
      let strip = Strip(
        frame: Rect(x0: 3.3, y0: 2.1, x1: 28.9, y1: 40), rowHeight: 9.5,
        rows: rows((0..<8).map { _ in [red, green, blue][Int.random(in: 0...2, using: &random)] }),
        offset: .random(in: -30...0, using: &random), blur: .random(in: 0...20, using: &random))
      let list = DisplayList(
        items: [
          DisplayItem(
            .roundedRect(RoundedRect(strip.frame, radius: 5)), .strip(strip)),
          DisplayItem(.disc(center: Point(10, 20), radius: 8), Color.white.faded(to: 0.4)),
        ])
      painter.show(list)
      let other = Painter(
        size: size, viewport: Viewport(scale: 1.3, offset: .zero), fonts: FontLibrary())
      other.show(list)
      let (shown, expected) = (painter.canvas(), other.canvas())
      #expect((0..<40).allSatisfy { column(shown, x: $0) == column(expected, x: $0) })
    }
  }

  @Test func `changing rows don't grow the memory without limit`() {
    var cache = StripCache(
      viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(), images: ImageStore([:]))
    let clip = PixelRect(size: PixelSize(400, 400))
    for step in 0..<400 {
      cache.beginFrame()
      let strip = Strip(
        frame: Rect(x0: 0, y0: 0, x1: 400, y1: 300), rowHeight: 100,
        rows: rows((0..<3).map { Color(hex: UInt32(step * 3 + $0)) }), offset: 0)
      let source = PixelSource()
      let isShown = cache.show(strip, in: source, clip: clip)
      #expect(isShown)
      #expect(unsafe source.rows.pointee.row(0, 0, 1)[0] == 0xff00_0000 | UInt32(step * 3))
      #expect(cache.cost < 14 << 20)
    }
  }

  @Test func `a strip that is no longer shown isn't cached`() {
    let size = PixelSize(400, 400)
    let strip = Strip(
      frame: Rect(x0: 0, y0: 0, x1: 400, y1: 300), rowHeight: 100,
      rows: rows([.white, .black, .white]), offset: 0)
    var cache = CoverageCache(
      viewport: Viewport(scale: 1, offset: .zero), canvas: PixelRect(size: size),
      fonts: FontLibrary(), images: ImageStore([:]))
    var scene = Scene()
    var damage = DamageBands()
    var list = DisplayList(
      items: [DisplayItem(.disc(center: Point(200, 150), radius: 90), .strip(strip))])
    scene.show(&list, cache: &cache, &damage)
    #expect(scene.showsStrips)
    #expect(cache.stripCost > 0)
    list = DisplayList()
    scene.show(&list, cache: &cache, &damage)
    #expect(!scene.showsStrips)
    cache.forgetStrips()
    #expect(cache.stripCost == 0)
  }

  @Test func `empty and invalid strips show at worst black`() {
    let full = Rect(x0: 0, y0: 0, x1: 40, y1: 60)
    for strip in [
      Strip(frame: full, rowHeight: 10, rows: [], offset: 0),
      Strip(frame: full, rowHeight: 0, rows: rows([red]), offset: 0),
      Strip(frame: full, rowHeight: -3, rows: rows([red]), offset: 0),
      Strip(frame: full, rowHeight: .nan, rows: rows([red]), offset: 0),
      Strip(frame: full, rowHeight: 10, rows: rows([red]), offset: .nan),
      Strip(frame: full, rowHeight: 10, rows: rows([red]), offset: 1e300),
      Strip(frame: full, rowHeight: 10, rows: rows([red]), offset: 0, blur: .infinity),
      Strip(frame: full, rowHeight: 10, rows: rows([red]), offset: 0, blur: .nan),
      Strip(frame: full, rowHeight: 1e9, rows: rows([red]), offset: 0),
      Strip(
        frame: Rect(x0: -1e12, y0: 0, x1: 1e12, y1: 60), rowHeight: 10, rows: rows([red]),
        offset: 0),
      Strip(
        frame: Rect(x0: .nan, y0: 0, x1: 40, y1: 60), rowHeight: 10, rows: rows([red]), offset: 0),
      Strip(
        frame: Rect(x0: 50, y0: 70, x1: 90, y1: 90), rowHeight: 10, rows: rows([red]), offset: 0),
    ] {
      _ = show(strip, shape: .rect(full))
    }
  }
}
