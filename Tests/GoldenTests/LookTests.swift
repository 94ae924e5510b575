// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import Foundation
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import RoundelRaster
import RoundelRuntime
import Testing
import RoundelText

@testable import RoundelReview

/// A kiosk in `Tests/Looks/Kiosks`: controls with defaults, in counts, scripts and sizes that no
/// example covers. `deploy/tools/contact-sheets` shows them.
private struct Look: Sendable, CustomTestStringConvertible {
  let name: String

  var testDescription: String { name }

  static let all: [Look] = {
    let folder = repository.appending(path: "Tests/Looks/Kiosks")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.sorted().map { Look(name: $0) }
  }()

  func reading(_ assets: StubImages = StubImages()) throws -> ParsedKiosk {
    let path = "Tests/Looks/Kiosks/\(name)"
    return ParsedKiosk(try bytes(path), path: path, assets: assets)
  }
}

/// The images of a kiosk.
private final class StubImages: AssetLoader {
  private(set) var images: [String: ImageFile] = [:]

  func loadImage(at path: String) throws(AssetError) {
    do {
      images[path] = try ImageFile(try bytes(path))
    } catch {
      throw AssetError("\(error)")
    }
  }
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    try Kiosks().loadText(at: path, inside: folder)
  }
  func findProgram(_ name: String, for kiosk: String) throws(AssetError) {
    try Kiosks().findProgram(name, for: kiosk)
  }
}

@Suite struct LookTests {
  @Test func `there are kiosks to check`() { #expect(Look.all.count >= 20) }

  @Test(arguments: Look.all)
  fileprivate func `a page uses few font sizes and text colours`(_ look: Look) throws {
    try forEachPage(of: look) { page, list, fonts in
      var sizes: Set<Int> = []
      var inks: Set<Color> = []
      for tile in list.tiles {
        guard case .text(let run) = tile.shape, case .color(var ink) = tile.fill,
          let block = fonts.layout(run)
        else { continue }
        // Font sizes in half steps of the scale, a sixth of an octave.
        sizes.insert(Int((log2(block.size) * 6).rounded()))
        ink.alpha = 255
        inks.insert(ink)
      }
      #expect(sizes.count <= 3, "\(page): \(sizes.sorted())")
      #expect(inks.count <= 2, "\(page): \(inks)")
    }
  }

  @Test(arguments: Look.all)
  fileprivate func `all text is legible on its background`(_ look: Look) throws {
    try forEachPage(of: look) { page, list, fonts in
      for contrast in contrasts(of: list, fonts) {
        #expect(
          contrast.ratio >= contrast.least, "\(page): \(contrast.text), \(contrast.ratio) : 1")
      }
    }
  }

  /// Calls `body` for each page in both themes, with its name and display list.
  private func forEachPage(
    of look: Look, _ body: (_ page: String, DisplayList, FontLibrary) -> Void
  ) throws {
    let reading = try look.reading()
    let description = try #require(reading.description, "\(reading.diagnostics)")
    let fonts = try FontLibrary(of: reading)
    for theme in ["dark", "light"] {
      var engine = Engine(description, seed: 0)
      try engine.set(.value("look"), to: .text(theme))
      for (index, page) in engine.pages.enumerated() {
        body("\(page.name) in \(theme)", engine.displayList(of: index), fonts)
      }
    }
  }

  /// The text of an enabled control, with its lowest contrast at its beginning, centre and end.
  private struct Contrast {
    var text: String
    var ratio: Double
    /// The requirement of WCAG 2.1, AA.
    var least: Double

    init(_ run: TextRun, _ ink: Color, on backgrounds: [Color], size: Double) {
      text = run.text
      ratio = backgrounds.map { ink.over($0).contrast(with: $0) }.min() ?? .infinity
      least = size >= 24 ? 3 : 4.5
    }
  }

  private func contrasts(of list: DisplayList, _ fonts: FontLibrary) -> [Contrast] {
    var found: [Contrast] = []
    for (index, span) in list.spans.enumerated() {
      for tile in list.tiles[span.tiles] {
        switch (tile.shape, tile.fill) {
        // Disabled controls are faded further.
        case (.text(let run), .color(let ink)) where ink.alpha >= 128:
          guard let block = fonts.layout(run), let place = TextPlace(of: block, run) else {
            continue
          }
          let shown = place.samples.filter { span.clip?.contains($0) != false }
          let backgrounds = shown.compactMap { Background(list, below: index, at: $0).color }
          found.append(Contrast(run, ink, on: backgrounds, size: block.size))
        case (_, .strip(let strip)):
          for row in strip.rows {
            guard let tile = row.content, case .text(let run) = tile.shape,
              case .color(let ink) = tile.fill, let block = fonts.layout(run)
            else { continue }
            found.append(Contrast(run, ink, on: [row.background], size: block.size))
          }
        default: break
        }
      }
    }
    return found
  }

  @Test(arguments: Look.all)
  fileprivate func `a press changes one percent of the pressed part in the same frame`(
    _ look: Look
  ) throws {
    let art = StubImages()
    let reading = try look.reading(art)
    let description = try #require(reading.description, "\(reading.diagnostics)")
    let size = description.screen.size
    let panel = PixelSize(Int(size.width / 2), Int(size.height / 2))
    let fonts = try FontLibrary(of: reading)
    for page in description.pages {
      for entry in page.controls {
        let stage = Stage(Content(description, fonts: fonts, images: art.images), seed: 0)
        stage.perform { _ = $0.go(to: page.name) }
        // A page in transition doesn't respond.
        stage.perform(at: stage.now + 1) { _ in }
        let control = entry.control
        guard let extent = control.extent, !(control is Chart), control.isTouched else { continue }
        let item = control.items(at: .zero).first { $0.isEnabled && $0.place != nil }
        guard let place = item?.place ?? control.place(of: nil, at: .zero),
          control.contains(place, at: .zero)
        else { continue }
        let before = stage.picture(panel).canvas().bitmap
        stage.perform { $0.handle(Touch(finger: 0, phase: .down, position: place), at: $0.now) }
        let after = stage.picture(panel).canvas().bitmap
        let changed = zip(before.pixels, after.pixels).count { $0 != $1 }
        let shown = extent.intersection(Rect(size: size))
        let area = shown.width * shown.height / 4
        #expect(
          Double(changed) >= 0.01 * area, "\(page.name): \(changed) of \(Int(area)) pixels")
      }
    }
  }
}

extension Control {
  /// Whether the control responds to touches.
  fileprivate var isTouched: Bool { (self as? Ring)?.slider.isInteractive ?? true }
}
