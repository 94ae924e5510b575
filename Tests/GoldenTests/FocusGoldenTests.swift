// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import Foundation
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import SystemFonts
import TestSupport
import Testing

/// The focus mark around each control and along its parts.
@Suite struct FocusGoldenTests {
  /// The keys after the first one.
  private static let ways: KeyValuePairs<String, [Keystroke]> = [
    "wheel": [], "wedge": [.enter, .right, .right],
    "dial": [.next], "face": [.next, .enter],
    "picker": [.next, .next], "column": [.next, .next, .enter],
    "button": [.next, .next, .next],
    "slots": [.previous, .previous], "leaf": [.previous, .enter, .right],
  ]

  private func kiosk(_ theme: String) -> String {
    """
    kiosk: focus
    screen: {size: [640, 400], font: Inter}
    theme: \(theme)
    pages:
    - page: p
      controls:
      - pinwheel: wheel
        at: [120, 120]
        radius: 105
        wedges: [{id: a, label: A}, {id: b, label: B, enabled: false}, {id: c, label: C}, {id: d, label: D}, {id: e, label: E}, {id: f, label: F}]
      - {dial: dial, at: [350, 120], radius: 100, labels: 12}
      - {picker: time, at: [550, 120], size: [150, 200], wheels: [{id: h, items: ["1", "2", "3"]}, {id: m, items: ["4", "5", "6"]}]}
      - {button: button, at: [80, 320], size: [120, 60], text: Press}
      - {slots: slots, at: [270, 320], size: [180, 110], reels: [{id: r, items: [x, y, z]}, {id: s, items: [u, v, w]}]}
      - {menu: menu, at: [500, 300], radius: 30, leaf_radius: 26, label: Menu, items: [{id: a, label: A}, {id: b, label: B}, {id: c, label: C}]}
    """
  }

  @Test(
    .enabled(if: isDebian12, "text looks different with other fonts than Debian 12's"),
    arguments: ["dark", "light"])
  func `the focus mark is visible on each control in both themes`(_ theme: String) throws {
    let reading = ParsedKiosk(Array(kiosk(theme).utf8), path: "focus.yaml", assets: NoAssets())
    let description = try #require(reading.description, "\(reading.diagnostics)")
    let fonts = FontLoader()
    for font in reading.fonts { try fonts.load(font) }
    fonts.loadFallback()
    let size = PixelSize(480, 300)
    for (name, keys) in Self.ways {
      var engine = Engine(description, seed: 0)
      for key in [.right] + keys {
        try engine.apply(.key(key))
        engine.advance(to: engine.now + 1)
      }
      let painter = Painter(
        size: size, viewport: Viewport(fitting: engine.screen.size, into: size),
        fonts: fonts.library)
      painter.show(engine.displayList)
      try Golden(name: "focus-\(theme)-\(name).png").check([.none: painter.canvas()])
    }
  }
}

/// The assets of kiosks without files.
struct NoAssets: AssetLoader {
  func loadImage(at path: String) throws(AssetError) {
    throw AssetError("the tests know no images")
  }
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("the tests know no files")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}
