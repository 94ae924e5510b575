// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import RoundelRaster
import TestSupport
import Testing

@Suite struct AreaScalingTests {
  private func block(_ size: PixelSize, _ color: (Int, Int) -> UInt32) -> PixelBlock {
    let pixels = (0..<(size.width * size.height)).map {
      color($0 % size.width, $0 / size.width) | 0xff00_0000
    }
    return PixelBlock(PixelRect(size: size), pixels: pixels)
  }

  @Test(arguments: [(40, 24), (41, 23), (7, 3), (80, 48), (160, 100)])
  func `a plain colour is unchanged at every size`(_ width: Int, _ height: Int) {
    let scaling = AreaScaling(from: PixelSize(80, 48), to: PixelSize(width, height))
    for grey in 0...255 as ClosedRange<UInt32> {
      let color = grey << 16 | (255 - grey) << 8 | grey ^ 0x55
      let source = block(scaling.source) { _, _ in color }
      let part = PixelRect(x0: 2, y0: 1, x1: 5, y1: 3)
      #expect(Set(scaling.scaled(part, of: source).pixels) == [0xff00_0000 | color])
    }
  }

  @Test func `each pixel has the mean light of its area`() {
    let size = PixelSize(50, 31)
    var random = SeededGenerator(seed: 9)
    let source = block(size) { _, _ in UInt32.random(in: 0...0xff_ffff, using: &random) }
    for target in [PixelSize(25, 31), PixelSize(20, 12), PixelSize(49, 7), PixelSize(3, 2)] {
      let all = PixelRect(size: target)
      let scaled = AreaScaling(from: size, to: target).scaled(all, of: source)
      for y in 0..<target.height {
        for x in 0..<target.width {
          for shift: UInt32 in [0, 8, 16] {
            // Each side in units that divide both kinds of pixels.
            var light = 0.0
            for subY in (y * size.height)..<((y + 1) * size.height) {
              for subX in (x * size.width)..<((x + 1) * size.width) {
                let place = subY / target.height * size.width + subX / target.width
                let channel = UInt8(truncatingIfNeeded: source.pixels[place] >> shift)
                light += Color.light(of: channel)
              }
            }
            let mean = Color.channel(light: light / Double(size.width * size.height))
            let found = Int(scaled.pixels[y * target.width + x] >> shift & 255)
            #expect(abs(found - Int(mean)) <= 1)
          }
        }
      }
    }
  }

  @Test func `a part equals the same part of the whole`() {
    let size = PixelSize(64, 45)
    var random = SeededGenerator(seed: 4)
    let canvas = Canvas(size: size)
    // Safe: only writes inside the canvas.
    unsafe canvas.withPixels { pixels in
      for index in pixels.indices {
        unsafe pixels[index] = 0xff00_0000 | UInt32.random(in: 0...0xff_ffff, using: &random)
      }
    }
    for target in [PixelSize(64, 45), PixelSize(32, 20), PixelSize(13, 44)] {
      let scaling = AreaScaling(from: size, to: target)
      var whole = ShownPicture(size: target)
      _ = whole.take(scaling.scaled(PixelRect(size: target), of: canvas))
      for _ in 0..<50 {
        let x = Int.random(in: 0..<64, using: &random)
        let y = Int.random(in: 0..<45, using: &random)
        let damage = PixelRect(
          x0: x, y0: y, x1: Int.random(in: (x + 1)...64, using: &random),
          y1: Int.random(in: (y + 1)...45, using: &random))
        let rect = scaling.rect(showing: damage)
        let part = scaling.part(under: rect)
        #expect(part.contains(damage))
        #expect(scaling.scaled(rect, of: PixelBlock(part, of: canvas)) == whole[rect])
      }
    }
  }

  @Test func `only different pixels are found`() {
    var shown = ShownPicture(size: PixelSize(10, 10))
    let all = PixelRect(size: shown.size)
    let grey = PixelBlock(all, pixels: Array(repeating: 0xff80_8080, count: 100))
    #expect(shown.take(grey) == all)
    #expect(shown.take(grey).isEmpty)
    var pixels = grey.pixels
    pixels[23] = 0xffff_ffff
    pixels[57] = 0xffff_ffff
    #expect(
      shown.take(PixelBlock(all, pixels: pixels)) == PixelRect(x0: 3, y0: 2, x1: 8, y1: 6))
    #expect(shown.pixels == pixels)
    // Pixels outside are ignored.
    let beyond = PixelRect(x0: 8, y0: -1, x1: 13, y1: 2)
    let white = PixelBlock(beyond, pixels: Array(repeating: 0xffff_ffff, count: 15))
    #expect(shown.take(white) == PixelRect(x0: 8, y0: 0, x1: 10, y1: 2))
  }
}
