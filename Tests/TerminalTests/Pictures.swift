// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelRaster
import TestSupport

/// A picture with random changes like a kiosk's: plain areas, some with noise.
struct RandomPicture {
  let size: PixelSize
  private(set) var pixels: [UInt32]
  private var random: SeededGenerator

  init(_ size: PixelSize, seed: UInt64) {
    self.size = size
    random = SeededGenerator(seed: seed)
    pixels = Array(repeating: 0xff10_151c, count: size.width * size.height)
  }

  var whole: PixelBlock { PixelBlock(PixelRect(size: size), pixels: pixels) }

  /// Paints a random rectangle and returns a block that contains it.
  mutating func change() -> PixelBlock {
    let rect = randomRect()
    let color = randomColor()
    let isNoisy = Int.random(in: 0..<4, using: &random) == 0
    for y in rect.y0..<rect.y1 {
      for x in rect.x0..<rect.x1 {
        pixels[y * size.width + x] = isNoisy ? randomColor() : color
      }
    }
    let damage = PixelRect(x0: rect.x0 - 2, y0: rect.y0 - 1, x1: rect.x1 + 1, y1: rect.y1 + 3)
      .intersection(PixelRect(size: size))
    var part: [UInt32] = []
    for y in damage.y0..<damage.y1 {
      part += pixels[(y * size.width + damage.x0)..<(y * size.width + damage.x1)]
    }
    return PixelBlock(damage, pixels: part)
  }

  private mutating func randomRect() -> PixelRect {
    let x = Int.random(in: 0..<size.width, using: &random)
    let y = Int.random(in: 0..<size.height, using: &random)
    return PixelRect(
      x0: x, y0: y, x1: min(size.width, x + Int.random(in: 1...20, using: &random)),
      y1: min(size.height, y + Int.random(in: 1...12, using: &random)))
  }

  private mutating func randomColor() -> UInt32 {
    0xff00_0000 | UInt32.random(in: 0...0xff_ffff, using: &random)
  }
}

extension TerminalEmulator {
  /// Whether this picture is shown. Avoids printing pixels in failures.
  func shows(_ picture: RandomPicture) -> Bool { pixels == picture.pixels }
}
