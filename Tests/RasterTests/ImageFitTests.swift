// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import Testing
import RoundelText

@testable import RoundelRaster

/// Images in frames with other proportions.
@Suite struct ImageFitTests {
  private let size = PixelSize(120, 120)
  private let background = Color(hex: 0x204060)
  /// A red, a green and a blue column.
  private let columns = Bitmap(
    size: PixelSize(60, 20),
    pixels: (0..<60 * 20).map { [0xffff_0000, 0xff00_ff00, 0xff00_00ff][$0 % 60 / 20] })

  private func painter(_ bitmap: Bitmap, scale: Double = 1) -> Painter {
    Painter(
      size: size, viewport: Viewport(scale: scale, offset: .zero), fonts: FontLibrary(),
      images: ["a": ImageFile(bitmap)])
  }

  private func list(_ frame: Rect, _ fit: ImageFit, isMoving: Bool = false) -> DisplayList {
    DisplayList(
      background: background,
      items: [DisplayItem(.rect(frame), .image("a", frame: frame, fit: fit, isMoving: isMoving))])
  }

  /// The colours of pixels without the alpha byte.
  private func picture(_ list: DisplayList, _ painter: Painter) -> (Int, Int) -> UInt32 {
    painter.show(list)
    let canvas = painter.canvas()
    return { x, y in canvas[x, y] & 0xff_ffff }
  }

  @Test(arguments: [false, true])
  func `a contained image is shown whole in the centre of its frame`(_ isMoving: Bool) {
    let frame = Rect(x0: 15, y0: 10, x1: 105, y1: 110)
    let pixel = picture(list(frame, .contain, isMoving: isMoving), painter(columns))
    // Scaled by 1.5 to 90 × 30.
    for (y, isShown) in [(44, false), (45, true), (60, true), (74, true), (75, false)] {
      #expect(pixel(14, y) == 0x204060)
      #expect(pixel(105, y) == 0x204060)
      for (x, color) in [(15, 0xff0000), (60, 0xff00), (104, 0xff)] as [(Int, UInt32)] {
        #expect(pixel(x, y) == (isShown ? color : 0x204060), "at \(x), \(y)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `an image that covers its frame is cropped equally on both sides`(_ isMoving: Bool) {
    let frame = Rect(x0: 35, y0: 10, x1: 85, y1: 110)
    let pixel = picture(list(frame, .cover, isMoving: isMoving), painter(columns))
    // Scaled by 5 to 300 × 100; the green third is twice as wide as the frame.
    for (x, color) in [(34, 0x204060), (35, 0xff00), (84, 0xff00), (85, 0x204060)]
      as [(Int, UInt32)]
    {
      for y in [10, 60, 109] { #expect(pixel(x, y) == color, "at \(x), \(y)") }
      for y in [9, 110] { #expect(pixel(x, y) == 0x204060) }
    }
  }

  @Test func `an image that fills its frame is stretched`() {
    let frame = Rect(x0: 30, y0: 10, x1: 90, y1: 110)
    let pixel = picture(list(frame, .fill), painter(columns))
    for y in [10, 109] {
      for (x, color) in [(29, 0x204060), (30, 0xff0000), (60, 0xff00), (89, 0xff), (90, 0x204060)]
        as [(Int, UInt32)]
      {
        #expect(pixel(x, y) == color, "at \(x), \(y)")
      }
    }
  }

  @Test(arguments: [0.37, 0.8, 1.3])
  func `the edges of a contained image are sharp at any scale`(_ scale: Double) {
    let plain = Bitmap(
      size: PixelSize(700, 300), pixels: Array(repeating: 0xffff_ffff, count: 210_000))
    let side = (100 / scale).rounded(.down)
    let pixel = picture(
      list(Rect(x0: 0, y0: 0, x1: side, y1: side), .contain), painter(plain, scale: scale))
    let column = (0..<120).map { pixel(50, $0) }
    #expect(Set(column) == [0x204060, 0xff_ffff])
    let height = column.count { $0 == 0xff_ffff }
    #expect(abs(Double(height) - side * scale * 3 / 7) <= 1)
  }

  @Test func `only the visible part of an image is stored`() {
    let store = ImageStore(["a": ImageFile(columns)])
    var cache = CoverageCache(
      viewport: Viewport(scale: 1, offset: .zero), canvas: PixelRect(size: size),
      fonts: FontLibrary(), images: store)
    for (fit, area) in [(ImageFit.contain, 90 * 30), (.cover, 90 * 90)] {
      let frame = Rect(x0: 15, y0: 15, x1: 105, y1: 105)
      let tile = Tile(.rect(frame), .image("a", frame: frame, fit: fit))
      let before = store.memory.taken
      let source = cache.source(of: tile, under: cache.coverage(of: tile.shape))
      #expect(source?.bounds.area == area)
      #expect(source?.isOpaque == true)
      #expect(store.memory.taken - before == area * 4)
    }
  }

  @Test func `an image in thousands of sizes needs only a few hundred copies`() {
    let size = PixelSize(64, 64)
    let bitmap = Bitmap(size: size, pixels: [UInt32](repeating: 0xff30_60c0, count: 64 * 64))
    let painter = Painter(
      size: PixelSize(400, 400), viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
      images: ["many": ImageFile(bitmap)])
    let items = (0..<3000).map { index in
      let side = 10 + Double(index % 50) / 50
      let frame = Rect(
        center: Point(Double(5 + index % 60 * 6), Double(5 + index / 60 * 7)),
        size: Size(side, side))
      return DisplayItem(.rect(frame), .image("many", frame: frame))
    }
    painter.show(DisplayList(background: .black, items: items))
    let canvas = painter.canvas()
    // A copy has at most 11 × 11 pixels; the levels of the image are stored once.
    #expect(painter.imageMemory.taken < 300 * 11 * 11 * 4 + 2 * 64 * 64 * 4)
    for index in [0, 255, 256, 2999] {
      #expect(
        canvas[5 + index % 60 * 6, 5 + index / 60 * 7] & 0xff_ffff == 0x30_60c0, "image \(index)")
    }
  }

  @Test(arguments: [PixelSize(1, 8192), PixelSize(8192, 1)], [ImageFit.contain, .cover])
  func `an image of any proportions can be shown`(_ own: PixelSize, _ fit: ImageFit) {
    let thin = Bitmap(size: own, pixels: Array(repeating: 0xffff_ffff, count: 8192))
    for frame in [
      Rect(x0: 0, y0: 0, x1: 120, y1: 120), Rect(x0: -5e4, y0: 0, x1: 5e4, y1: 1),
      Rect(x0: 0, y0: -5e4, x1: 1, y1: 5e4),
    ] {
      let painter = painter(thin)
      painter.show(list(frame, fit))
      _ = painter.canvas()
    }
  }
}
