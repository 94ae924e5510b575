// SPDX-License-Identifier: MIT

import CRoundelFreeType
import RoundelDrawing
import RoundelGeometry
import Testing
import RoundelText

@Suite struct MaskTests {
  /// FreeType's rendering of a glyph, requested in the usual way.
  private func reference(
    _ character: Unicode.Scalar, _ pixels: UInt32, _ bytes: [UInt8]
  ) throws -> (left: Int, top: Int, mask: GlyphMask) {
    var library: FT_Library?
    try #require(unsafe FT_Init_FreeType(&library) == 0)
    defer { _ = unsafe FT_Done_FreeType(library) }
    // The bytes outlive the face, which is used only inside the closure.
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      var face: FT_Face?
      _ = unsafe FT_New_Memory_Face(library, bytes.baseAddress, bytes.count, 0, &face)
      _ = unsafe FT_Set_Pixel_Sizes(face, 0, pixels)
      _ = unsafe FT_Load_Char(
        face, UInt(character.value), Int32(FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP))
      guard let slot = unsafe face?.pointee.glyph else { return (0, 0, .empty) }
      _ = unsafe FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL)
      let bitmap = unsafe slot.pointee.bitmap
      let size = unsafe PixelSize(Int(bitmap.width), Int(bitmap.rows))
      var coverage: [UInt8] = []
      for y in 0..<size.height {
        for x in 0..<size.width {
          unsafe coverage.append(bitmap.buffer[y * Int(bitmap.pitch) + x])
        }
      }
      return unsafe (
        Int(slot.pointee.bitmap_left), Int(slot.pointee.bitmap_top),
        GlyphMask(bounds: PixelRect(size: size), coverage: coverage)
      )
    }
  }

  @Test(arguments: ["g", "A", "%", "é", "&"] as [Unicode.Scalar], [11, 22, 61] as [UInt32])
  func `an unrotated glyph looks like FreeType's rendering`(
    _ character: Unicode.Scalar, _ size: UInt32
  ) throws {
    for name in [dejaVu, inter] {
      let bytes = try fontBytes(name)
      let library = FontLibrary()
      try library.add(name.faces[0], bytes: bytes)
      let (left, top, expected) = try reference(character, size, bytes)
      var run = TextRun(
        String(character), font: name, size: Double(size), at: Point(100, 100), alignment: .start)
      // The baseline is on a whole pixel, like the reference.
      let block = try #require(library.layout(run))
      run.anchor.y = 100 - block.capHeight / 2 * block.size
      let mask = library.mask(for: run, viewport: .unscaled, clip: .screen)
      var worst = 0
      var sum = 0
      for y in -1...expected.bounds.height {
        for x in -1...expected.bounds.width {
          let ours = Int(mask.at(100 + left + x, 100 - top + y))
          let difference = abs(ours - Int(expected.at(x, y)))
          worst = max(worst, difference)
          sum += difference
        }
      }
      // FreeType scales with 16 fraction bits, so an outline may be off by 1/64 pixel: 4 of 255
      // along an edge, and twice that at two edges. Inter's cubic curves are subdivided until flat,
      // and such an offset may cause another subdivision.
      #expect(worst <= (name == dejaVu ? 8 : 32))
      #expect(Double(sum) <= 1.5 * Double(expected.bounds.area))
      #expect(abs(mask.ink - expected.ink) <= expected.ink * 0.01)
    }
  }

  @Test(arguments: [9.0, 22, 60])
  func `rotation doesn't change the amount of ink`(_ size: Double) throws {
    let library = try fontLibrary(dejaVu)
    var run = TextRun("Wheel of Fortune", font: dejaVu, size: size, at: Point(640.3, 400.7))
    let upright = library.mask(for: run, viewport: .unscaled, clip: .screen).ink
    #expect(upright > size * size)
    for degrees in stride(from: -360.0, through: 360, by: 7.3) {
      run.angle = .degrees(degrees)
      let ink = library.mask(for: run, viewport: .unscaled, clip: .screen).ink
      #expect(abs(ink - upright) < upright * 0.01, "at \(degrees)°")
    }
  }

  @Test func `a quarter turn rotates the pixels clockwise about the anchor`() throws {
    let library = try fontLibrary(dejaVu)
    var run = TextRun("Fig 7", font: dejaVu, size: 30, at: Point(400, 400), alignment: .start)
    let upright = library.mask(for: run, viewport: .unscaled, clip: .screen)
    run.angle = .degrees(90)
    let turned = library.mask(for: run, viewport: .unscaled, clip: .screen)
    #expect(turned.bounds.y0 >= 400, "a text that starts at its anchor reads downwards")
    var worst = 0
    for y in -40..<40 {
      for x in -10..<120 {
        let before = Int(upright.at(400 + x, 400 + y))
        worst = max(worst, abs(before - Int(turned.at(400 - 1 - y, 400 + x))))
      }
    }
    #expect(worst <= 8)
  }

  @Test(arguments: TextRun.Alignment.allCases)
  func `capitals are vertically centred on the anchor`(_ alignment: TextRun.Alignment) throws {
    let library = try fontLibrary(dejaVu)
    let run = TextRun("HHH", font: dejaVu, size: 100, at: Point(500, 300), alignment: alignment)
    let bounds = library.mask(for: run, viewport: .unscaled, clip: .screen).bounds
    #expect(abs(bounds.y0 + bounds.y1 - 600) <= 1)
    switch alignment {
    case .start, .left: #expect((500...515).contains(bounds.x0))
    case .center: #expect(abs(bounds.x0 + bounds.x1 - 1000) <= 2)
    case .end, .right: #expect((485...500).contains(bounds.x1))
    }
  }

  @Test(arguments: ["10:15", "Hall", "قاعة"])
  func `a line starts on the side of its language, not of its characters`(_ text: String) throws {
    let library = try fontLibrary(dejaVu)
    func bounds(_ alignment: TextRun.Alignment, _ language: String) -> PixelRect {
      let font = Font(dejaVu.families, language: language)
      let run = TextRun(text, font: font, size: 100, at: Point(500, 300), alignment: alignment)
      return library.mask(for: run, viewport: .unscaled, clip: .screen).bounds
    }
    for language in ["en", "ar"] {
      #expect(bounds(.start, language) == bounds(language == "en" ? .left : .right, language))
      #expect(bounds(.end, language) == bounds(language == "en" ? .right : .left, language))
    }
    #expect(bounds(.start, "") == bounds(text == "قاعة" ? .right : .left, ""))
  }

  @Test func `two lines are centred on the anchor`() throws {
    let library = try fontLibrary(dejaVu)
    let run = TextRun("H\nH", font: dejaVu, size: 50, at: Point(500, 300))
    let bounds = library.mask(for: run, viewport: .unscaled, clip: .screen).bounds
    #expect(abs(bounds.y0 + bounds.y1 - 600) <= 1)
    #expect(bounds.height > 80)
  }

  @Test func `a scaled viewport equals a larger text`() throws {
    let library = try fontLibrary(dejaVu)
    let small = TextRun(
      "Good Morning America", font: dejaVu, size: 20, at: Point(200, 100), angle: .degrees(30),
      box: Size(130, 60), lines: 2)
    var large = small
    large.size = 40
    large.anchor = Point(410, 205)
    large.bounds = .box(Size(260, 120))
    large.minimumSize = 20
    #expect(
      library.mask(
        for: small, viewport: Viewport(scale: 2, offset: Vector(10, 5)), clip: .screen)
        == library.mask(for: large, viewport: .unscaled, clip: .screen))
  }

  @Test func `a clipped mask is part of the whole mask`() throws {
    let library = try fontLibrary(dejaVu)
    let run = TextRun(
      "Nightline", font: dejaVu, size: 40, at: Point(300, 200), angle: .degrees(20))
    let whole = library.mask(for: run, viewport: .unscaled, clip: .screen)
    for clip in [
      PixelRect(x0: 250, y0: 180, x1: 320, y1: 230), PixelRect(x0: 300, y0: 0, x1: 301, y1: 800),
      PixelRect(x0: 0, y0: 205, x1: 1280, y1: 206), .empty,
      PixelRect(x0: 900, y0: 0, x1: 1000, y1: 100),
    ] {
      let part = library.mask(for: run, viewport: .unscaled, clip: clip)
      #expect(clip.contains(part.bounds))
      for y in clip.y0..<clip.y1 {
        for x in clip.x0..<clip.x1 where part.at(x, y) != whole.at(x, y) {
          Issue.record("\(clip): (\(x), \(y)): \(part.at(x, y)) instead of \(whole.at(x, y))")
        }
      }
    }
  }

  // DejaVu's underscores overlap, so that they join.
  @Test func `overlapping glyphs don't get darker at the overlap`() throws {
    let library = try fontLibrary(dejaVu)
    for shift in stride(from: 0.0, to: 1, by: 0.1) {
      func greatest(_ text: String) -> [UInt8] {
        let mask = library.mask(
          for: TextRun(text, font: dejaVu, size: 40, at: Point(300, 200 + shift)),
          viewport: .unscaled, clip: .screen)
        return (mask.bounds.y0..<mask.bounds.y1).map { y in
          (mask.bounds.x0..<mask.bounds.x1).map { mask.at($0, y) }.max() ?? 0
        }
      }
      #expect(greatest("____") == greatest("_"))
    }
  }

  @Test func `a family without a bold font is emboldened without rotation or offset`() throws {
    let library = try fontLibrary(dejaVu)
    func mask(_ bold: Bool) -> GlyphMask {
      library.mask(
        for: TextRun(
          "Hello", font: Font("DejaVu Sans", weight: bold ? 700 : 400), size: 60,
          at: Point(400, 400)),
        viewport: .unscaled, clip: .screen)
    }
    #expect(mask(true).ink > mask(false).ink * 1.2)
    #expect(mask(true).ink < mask(false).ink * 1.8)
    let growth =
      (mask(false).bounds.y0 - mask(true).bounds.y0)
      - (mask(true).bounds.y1 - mask(false).bounds.y1)
    #expect(abs(growth) <= 1)
  }
}
