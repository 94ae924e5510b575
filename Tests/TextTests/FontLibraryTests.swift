// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing
import RoundelText

@Suite struct FontLibraryTests {
  private func mask(_ text: String, _ library: FontLibrary, font: Font = inter) -> GlyphMask {
    library.mask(
      for: TextRun(text, font: font, size: 40, at: Point(400, 400)), viewport: .unscaled,
      clip: .screen)
  }

  @Test func `a fallback font supplies missing characters`() throws {
    let library = try fontLibrary(inter, dejaVu)
    let box = mask("⚀", library)
    #expect(box == mask("⚁", library), "both show the box for missing characters")
    library.fallBack(on: dejaVu)
    let die = mask("⚀", library)
    #expect(die != box)
    let own = mask("⚀", library, font: dejaVu)
    #expect(abs(die.ink - own.ink) < own.ink * 0.01 && die.bounds == own.bounds)
    #expect(mask("\u{10fffd}", library).ink > 0, "what no font has shows the box")
  }

  @Test func `an unknown font draws nothing, or uses the fallback`() throws {
    let library = try fontLibrary(dejaVu)
    #expect(mask("Hello", library) == .empty)
    library.fallBack(on: dejaVu)
    #expect(mask("Hello", library) == mask("Hello", library, font: dejaVu))
  }

  @Test func `adding a font again replaces it`() throws {
    let library = try fontLibrary(inter)
    let before = mask("Ragged", library)
    try library.add(FaceName("Inter"), bytes: fontBytes(dejaVu))
    #expect(mask("Ragged", library) != before)
  }

  @Test func `bytes that aren't a font give an error with the reason`() throws {
    let library = FontLibrary()
    let font = try fontBytes(dejaVu)
    func error(_ bytes: [UInt8], face: Int = 0) -> FontError? {
      do throws(FontError) {
        try library.add(FaceName("Inter"), bytes: bytes, faceIndex: face)
        return nil
      } catch {
        return error
      }
    }
    #expect(error([]) == .empty)
    let yaml = String(repeating: "kiosk: shows\n", count: 99)
    #expect(error(Array(yaml.utf8)) == .unknownFormat)
    #expect(error(font, face: 7) == .noFace(index: 7))
    #expect(error(font, face: -1) == .noFace(index: -1))
    #expect(error(font, face: .max) == .noFace(index: .max))
    for length in [1, 12, 200, 5000, font.count / 2] {
      #expect(error(Array(font.prefix(length))) != nil)
    }
    #expect(!library.contains(FaceName("Inter")))
    #expect(mask("Hello", library) == .empty)
  }

  @Test(arguments: [dejaVu, inter])
  func `a damaged font is an error or usable, and never harmful`(_ name: Font) throws {
    let font = try fontBytes(name)
    var random = SeededGenerator(seed: 3)
    for round in 0..<60 {
      var bytes = font
      // Half of the damage is in the table directory and the first tables.
      let reach = round % 2 == 0 ? 4096 : bytes.count
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        bytes[Int.random(in: 0..<reach, using: &random)] = .random(in: 0...255, using: &random)
      }
      if round % 5 == 0 { bytes.removeLast(.random(in: 0..<bytes.count, using: &random)) }
      let library = FontLibrary()
      guard (try? library.add(FaceName(name.families[0]), bytes: bytes)) != nil else { continue }
      for text in ["Hello AVATAR 0123", "\u{1}é漢ﬁ⚀"] {
        #expect(PixelRect.screen.contains(mask(text, library, font: name).bounds))
      }
      _ = mask("Hello", library, font: Font(name.families, weight: 700))
    }
  }

  static let strangeTexts = [
    "", " ", "\n", "\n\n\n", "\t\t", "\u{0}\u{1}\u{7f}\u{85}", "\u{301}", "\u{301}\u{302}\u{303}",
    "👨‍👩‍👧‍👦🏳️‍🌈", "שלום עולם", "مرحبا بالعالم", "नमस्ते",
    "\u{202e}evil\u{202c}", "\u{feff}\u{200b}\u{200d}",
    "e" + String(repeating: "\u{301}", count: 500), String(repeating: "W", count: 500),
    String(repeating: "wide words ", count: 20_000), String(repeating: "\n", count: 10_000),
    "\u{e000}\u{f8ff}\u{10ffff}\u{fffe}",
  ]

  // A limit that an emulated processor, which takes an hour, can meet.
  @Test(.timeLimit(.minutes(120)), arguments: strangeTexts)
  func `any text can be laid out`(_ text: String) throws {
    let library = try fontLibrary(inter, dejaVu)
    library.fallBack(on: dejaVu)
    for box in [nil, Size(200, 50), Size(200, 1e9)] {
      let run = TextRun(
        text, font: inter, size: 30, at: Point(640, 400), angle: .degrees(17), box: box,
        lines: 1_000_000, tabularFigures: true)
      let mask = library.mask(for: run, viewport: .unscaled, clip: .screen)
      #expect(PixelRect.screen.contains(mask.bounds))
    }
  }

  @Test func `non-finite numbers draw nothing, and huge ones are clipped`() throws {
    let library = try fontLibrary(dejaVu)
    let numbers = [
      0, -1, 1e-300, 1e-3, 1e5, 1e9, 1e30, 1e300, -1e300, .infinity, -.infinity, .nan,
    ]
    let usual = TextRun("Hello", font: dejaVu, size: 30, at: Point(640, 400))
    for number in numbers {
      var runs = [TextRun](repeating: usual, count: 8)
      runs[0].size = number
      runs[1].minimumSize = number
      runs[1].bounds = .box(Size(10, 10))
      runs[2].anchor.x = number
      runs[3].angle = Angle(radians: number)
      runs[4].bounds = .box(Size(number, 40))
      runs[5].bounds = .box(Size(100, number))
      runs[5].lines = .max
      runs[6].lines = number.isFinite ? Int(max(-1e9, min(number, 1e9))) : .min
      runs[7].size = number
      runs[7].bounds = .box(Size(100, 100))
      for run in runs {
        let viewports = [
          .unscaled, Viewport(scale: number, offset: .zero),
          Viewport(scale: 1, offset: Vector(number, 0)),
        ]
        for viewport in viewports {
          let mask = library.mask(for: run, viewport: viewport, clip: .screen)
          #expect(PixelRect.screen.contains(mask.bounds))
        }
      }
    }
    var run = usual
    run.size = .nan
    #expect(library.mask(for: run, viewport: .unscaled, clip: .screen) == .empty)
    let everywhere = PixelRect(x0: .min, y0: .min, x1: .max, y1: .max)
    #expect(
      library.mask(for: usual, viewport: .unscaled, clip: everywhere)
        == library.mask(for: usual, viewport: .unscaled, clip: .screen))
  }

  @Test func `any text can be drawn at any size, angle and position`() throws {
    let library = try fontLibrary(inter, dejaVu)
    library.fallBack(on: dejaVu)
    var random = SeededGenerator(seed: 11)
    for _ in 0..<400 {
      var text = ""
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let greatest: UInt32 = Bool.random(using: &random) ? 0x250 : 0x10ffff
        if let scalar = Unicode.Scalar(UInt32.random(in: 0...greatest, using: &random)) {
          text.unicodeScalars.append(scalar)
        }
      }
      let run = TextRun(
        text, font: Font("Inter", weight: [400, 700].randomElement(using: &random)),
        size: .random(in: 0...300, using: &random),
        at: Point(
          .random(in: -500...1800, using: &random), .random(in: -500...1300, using: &random)),
        angle: .degrees(.random(in: -720...720, using: &random)),
        alignment: TextRun.Alignment.allCases.randomElement(using: &random) ?? .center,
        box: Bool.random(using: &random)
          ? Size(.random(in: 0...500, using: &random), .random(in: 0...300, using: &random)) : nil,
        lines: .random(in: 0...5, using: &random), tabularFigures: .random(using: &random))
      let viewport = Viewport(
        scale: .random(in: 0.1...3, using: &random), offset: Vector(10.5, -3.25))
      let mask = library.mask(for: run, viewport: viewport, clip: .screen)
      #expect(PixelRect.screen.contains(mask.bounds))
      #expect(mask == library.mask(for: run, viewport: viewport, clip: .screen))
    }
  }
}
