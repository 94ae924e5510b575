// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import QRCodes
import Testing

@testable import RoundelControls

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
  func `a code has three finder patterns joined by alternating timing patterns`(
    _ text: String
  ) throws {
    let grid = try #require(grid(try code(text)))
    // The finder pattern is a dark 3×3 square in a light ring in a dark ring, by ISO/IEC 18004.
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

  @Test func `the reported capacity is the longest text that fits`() throws {
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

  @Test
  func `a million characters are rejected at once, and a code without space any text`() throws {
    #expect(throws: QRCode.TooLong.self) { _ = try code(String(repeating: "7", count: 1_000_000)) }
    #expect(throws: QRCode.TooLong(bytes: 1, maximumBytes: 0, isLimitedBySize: true)) {
      _ = try code("a", side: 28)
    }
    #expect(throws: QRCode.TooLong.self) { _ = try code("a", side: 33, quiet: 16) }
    #expect(throws: QRCode.TooLong.self) { _ = try code("a", side: .nan) }
  }

  @Test func `a code with enough space uses a higher error correction level`() throws {
    let long = String(repeating: "a", count: 15)
    // 21 modules hold 14 bytes at level Q (25 % recovery), and 17 at level M (15 %).
    let (free, tight) = (try code(long), try code(long, side: 29))
    #expect(free.side == 25 && tight.side == 21)
  }

  @Test func `an empty text draws nothing, and touches pass through`() throws {
    let (empty, other) = (try code(""), try code("a"))
    #expect(picture(empty).tiles.isEmpty)
    #expect(!other.contains(Point(200, 200), at: .zero))
  }

  @Test(arguments: [1.0, 0.25, 0.4, 0.63, 1.875, 3])
  func `modules are whole pixels in size and position`(_ scale: Double) throws {
    let grid = try #require(grid(try code("https://example.org/a/long/way", side: 397)))
    let frame = Rect(
      x0: 3.3, y0: 5.7, x1: 3.3 + grid.frame.width * scale, y1: 5.7 + grid.frame.height * scale)
    let square = grid.square(in: frame)
    let module = square.width / Double(grid.side)
    #expect(module == module.rounded() && module >= 1)
    #expect(square.x0 == square.x0.rounded() && square.y0 == square.y0.rounded())
    // As large as possible, with a quiet zone of four modules to within half a pixel.
    #expect(module + 1 > frame.width / Double(grid.side + 8))
    #expect(square.x0 - frame.x0 >= module * 4 - 0.5 && frame.y1 - square.y1 >= module * 4 - 0.5)
  }
}
