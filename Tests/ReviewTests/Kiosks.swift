// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
import Foundation
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelReview
import SystemFonts
import RoundelText

/// Finds all images, fonts and programs.
struct StubAssets: AssetLoader {
  func loadImage(at path: String) {}
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
      throw AssetError("no such file")
    }
    return Array(bytes)
  }
  func findProgram(_ name: String, for kiosk: String) {}
}

/// A library with a kiosk's fonts, without fallbacks.
func fonts(_ names: [FaceName]) throws -> FontLibrary {
  let library = FontLibrary()
  let system = try SystemFonts()
  for name in names {
    let file = try system.file(for: name.family, weight: name.weight)
    try library.add(name, bytes: try FontFile.read(file.path), faceIndex: file.faceIndex)
  }
  return library
}

extension ParsedKiosk {
  /// Adds all warnings to its errors.
  mutating func review(
    with fonts: FontLibrary, images: [String: ImageMask] = [:], panel: PixelSize? = nil,
    from start: Engine? = nil
  ) {
    guard let description else { return }
    var review = Review(description, fonts: fonts, images: images, panel: panel, from: start)
    while review.proceed() {}
    add(review.warnings)
  }
}

/// The warnings about a kiosk file, one per line, without its name, or its errors if it has any.
func warnings(
  _ text: String, images: [String: ImageMask] = [:], panel: PixelSize? = nil
) -> [String] {
  var reading = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: StubAssets())
  do {
    reading.review(with: try fonts(reading.fonts), images: images, panel: panel)
  } catch {
    return ["\(error)"]
  }
  return reading.diagnostics.map { String($0.description.dropFirst("k.yaml:".count)) }
}

/// The warnings about controls on a page of 800 by 480 pixels. The first control is on line 6.
/// `head` is one line of other keys.
func warnings(
  controls: String, head: String = "languages: [en]", background: String = "#203040",
  images: [String: ImageMask] = [:], panel: PixelSize? = nil
) -> [String] {
  warnings(
    """
    kiosk: k
    screen: {size: [800, 480], font: DejaVu Sans, panel: 20in}
    \(head)
    pages:
      - {page: home, background: "\(background)", controls: [
    \(controls)
      ]}
    """, images: images, panel: panel)
}
