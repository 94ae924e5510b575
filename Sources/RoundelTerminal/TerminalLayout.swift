// SPDX-License-Identifier: MIT

package import RoundelGeometry

package struct TerminalLayout: Hashable, Sendable {
  package let graphics: Graphics
  package let columns: Int
  package let rows: Int
  /// In pixels of the picture.
  package let cell: PixelSize
  /// The aspect ratio of a pixel: width divided by height.
  package let aspect: Double

  /// Greater sizes are wrong and would take gigabytes.
  private static let maximumColumns = 1000
  private static let maximumRows = 500
  /// In pixels. The terminal enlarges the picture.
  private static let maximumArea = 1 << 20
  /// The maximum side of a sixel image. The terminal doesn't enlarge sixels.
  private static let maximumSide = 4096

  static func isUsable(cell: PixelSize) -> Bool {
    (2...200).contains(cell.width) && (2...400).contains(cell.height)
      && (1.0...4).contains(Double(cell.height) / Double(cell.width))
  }

  /// - Parameter known: The size of a cell in pixels, or nil if unknown.
  package init(_ graphics: Graphics, columns: Int, rows: Int, cell known: PixelSize?) {
    self.graphics = graphics
    let columns = min(max(columns, 1), Self.maximumColumns)
    let rows = min(max(rows, 1), Self.maximumRows)
    switch graphics {
    case .blocks:
      (self.columns, self.rows) = (columns, rows)
      cell = PixelSize(1, 2)
      aspect = known.map { 2 * Double($0.width) / Double($0.height) } ?? 1
    case .kitty:
      (self.columns, self.rows) = (columns, rows)
      let seen = known ?? PixelSize(8, 16)
      let area = seen.width * seen.height * columns * rows
      let scale = min(1, (Double(Self.maximumArea) / Double(area)).squareRoot())
      cell = PixelSize(
        max(1, Int(Double(seen.width) * scale)), max(1, Int(Double(seen.height) * scale)))
      aspect = Double(seen.width * cell.height) / Double(seen.height * cell.width)
    case .sixel:
      // The cell size of the VT340, which terminals assume for sixels if theirs differs.
      cell = known ?? PixelSize(10, 20)
      self.columns = min(columns, Self.maximumSide / cell.width)
      // Sixels in the last row make terminals scroll.
      self.rows = min(max(1, rows - 1), Self.maximumSide / cell.height)
      aspect = 1
    }
  }

  /// In pixels.
  package var size: PixelSize { PixelSize(columns * cell.width, rows * cell.height) }

  /// The canvas's size: for half blocks, about as many pixels as a small panel, so that text has
  /// its designed size, and a whole number for each pixel of the picture.
  package var canvasSize: PixelSize {
    guard graphics == .blocks else { return size }
    let area = Double(size.width * size.height) * aspect
    let scale = min(max((Double(Self.maximumArea) / area).squareRoot().rounded(.down), 2), 16)
    return PixelSize(
      size.width * Int(max(1, (scale * aspect).rounded())), size.height * Int(scale))
  }

  func cells(of part: PixelRect) -> PixelRect {
    PixelRect(
      x0: part.x0 / cell.width, y0: part.y0 / cell.height,
      x1: (part.x1 + cell.width - 1) / cell.width, y1: (part.y1 + cell.height - 1) / cell.height)
  }

  func part(of cells: PixelRect) -> PixelRect {
    PixelRect(
      x0: cells.x0 * cell.width, y0: cells.y0 * cell.height, x1: cells.x1 * cell.width,
      y1: cells.y1 * cell.height)
  }
}
