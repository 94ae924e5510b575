// SPDX-License-Identifier: MIT

import Drawing
import Expressions
import Geometry
import Motion
import QRCodes
import Testing

@testable import Controls

@Suite struct QRCodeTests {
  private func code(_ text: String, side: Double = 400, quiet: Int = 4) throws -> QRCode {
    try QRCode(center: Point(200, 200), size: Size(side, side), text: text, quietZone: quiet)
  }

  private func grid(_ code: QRCode) -> ModuleGrid? {
    for tile in picture(code).tiles {
      if case .modules(let grid) = tile.shape { return grid }
    }
    return nil
  }

  private func picture(_ code: QRCode) -> DisplayList {
    var list = DisplayList()
    code.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
    return list
  }

  @Test(arguments: ["1", "HTTPS://EXAMPLE.ORG", "WIFI:T:WPA;S:Café;P:ключ;;", "a\0b", "日本"])
  func `three corners of a code have their marks, and the lines between them alternate`(
    _ text: String
  ) throws {
    let grid = try #require(grid(try code(text)))
    // The mark is a dark square of 3 in a light ring in a dark one, by ISO/IEC 18004.
    for (row, column) in [(0, 0), (0, grid.side - 7), (grid.side - 7, 0)] {
      for y in 0..<7 {
        for x in 0..<7 {
          let ring = max(abs(x - 3), abs(y - 3))
          #expect(grid.isCovered(row: row + y, column: column + x) == (ring != 2))
        }
      }
    }
    for place in 8..<grid.side - 8 {
      #expect(grid.isCovered(row: 6, column: place) == (place % 2 == 0))
      #expect(grid.isCovered(row: place, column: 6) == (place % 2 == 0))
    }
  }

  @Test func `the longest text that fits is the one that is named`() throws {
    for version in [1, 2, 9, 10, 26, 27, 39, 40] {
      let capacity = QRCode.capacities[version - 1]
      let room = Double(17 + 4 * version + 8)
      let fits = String(repeating: "a", count: capacity)
      let code = try code(fits, side: room)
      #expect(code.side == 17 + 4 * version)
      #expect(
        throws: QRCode.TooLong(
          bytes: capacity + 1, maximumBytes: capacity, isLimitedBySize: version < 40)
      ) { _ = try self.code(fits + "a", side: room) }
    }
  }

  @Test func `a million letters are too long at once, and no room holds nothing`() throws {
    #expect(throws: QRCode.TooLong.self) { _ = try code(String(repeating: "7", count: 1_000_000)) }
    #expect(throws: QRCode.TooLong(bytes: 1, maximumBytes: 0, isLimitedBySize: true)) {
      _ = try code("a", side: 28)
    }
    #expect(throws: QRCode.TooLong.self) { _ = try code("a", side: 33, quiet: 16) }
    #expect(throws: QRCode.TooLong.self) { _ = try code("a", side: .nan) }
  }

  @Test func `where there is room a seventh more may be lost`() throws {
    let long = String(repeating: "a", count: 15)
    // 14 bytes fit into 21 modules with a quarter to be lost, 17 with a seventh.
    let (free, tight) = (try code(long), try code(long, side: 29))
    #expect(free.side == 25 && tight.side == 21)
  }

  @Test func `nothing is shown of an empty text, and fingers pass through`() throws {
    let (empty, other) = (try code(""), try code("a"))
    #expect(picture(empty).tiles.isEmpty)
    #expect(!other.contains(Point(200, 200), at: .zero))
  }

  @Test(arguments: [1.0, 0.25, 0.4, 0.63, 1.875, 3])
  func `all modules have the same whole number of pixels, on whole pixels`(_ scale: Double) throws {
    let grid = try #require(grid(try code("https://example.org/a/long/way", side: 397)))
    let frame = Rect(
      x0: 3.3, y0: 5.7, x1: 3.3 + grid.frame.width * scale, y1: 5.7 + grid.frame.height * scale)
    let square = grid.square(in: frame)
    let module = square.width / Double(grid.side)
    #expect(module == module.rounded() && module >= 1)
    #expect(square.x0 == square.x0.rounded() && square.y0 == square.y0.rounded())
    // As large as there is room for, with the quiet zone around it but for half a pixel.
    #expect(module + 1 > frame.width / Double(grid.side + 8))
    #expect(square.x0 - frame.x0 >= module * 4 - 0.5 && frame.y1 - square.y1 >= module * 4 - 0.5)
  }
}
