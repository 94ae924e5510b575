// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

struct ModuleOutline: Outline {
  let grid: ModuleGrid
  let bounds: Rect

  /// - Parameter frame: On the canvas.
  init(_ grid: ModuleGrid, frame: Rect) {
    self.grid = grid
    bounds = grid.square(in: frame)
  }

  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    guard y >= bounds.y0, y < bounds.y1, bounds.width > 0 else { return }
    let module = bounds.width / Double(grid.side)
    let row = min(Int((y - bounds.y0) / module), grid.side - 1)
    var first: Int?
    for column in 0...grid.side {
      let isCovered = column < grid.side && grid.isCovered(row: row, column: column)
      if isCovered {
        first = first ?? column
      } else if let start = first {
        body(bounds.x0 + module * Double(start), bounds.x0 + module * Double(column))
        first = nil
      }
    }
  }
}
