// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import SystemFonts
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

@Suite struct EmojiPaintingTests {
  private let size = PixelSize(160, 120)

  private func sheet() throws -> Sheet {
    let loader = FontLoader()
    try loader.load(FaceName("Inter"))
    #expect(
      throws: Never.self, "there is no Noto Color Emoji: install the fonts that deploy/test does"
    ) { try SystemFonts().file(for: "Noto Color Emoji") }
    loader.loadFallback()
    return Sheet(
      Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: loader.library))
  }

  private func list(
    _ text: String, _ color: Color, on background: Color = .black, angle: Double = 0,
    size: Double = 40, scale: Double = 1, isMoving: Bool = false
  ) -> DisplayList {
    var list = DisplayList(background: background)
    list.add(
      .text(
        TextRun(
          text, font: "Inter", size: size, at: Point(80, 60), angle: .degrees(angle), scale: scale,
          isMoving: isMoving)), color)
    return list
  }

  private func pixels(_ list: DisplayList) throws -> [Color] {
    let sheet = try sheet()
    sheet.show(list)
    return (0..<size.height).flatMap { y in
      (0..<size.width).map { Color(hex: sheet.canvas[$0, y] & 0xff_ffff) }
    }
  }

  private func distance(_ a: Color, _ b: Color) -> Int {
    max(
      abs(Int(a.red) - Int(b.red)), abs(Int(a.green) - Int(b.green)),
      abs(Int(a.blue) - Int(b.blue)))
  }

  @Test(arguments: [false, true])
  func `an emoji keeps its own colours, and letters have the text's`(_ isMoving: Bool) throws {
    let white = try pixels(list("🍊", .white, isMoving: isMoving))
    #expect(try white == pixels(list("🍊", Color(hex: 0x0080ff), isMoving: isMoving)))
    #expect(white[60 * 160 + 80].red > 200 && white[60 * 160 + 80].blue < 100, "an orange")
    let both = try pixels(list("🍊I", Color(hex: 0x0000ff), isMoving: isMoving))
    #expect(both.contains(Color(hex: 0x0000ff)) && both.contains { $0.red > 200 })
  }

  @Test(arguments: [false, true], [0x00, 0x33, 0x80, 0xe0] as [UInt8])
  func `an emoji fades with the alpha of its text`(_ isMoving: Bool, _ alpha: UInt8) throws {
    let background = Color(hex: 0x204060)
    let whole = try pixels(list("🍊 x", .white, on: background, isMoving: isMoving))
    var ink = Color.white
    ink.alpha = alpha
    let faded = try pixels(list("🍊 x", ink, on: background, isMoving: isMoving))
    for (whole, faded) in zip(whole, faded) {
      #expect(distance(faded, background.mixed(with: whole, Double(alpha) / 255)) <= 3)
    }
  }

  @Test(arguments: [0.0, 17, 90, 133.7, 271])
  func `a rotating emoji looks almost like the exact one`(_ angle: Double) throws {
    for (text, size, scale) in [("🍊 8", 40.0, 1.0), ("👍🏽🇩🇪", 24, 1.0), ("🍊", 80, 0.6)] {
      let exact = try pixels(list(text, .white, angle: angle, size: size, scale: scale))
      let moving = try pixels(
        list(text, .white, angle: angle, size: size, scale: scale, isMoving: true))
      let differences = zip(exact, moving).filter { $0 != .black || $1 != .black }
        .map { distance($0, $1) }.sorted()
      #expect(differences.count > 200)
      #expect(differences.reduce(0, +) / differences.count < 16, "\(text)")
      #expect(differences[differences.count * 99 / 100] < 90, "\(text)")
    }
  }

  @Test func `the picture depends only on the list, however emoji come and go`() throws {
    let sheet = try sheet()
    var random = SeededGenerator(seed: 12)
    for step in 0..<40 {
      let text = ["🍊", "a", "a🍊", "", "🇩🇪👍🏽", "7 ☕"].randomElement(using: &random) ?? ""
      let next = list(
        text, step % 3 == 0 ? .white : Color(hex: 0x80ff40).faded(to: 0.5),
        angle: step % 2 == 0 ? 0 : Double(step) * 3.7,
        size: Double.random(in: 1...90, using: &random), isMoving: Bool.random(using: &random))
      sheet.show(next)
      let shown = (0..<size.height).flatMap { y in
        (0..<size.width).map { Color(hex: sheet.canvas[$0, y] & 0xff_ffff) }
      }
      #expect(try shown == pixels(next), "step \(step): \(text)")
    }
  }
}
