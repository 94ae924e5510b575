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
import RoundelText

/// Controls with images: a rotating dial face, wedge art, a menu's growing icons, pictures in
/// frames of other proportions, and spinning reels.
@Suite struct ImageGoldenTests {
  enum Scene: String, CaseIterable {
    case face, wheel, icons, pictures, reels

    var controls: String {
      switch self {
      case .face:
        """
              - dial: d
                at: [640, 400]
                radius: 380
                labels: 12
                label_offset: 44
                font_size: 34
                text_color: white
                background: {image: face.png}
        """
      case .wheel:
        """
              - pinwheel: w
                at: [640, 400]
                radius: 380
                gap: 8px
                wedges:
                  - {id: a, image: one.png, press_image: two.png}
                  - {id: b, image: two.png, press_image: three.png}
                  - {id: c, image: three.png, label: Lit}
                  - {id: d, image: clear.png, color: "#405060"}
        """
      case .icons:
        """
              - menu: m
                at: [640, 400]
                radius: 110
                leaf_radius: 90
                image: one.png
                items:
                  - {id: a, image: clear.png}
                  - {id: b, image: two.png}
                  - {id: c, image: three.png}
                  - {id: d, image: face.png}
                  - {id: e, label: Text}
                  - {id: f, image: clear.png, enabled: false}
        """
      case .pictures:
        """
              - {image: a, at: [230, 210], size: [360, 340], file: one.png}
              - {image: b, at: [640, 210], size: [360, 340], file: one.png, fit: cover}
              - {image: c, at: [1050, 210], size: [360, 340], file: one.png, fit: fill}
              - {image: d, at: [230, 590], size: [360, 340], file: three.png, fit: contain}
              - {image: e, at: [640, 590], size: [360, 340], file: three.png, fit: cover}
              - {image: f, at: [1050, 590], size: [360, 340], file: clear.png, fit: "{'cover'}"}
        """
      case .reels:
        """
              - slots: s
                at: [640, 400]
                size: [1200, 720]
                duration: 2
                reels:
                  - {id: a, items: [{image: one.png}, {image: two.png}, {image: three.png}]}
                  - {id: b, items: [{image: clear.png, weight: 3}, {image: face.png}, {label: Text}]}
                  - {id: c, items: [{image: three.png}, {image: clear.png, weight: 0}]}
        """
      }
    }

    var text: String {
      """
      kiosk: art
      screen: {background: "#182028", font: Inter}
      pages:
        - page: p
          background: {image: behind.png}
          controls:
      \(controls)
      """
    }

    /// The touches, and the times of screenshots.
    var touches: [(Double, Touch.Phase, Point)] {
      switch self {
      case .face: [(0.1, .down, Point(640, 120)), (0.2, .move, Point(780, 160))]
      case .wheel: [(0.1, .down, Point(760, 420))]
      case .icons: [(0.1, .down, Point(640, 400)), (0.15, .up, Point(640, 400))]
      case .reels: [(0.1, .down, Point(640, 400)), (0.15, .up, Point(640, 400))]
      case .pictures: []
      }
    }
    var times: [Double] {
      switch self {
      case .icons: [0.24, 1.5]
      case .reels: [0.6, 3.5]
      case .face, .wheel, .pictures: [0.3]
      }
    }
  }

  @Test(
    .enabled(if: isDebian12, "text looks different with another FreeType"),
    arguments: Scene.allCases,
    [PixelSize(320, 240), PixelSize(800, 480), PixelSize(1280, 800), PixelSize(1080, 1920)])
  func `images match their goldens at rest and in motion, in any rotation`(
    _ scene: Scene, _ size: PixelSize
  ) throws {
    let reading = ParsedKiosk(Array(scene.text.utf8), path: "art.yaml", assets: StubImages())
    var engine = Engine(try #require(reading.description, "\(reading.diagnostics)"), seed: 0)
    let fonts = FontLibrary()
    let system = try SystemFonts()
    for font in reading.fonts {
      let file = try system.file(for: font.family, weight: font.weight)
      try fonts.add(font, bytes: try FontFile.read(file.path), faceIndex: file.faceIndex)
    }
    let painter = Painter(
      size: size, viewport: Viewport(fitting: engine.screen.size, into: size), fonts: fonts,
      images: StubImages.images)
    let displays = Rotation.allCases.map { rotation in
      HeadlessDisplay(
        size: rotation.applied(to: size), rotation: rotation, refreshInterval: 0, clock: { .zero })
    }
    let isSmall = size.width * size.height < 1_000_000
    var touches = scene.touches[...]
    var times = scene.times[...]
    for frame in 0..<200 {
      guard let time = times.first else { break }
      let now = Instant(seconds: Double(frame) / 50)
      while let touch = touches.first, Instant(seconds: touch.0) <= now {
        engine.handle(
          Touch(finger: 0, phase: touch.1, position: touch.2), at: Instant(seconds: touch.0))
        touches.removeFirst()
      }
      engine.advance(to: now)
      // Small pictures are painted by damage, with some frames before each screenshot.
      guard Instant(seconds: time) - now < (isSmall ? 0.07 : 0.01) else { continue }
      painter.show(engine.displayList)
      for display in displays { _ = try display.present(painter) }
      guard now >= Instant(seconds: time) else { continue }
      times.removeFirst()
      let name = "images-\(scene.rawValue)-\(Int(time * 100))-\(size)"
      let panels = Dictionary(
        uniqueKeysWithValues: zip(Rotation.allCases, displays).map { ($0, $1.panel) })
      if isSmall {
        try Golden(name: name + ".png").check(panels)
      } else {
        try Golden(name: name + ".sum").checkSum(panels)
      }
      // Painting by damage must equal a full repaint.
      guard size.width < 400 else { continue }
      let whole = Painter(
        size: size, viewport: painter.viewport, fonts: fonts, images: StubImages.images)
      whole.show(engine.displayList)
      #expect(whole.canvas().bitmap() == displays[0].panel.bitmap())
    }
    #expect(times.isEmpty)
  }
}

/// Images of plain areas, computed in integers.
private struct StubImages: AssetLoader {
  static let images: [String: ImageFile] = [
    "face.png": image(PixelSize(500, 500), 1), "one.png": image(PixelSize(640, 400), 2),
    "two.png": image(PixelSize(300, 300), 3), "three.png": image(PixelSize(900, 1100), 4),
    "clear.png": image(PixelSize(128, 128), 5, isClear: true),
    "behind.png": image(PixelSize(200, 120), 6),
  ]

  private static func image(_ size: PixelSize, _ seed: Int, isClear: Bool = false) -> ImageFile {
    let pixels = (0..<size.width * size.height).map { place -> UInt32 in
      let (x, y) = (place % size.width * 1000 / size.width, place / size.width * 1000 / size.height)
      let (dx, dy) = (x - 500, y - 500)
      let ring = (dx * dx + dy * dy) / (30_000 + seed * 4_000)
      let side = (dx > 0 ? 1 : 0) + (dy > 0 ? 2 : 0)
      if isClear, ring > 4 { return 0 }
      func channel(_ factor: Int) -> UInt32 {
        UInt32(40 + (ring * factor + side * 37 + seed * 61) % 5 * 45)
      }
      return 0xff00_0000 | channel(3) << 16 | channel(1) << 8 | channel(2)
    }
    return ImageFile(Bitmap(size: size, pixels: pixels))
  }

  func loadImage(at path: String) throws(AssetError) {
    guard Self.images[path] != nil else { throw AssetError("there is no such image") }
  }
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("the tests know no files")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}
