// SPDX-License-Identifier: MIT

import Controls
import Drawing
import Geometry
import Kiosk
import KioskFile
import Motion
import Presentation
import Raster
import TestSupport
import Text

/// A random kiosk file that is painted on a random panel while it is touched at random, all from one
/// number.
package struct PaintSession {
  private var random: SeededGenerator
  private let file: RandomFile
  private var panel: GuardedPanel
  private let font: [UInt8]

  /// - Parameter number: one in 500 has the largest panel, which takes its time.
  package init(number: UInt64, font: [UInt8]) {
    random = SeededGenerator(seed: number)
    file = RandomFile(&random)
    panel = GuardedPanel(&random, isLargest: number % 500 == 499)
    self.font = font
  }

  /// The kiosk file, and the panel.
  package var description: String {
    """
    \(file.text)
    panel: \(panel.layout.size), \(panel.layout.format), turned by \(panel.layout.rotation.rawValue)°
    """
  }

  package enum Outcome: Hashable {
    /// The file was refused.
    case refused
    case held
    case violated(String)
  }

  package mutating func run() throws -> Outcome {
    let reading = ParsedKiosk(Array(file.text.utf8), path: "k.yaml", assets: AllAssets())
    guard let description = reading.description else { return .refused }
    let fonts = FontLibrary()
    for name in reading.fonts { try fonts.add(name, bytes: font) }
    let size = panel.layout.canvasSize
    let viewport = Viewport(fitting: description.screen.size, into: size)
    let images = images
    let painter = Painter(size: size, viewport: viewport, fonts: fonts, images: images)
    var engine = Engine(description, seed: 1)
    var time = 0.0
    let steps = size.width * size.height > 1 << 22 ? 2 : 20
    for step in 0...steps {
      if step > 0 { use(&engine, &time) }
      painter.show(engine.displayList)
      if let violation = panel.show(painter) { return .violated("step \(step): \(violation)") }
    }
    // The same list gives the same pixels, whatever was shown before.
    let anew = Painter(size: size, viewport: viewport, fonts: fonts, images: images)
    anew.show(engine.displayList)
    guard size.width * size.height <= 1 << 16 else { return .held }
    return painter.canvas().bitmap().pixels == anew.canvas().bitmap().pixels
      ? .held : .violated("the picture depends on what was shown before")
  }

  private var images: [String: ImageFile] {
    mutating get {
      let sizes = [
        PixelSize(1, 8192), PixelSize(9, 4), PixelSize(100, 80), PixelSize(640, 1), PixelSize(1, 1),
      ].shuffled(using: &random)
      var images: [String: ImageFile] = [:]
      for (name, size) in zip(["a.png", "b.png"], sizes) {
        let alpha: UInt32 = Bool.random(using: &random) ? 0xff00_0000 : 0x8000_0000
        images[name] = ImageFile(
          Bitmap(
            size: size,
            pixels: (0..<size.width * size.height).map { alpha | UInt32($0) & 0x7f_7f7f }))
      }
      return images
    }
  }

  private mutating func use(_ engine: inout Engine, _ time: inout Double) {
    time += .random(in: 0...0.4, using: &random)
    let place = Point(
      .random(in: -10...engine.screen.size.width, using: &random),
      .random(in: -10...engine.screen.size.height, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: engine.go(to: Bool.random(using: &random) ? "p" : "q")
    case 2: engine.shake(at: Instant(seconds: time))
    default:
      let phase = [Touch.Phase.down, .down, .move, .up].randomElement(using: &random) ?? .up
      engine.handle(
        Touch(finger: .random(in: 0...1, using: &random), phase: phase, position: place),
        at: Instant(seconds: time))
    }
    engine.advance(to: Instant(seconds: time))
    time = max(time, engine.now.seconds)
  }
}

/// Whatever a file names is there.
struct AllAssets: AssetLoader {
  func loadImage(at path: String) {}
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) -> [UInt8] { [] }
  func findProgram(_ name: String, for kiosk: String) {}
}
