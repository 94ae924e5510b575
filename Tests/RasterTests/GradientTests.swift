// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

@Suite struct GradientTests {
  private let size = PixelSize(90, 60)

  private func painter() -> Painter {
    Painter(size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary())
  }

  private func pixels(_ list: DisplayList) -> [UInt32] {
    let painter = painter()
    painter.show(list)
    return painter.block(PixelRect(size: size)).pixels
  }

  private func color(_ random: inout SeededGenerator) -> Color {
    Color(
      red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
      blue: .random(in: 0...255, using: &random),
      alpha: Bool.random(using: &random) ? 255 : .random(in: 0...255, using: &random))
  }

  private func gradient(
    _ path: Gradient.Path, _ random: inout SeededGenerator
  ) -> Gradient {
    let curves = [Gradient.Curve.even, .late, .soft]
    return Gradient(
      path, curves[.random(in: 0...2, using: &random)], from: color(&random), to: color(&random))
  }

  private func shape(_ random: inout SeededGenerator) -> Shape {
    func place(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let center = Point(place(-10...100), place(-10...70))
    return Bool.random(using: &random)
      ? .disc(center: center, radius: place(5...60))
      : .roundedRect(
        RoundedRect(
          Rect(center: center, size: Size(place(5...90), place(5...60))), radius: place(0...20)))
  }

  @Test(arguments: 0..<60)
  func `a vertical gradient has one colour per row`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let path = Gradient.Path.vertical(
      from: .random(in: -20...80, using: &random), to: .random(in: -20...80, using: &random))
    let (fill, shape) = (gradient(path, &random), shape(&random))
    let rows = (0..<size.height).map { row in
      let y = Double(row)
      return DisplayItem(
        shape, fill.color(at: Point(0, y + 0.5)), clip: Rect(x0: 0, y0: y, x1: 90, y1: y + 1))
    }
    let background = color(&random).over(.black)
    #expect(
      pixels(DisplayList(background: background, items: [DisplayItem(shape, .gradient(fill))]))
        == pixels(DisplayList(background: background, items: rows)))
  }

  @Test(arguments: 0..<60)
  func `a radial gradient's colour depends on the distance of each pixel`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let path = Gradient.Path.radial(
      center: Point(.random(in: -20...110, using: &random), .random(in: -20...80, using: &random)),
      from: .random(in: 0...60, using: &random), to: .random(in: 0...60, using: &random))
    let fill = gradient(path, &random)
    let whole = Shape.rect(Rect(size: Size(90, 60)))
    let background = color(&random).over(.black)
    let shown = pixels(
      DisplayList(background: background, items: [DisplayItem(whole, .gradient(fill))]))
    // A radial gradient has 256 premultiplied colours, so 255ths of the alpha are half steps.
    for (index, pixel) in shown.enumerated() {
      let place = Point(Double(index % 90) + 0.5, Double(index / 90) + 0.5)
      let expected = fill.color(at: place).over(background).premultipliedPixel
      for shift in [0, 8, 16] as [UInt32] {
        let difference = Int(pixel >> shift & 0xff) - Int(expected >> shift & 0xff)
        #expect(abs(difference) <= 2, "\(place), \(fill)")
      }
    }
  }

  @Test(arguments: 0..<40)
  func `any painted part equals the same part of the picture`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let items = (0..<5).map { number in
      let path: Gradient.Path =
        number % 2 == 0
        ? .vertical(from: 10, to: 50) : .radial(center: Point(40, 30), from: 5, to: 40)
      return DisplayItem(shape(&random), .gradient(gradient(path, &random)))
    }
    let painter = painter()
    painter.show(DisplayList(items: items))
    let whole = painter.block(PixelRect(size: size)).pixels
    let (x, y) = (Int.random(in: 0..<80, using: &random), Int.random(in: 0..<50, using: &random))
    let part = PixelRect(x0: x, y0: y, x1: x + 10, y1: y + 10)
    let expected = (y..<y + 10).flatMap { whole[$0 * 90 + x..<$0 * 90 + x + 10] }
    #expect(painter.block(part).pixels == expected)
  }

  @Test func `a gradient from a transparent colour doesn't pass through black`() {
    let fade = Gradient(.vertical(from: 0, to: 100), from: .clear, to: .white)
    #expect(fade.color(at: 0.5) == Color.white.faded(to: 0.5))
    let mix = Gradient(.vertical(from: 0, to: 100), .soft, from: .black, to: .white)
    #expect(mix.color(at: Point(7, 25)) == Color(hex: 0x282828))
    #expect(mix.color(at: Point(7, -25)) == .black && mix.color(at: .nan) == .black)
  }

  @Test func `a gradient of zero length is a sharp edge`() {
    let step = Gradient(.vertical(from: 30, to: 30), from: .black, to: .white)
    #expect(step.color(at: Point(0, 29.5)) == .black && step.color(at: Point(0, 30.5)) == .white)
  }
}
