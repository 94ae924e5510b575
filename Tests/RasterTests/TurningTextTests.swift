// SPDX-License-Identifier: MIT

import AllocationCount
import RoundelDrawing
import RoundelGeometry
import Glibc
import SystemFonts
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

#if DEBUG
  private let isOptimized = false
#else
  private let isOptimized = true
#endif

@Suite struct TurningTextTests {
  private let size = PixelSize(240, 240)
  private let font = Font("DejaVu Sans")

  private func sheet(scale: Double = 1) throws -> Sheet {
    let fonts = FontLibrary()
    let file = try SystemFonts().file(for: font.families[0])
    try fonts.add(font.faces[0], bytes: FontFile.read(file.path), faceIndex: file.faceIndex)
    return Sheet(
      Painter(size: size, viewport: Viewport(scale: scale, offset: .zero), fonts: fonts))
  }

  private func list(
    _ text: String, _ angle: Double, isMoving: Bool, size: Double = 22, scale: Double = 1,
    at anchor: Point = Point(120, 120)
  ) -> DisplayList {
    var list = DisplayList()
    list.add(
      .text(
        TextRun(
          text, font: font, size: size, at: anchor, angle: .degrees(angle), scale: scale,
          isMoving: isMoving)),
      .white)
    return list
  }

  /// The text's coverage in a picture: white on black.
  private func ink(_ sheet: Sheet) -> [Int] {
    (0..<size.height).flatMap { y in
      (0..<size.width).map { Int(sheet.canvas[$0, y] & 0xff) }
    }
  }

  /// Compares the coverage of moving text with the exact one.
  private func compare(
    _ text: String, _ angle: Double, size: Double, scale: Double = 1, mean maximumMean: Double,
    last maximumLast: Int, share maximumShare: Double
  ) throws {
    let exact = try sheet()
    exact.show(list(text, angle, isMoving: false, size: size, scale: scale))
    let moving = try sheet()
    moving.show(list(text, angle, isMoving: true, size: size, scale: scale))
    let pairs = zip(ink(exact), ink(moving)).filter { $0 > 0 || $1 > 0 }
    let differences = pairs.map { abs($0 - $1) }.sorted()
    let mean = Double(differences.reduce(0, +)) / Double(max(differences.count, 1))
    let (inkOfExact, inkOfMoving) = pairs.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    #expect(differences.count > 50)
    let share = Double(abs(inkOfExact - inkOfMoving)) / Double(inkOfExact)
    let last = differences[differences.count * 99 / 100]
    #expect(mean < maximumMean, "\(text) at \(angle)° × \(scale): \(mean)")
    #expect(last < maximumLast, "\(text) at \(angle)° × \(scale)")
    #expect(share < maximumShare, "\(text) at \(angle)° × \(scale)")
  }

  @Test(arguments: [0.0, 1.3, 17, 45, 90, 133.7, 180, 271.1, 359])
  func `a rotating text looks almost like the exact one`(_ angle: Double) throws {
    for (text, size) in [("24", 22.0), ("Shutters", 22), ("Wg", 60), ("08", 13)] {
      try compare(text, angle, size: size, mean: 13, last: 54, share: 0.02)
    }
  }

  @Test(arguments: [0.4, 0.42, 0.5, 0.58, 0.69, 0.72, 0.8, 0.93, 1.08, 1.3])
  func `a growing text looks almost like the exact one`(_ scale: Double) throws {
    for (text, size) in [("24", 40.0), ("Shutters", 40), ("Wg", 90)] {
      try compare(text, 0, size: size, scale: scale, mean: 16, last: 64, share: 0.05)
    }
  }

  @Test func `the picture depends only on the list, not on earlier pictures`() throws {
    let moved = try sheet(scale: 0.83)
    for step in 0..<50 {
      moved.show(
        list(
          "Music", Double(step) * 3.7, isMoving: true,
          at: Point(120 + Double(step) * 0.3, 118)))
      let fresh = try sheet(scale: 0.83)
      fresh.show(
        list(
          "Music", Double(step) * 3.7, isMoving: true,
          at: Point(120 + Double(step) * 0.3, 118)))
      #expect(ink(moved) == ink(fresh), "step \(step)")
    }
    moved.show(list("Music", 20, isMoving: false))
    let exact = try sheet(scale: 0.83)
    exact.show(list("Music", 20, isMoving: false))
    #expect(ink(moved) == ink(exact))
  }

  @Test func `moving text of any size and scale is drawn safely`() throws {
    let sheet = try sheet()
    for anchor in [
      Point(0, 0), Point(239, 3), Point(-7, 250), Point(1e9, 5), Point(.nan, 4),
      Point(4, .infinity),
    ] {
      for size in [0.0, 0.4, 3, 200, 1e6, .nan] {
        for angle in [0.0, 33, 90, 1e9, .nan] {
          sheet.show(list("Wy", angle, isMoving: true, size: size, at: anchor))
        }
        for scale in [-1, 0, 1e-300, 0.02, 3, 1e300, .infinity, .nan] {
          for isMoving in [false, true] {
            sheet.show(
              list("Wy", 7, isMoving: isMoving, size: size, scale: scale, at: anchor))
          }
        }
      }
    }
    for text in ["", " ", "\n"] { sheet.show(list(text, 12, isMoving: true)) }
    sheet.show(DisplayList())
    #expect(ink(sheet).allSatisfy { $0 == 0 })
  }

  @Test(
    .enabled(
      if: isOptimized,
      "unoptimised code allocates: swift test -c release -Xswiftc -enable-testing"))
  func `a frame with lighting wedges and rotating text allocates nothing`() throws {
    let sheet = try sheet()
    let frames = (0..<40).map { frame in
      var list = DisplayList(background: .black)
      list.add(
        DisplayItem(
          (0..<12).map {
            Tile(
              .sector(
                Sector(
                  center: Point(120, 120), innerRadius: 20, outerRadius: 110,
                  start: .degrees(Double($0) * 30 + 1), end: .degrees(Double($0) * 30 + 29))),
              $0 == frame % 12 ? Color.white : Color(hex: 0x306090))
          }))
      for index in 0..<12 {
        let direction = Angle.degrees(Double(index) * 30 + Double(frame) * 0.37)
        list.add(
          .text(
            TextRun(
              "\(index)", font: font, size: 14, at: Point(120, 120) + direction.unit * 90,
              angle: direction, isMoving: true)), .white)
      }
      return list
    }
    // Check that the counter works.
    let start = roundel_allocation_count()
    for list in frames.prefix(20) { sheet.show(list) }
    #expect(roundel_allocation_count() > start)
    let before = roundel_allocation_count()
    for list in frames.suffix(20) { sheet.show(list) }
    #expect(roundel_allocation_count() - before == 0)
  }
}
