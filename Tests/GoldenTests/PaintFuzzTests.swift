// SPDX-License-Identifier: MIT

import Controls
import Drawing
import Foundation
import Geometry
import Kiosk
import KioskFile
import Motion
import Raster
import SystemFonts
import TestSupport
import Testing
import Text
import YAML

/// Kiosk files that pass, however strange, can also be painted and touched.
@Suite struct PaintFuzzTests {
  /// `ROUNDEL_PAINT_FUZZ=5000` tries as many files for each seed.
  private static let rounds =
    ProcessInfo.processInfo.environment["ROUNDEL_PAINT_FUZZ"].flatMap { Int($0) } ?? 12

  private struct AllImages: AssetLoader {
    func loadImage(at path: String) {}
    func loadFont(_ face: FaceName) {}
    func loadText(at path: String, inside folder: String) -> [UInt8] { [] }
    func findProgram(_ name: String, for kiosk: String) {}
  }

  private static let controls = [
    """
    pinwheel: ID, at: [640, 400], radius: 300, hole: 80, gap: 2, start: 30, font_size: 22,
    wedges: [{id: a, label: Soup of the day}, {id: b, image: a.png, press_image: b.png},
    {id: c, label: "", enabled: false}], on: {selected: [{go: q}, {set: {ID.visible: true}}]}
    """,
    """
    dial: ID, at: [640, 400], radius: 300, labels: 12, value: 3, label_offset: 40, font_size: 30,
    background: {image: a.png}, pointer: 20, ticks: {every: 1, step: 1}
    """,
    "dial: ID, at: [300, 300], radius: 200, labels: [one, two, three], wrap: false, inertia: fast",
    """
    menu: ID, at: [640, 400], radius: 48, leaf_radius: 40, distance: 150, start: 10, arc: 300,
    font_size: 20, items: [{id: a, label: A}, {id: b, image: a.png,
    items: [{id: c, label: C}, {id: d, items: [{id: e}]}]}], on: {selected: [{emit: x}]}
    """,
    """
    slots: ID, at: [640, 400], size: [900, 500], rows: 3, duration: 2, sharpen: 0.5,
    trigger: [touch, shake], reels: [{id: a, items: [x, y, zz]}, {id: b, items: [long words here]}]
    """,
    """
    picker: ID, at: [640, 400], size: [900, 500], rows: 5, mute: 0.5, font_size: 40,
    wheels: [{id: a, items: [1, 2, 3]}, {id: b, wrap: false, items: [{label: x, color: red}, y]}]
    """,
    "resistor: ID, at: [640, 400], size: [900, 500]",
    "button: ID, at: [200, 200], size: [240, 88], text: Back, on: {selected: [{blank: true}]}",
    "label: ID, at: [640, 360], text: \"{o.visible} now\\n\\u0628\\u202e\\u0301\", font_size: 56",
    "image: ID, at: [400, 300], size: [300, 200], file: a.png",
    """
    chart: ID, at: [640, 400], size: [900, 500], value: "{o.visible ? 3 : 9 / 2}", seconds: 60,
    min: 0, max: 16, gap: 2, unit: " °C", font_size: 22
    """,
    "chart: ID, at: [300, 300], size: [200, 99], value: 7, seconds: 2, format: .1f",
  ]

  private static let numbers = [
    "0", "1", "-1", "0.01", "0.5", "2", "3", "16", "99", "100", "359.99", "360", "-3600", "1000",
    "7680", "99999", "100000", "-100000", "1e-9", "1e5", "2147483647", "0.999999999",
  ]

  /// A kiosk of random controls whose numbers are others here and there.
  private func kiosk(_ random: inout SeededGenerator) -> String {
    var text = ""
    for (page, first) in [("p", true), ("q", false)] {
      text += "- page: \(page)\n"
      if Bool.random(using: &random) { text += "  background: {image: a.png}\n" }
      text += "  controls:\n"
      if first { text += "  - {label: o, at: [1, 2], text: t}\n" }
      for index in 0..<Int.random(in: 1...3, using: &random) {
        let control = Self.controls.randomElement(using: &random) ?? ""
        text += "  - {\(control.replacing("ID", with: "\(page)\(index)"))}\n"
      }
    }
    let often = Int.random(in: 2...40, using: &random)
    text = text.replacing(/\b[0-9]+(\.[0-9]+)?\b(?!\w)/) { number in
      Int.random(in: 0..<often, using: &random) == 0
        ? Self.numbers.randomElement(using: &random) ?? "" : String(number.output.0)
    }
    let sizes = ["[1280, 800]", "[16, 16]", "[7680, 16]", "[4320, 7680]", "[16.5, 900]"]
    return "kiosk: k\nscreen: {size: \(sizes.randomElement(using: &random) ?? "")}\npages:\n" + text
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `kiosks of any numbers that pass are painted and touched`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let font = try FontFile.read(try SystemFonts().file(for: "sans-serif").path)
    let sizes = [PixelSize(1, 8192), PixelSize(9, 4), PixelSize(100, 80), PixelSize(640, 1)]
    let images = Dictionary(
      uniqueKeysWithValues: zip(["a.png", "b.png"], sizes.shuffled(using: &random)).map {
        let count = $1.width * $1.height
        let pixels = (0..<count).map { 0xff00_0000 | UInt32($0) }
        return ($0, ImageFile(Bitmap(size: $1, pixels: pixels)))
      })
    var passed = 0
    for _ in 0..<Self.rounds {
      let text = kiosk(&random)
      let reading = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: AllImages())
      guard let description = reading.description else { continue }
      passed += 1
      let fonts = FontLibrary()
      for name in reading.fonts { try fonts.add(name, bytes: font) }
      let size = PixelSize(
        .random(in: 1...200, using: &random), .random(in: 1...200, using: &random))
      let sheet = Sheet(
        Painter(
          size: size, viewport: Viewport(fitting: description.screen.size, into: size),
          fonts: fonts, images: images))
      use(Engine(description, seed: seed), sheet, &random)
    }
    #expect(passed > 0)
  }

  private func use(_ kiosk: Engine, _ sheet: Sheet, _ random: inout SeededGenerator) {
    var engine = kiosk
    var time = 0.0
    sheet.show(engine.displayList)
    for _ in 0..<20 {
      time += .random(in: 0...0.4, using: &random)
      let place = Point(
        .random(in: -10...engine.screen.size.width, using: &random),
        .random(in: -10...engine.screen.size.height, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: engine.go(to: Bool.random(using: &random) ? "p" : "q")
      case 1: engine.shake(at: Instant(seconds: time))
      default:
        let phase = [Touch.Phase.down, .down, .move, .up].randomElement(using: &random) ?? .up
        engine.handle(
          Touch(finger: .random(in: 0...1, using: &random), phase: phase, position: place),
          at: Instant(seconds: time))
      }
      engine.advance(to: Instant(seconds: time))
      time = max(time, engine.now.seconds)
      sheet.show(engine.displayList)
    }
  }
}
