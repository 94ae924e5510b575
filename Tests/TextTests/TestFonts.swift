// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import SystemFonts
import RoundelText

let dejaVu = Font("DejaVu Sans")
let inter = Font("Inter")

/// The bytes of an installed font (Debian: fonts-dejavu-core, fonts-inter).
func fontBytes(_ name: Font) throws -> [UInt8] {
  try FontFile.read(SystemFonts().file(for: name.families[0]).path)
}

func fontLibrary(_ names: Font...) throws -> FontLibrary {
  let library = FontLibrary()
  for name in names { try library.add(FaceName(name.families[0]), bytes: fontBytes(name)) }
  return library
}

extension Viewport {
  static let unscaled = Viewport(scale: 1, offset: .zero)
}

extension PixelRect {
  static let screen = PixelRect(size: PixelSize(1280, 800))
}

extension GlyphMask {
  /// The covered area in pixels.
  var ink: Double { coverage.reduce(0.0) { $0 + Double($1) } / 255 }

  /// The coverage of a pixel anywhere on the canvas.
  func at(_ x: Int, _ y: Int) -> UInt8 {
    guard bounds.contains(PixelRect(x0: x, y0: y, x1: x + 1, y1: y + 1)) else { return 0 }
    return coverage[(y - bounds.y0) * bounds.width + x - bounds.x0]
  }
}

extension FontLibrary {
  /// Uses an added font for characters that others lack.
  func fallBack(on font: Font) {
    fallback = { _, _, _ in font.faces[0] }
  }
}
