// SPDX-License-Identifier: MIT

public import RoundelGeometry

/// Square modules in rows, some of them dark, as in a QR code.
///
/// On the panel, every module has the same whole number of pixels, the largest that fits into the
/// frame, so that all edges are sharp. The grid is centred in the frame. If the frame is too small
/// for one pixel per module, modules are scaled to fit.
public struct ModuleGrid: Hashable, Sendable {
  /// The rectangle that the grid may fill, in design pixels.
  public var frame: Rect
  /// The number of modules on each side.
  public let side: Int
  /// The width of the light margin, in modules.
  public let margin: Int
  /// Whether each module is dark, row by row.
  public let modules: [Bool]

  /// Creates a grid of `side` × `side` modules with a light margin.
  public init(frame: Rect, side: Int, margin: Int, modules: [Bool]) {
    precondition(side > 0 && margin >= 0, "a grid needs a module")
    precondition(modules.count == side * side, "a grid must be square")
    self.frame = frame
    self.side = side
    self.margin = margin
    self.modules = modules
  }

  /// Whether the module in a row and a column is dark.
  @inlinable public func isCovered(row: Int, column: Int) -> Bool { modules[row * side + column] }

  /// Returns the square of the modules without margin, in pixels.
  package func square(in frame: Rect) -> Rect {
    let count = Double(side + 2 * margin)
    let exact = min(frame.width, frame.height) / count
    guard exact >= 1 else {
      let length = exact * Double(side)
      return Rect(center: frame.center, size: Size(length, length))
    }
    let length = exact.rounded(.down) * Double(side)
    let origin = Point(
      (frame.center.x - length / 2).rounded(), (frame.center.y - length / 2).rounded())
    return Rect(origin: origin, size: Size(length, length))
  }

  /// Hashes position and size only, because grids of one control rarely differ otherwise.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(frame)
    hasher.combine(side)
    hasher.combine(margin)
  }
}
