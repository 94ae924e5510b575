// SPDX-License-Identifier: MIT

public import Geometry

/// Tiles that do not overlap, painted at once.
///
/// Where tiles share a pixel, their colours add up by how much of it each covers, and what lies
/// below shows only through the rest: neighbours that share an edge leave no seam. Painted one over
/// the other they would let a quarter of the background through.
public struct DisplayItem: Hashable, Sendable {
  /// Shapes without overlap. Where edges meet, their coverage adds up.
  public var tiles: [Tile]
  /// Nothing is painted outside of it; its edges are rounded to whole pixels.
  public var clip: Rect?

  /// Several tiles in one pass.
  public init(_ tiles: [Tile], clip: Rect? = nil) {
    self.tiles = tiles
    self.clip = clip
  }

  /// A single shape with any fill.
  public init(_ shape: Shape, _ fill: Fill, clip: Rect? = nil) {
    self.init([Tile(shape, fill)], clip: clip)
  }

  /// A single shape in one colour.
  public init(_ shape: Shape, _ color: Color, clip: Rect? = nil) {
    self.init([Tile(shape, .color(color))], clip: clip)
  }
}

/// What is to be seen, in design pixels, back to front, over a background that fills the panel.
///
/// It is a value: two lists that are equal look the same, and what differs is the damage.
public struct DisplayList: Hashable, Sendable {
  /// Opaque; fills the panel, borders included.
  public var background: Color
  /// Back to front.
  public var items: [DisplayItem]

  /// A list in design pixels.
  public init(background: Color = .black, items: [DisplayItem] = []) {
    self.background = background
    self.items = items
  }

  /// Adds a shape in one colour, in front of the others.
  public mutating func add(_ shape: Shape, _ color: Color) {
    items.append(DisplayItem(shape, color))
  }

  /// Adds an item in front of the others.
  public mutating func add(_ item: DisplayItem) {
    items.append(item)
  }
}
