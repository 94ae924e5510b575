// SPDX-License-Identifier: MIT

public import Geometry

/// Square modules in rows, some of which are covered, as those of a QR code.
///
/// On the panel every module has the same whole number of pixels, as many as the frame has room for, so
/// that all edges are sharp. The grid is in the middle of the frame. Where there is not even a pixel for
/// each module, they are as large as the frame has room for.
public struct ModuleGrid: Hashable, Sendable {
  /// The rectangle that the grid may fill, in design pixels.
  public var frame: Rect
  /// The number of modules on each side.
  public let side: Int
  /// The number of modules around the others that stay free.
  public let margin: Int
  /// Whether each module is covered, row by row.
  public let modules: [Bool]

  /// A grid of `side` × `side` modules and a margin of `margin` free ones on each side of it.
  public init(frame: Rect, side: Int, margin: Int, modules: [Bool]) {
    precondition(side > 0 && margin >= 0, "a grid has a module")
    precondition(modules.count == side * side, "a grid is a square")
    self.frame = frame
    self.side = side
    self.margin = margin
    self.modules = modules
  }

  /// Whether the module of a row and a column is covered.
  @inlinable public func isCovered(row: Int, column: Int) -> Bool { modules[row * side + column] }

  /// The square that the modules cover where the frame is `frame` in pixels.
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

  /// Hashes its place and size only: grids of one control differ in little else.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(frame)
    hasher.combine(side)
    hasher.combine(margin)
  }
}
