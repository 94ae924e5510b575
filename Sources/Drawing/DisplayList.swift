// SPDX-License-Identifier: MIT

public import Geometry

/// Tiles that do not overlap, painted at once.
///
/// Where tiles share a pixel, their colours add up by how much of it each covers, and what lies
/// below shows only through the rest: neighbours that share an edge leave no seam. Painted one over
/// the other they would let a quarter of the background through.
public struct DisplayItem: Hashable, Sendable {
  public var tiles: [Tile]
  /// Nothing is painted outside of it; its edges are rounded to whole pixels.
  public var clip: Rect?

  public init(_ tiles: [Tile], clip: Rect? = nil) {
    self.tiles = tiles
    self.clip = clip
  }

  public init(_ shape: Shape, _ fill: Fill, clip: Rect? = nil) {
    self.init([Tile(shape, fill)], clip: clip)
  }

  public init(_ shape: Shape, _ color: Color, clip: Rect? = nil) {
    self.init([Tile(shape, .color(color))], clip: clip)
  }
}

/// What is to be seen, in design pixels, back to front, over a background that fills the panel.
///
/// It is a value: two lists that are equal look the same, and what differs is the damage.
public struct DisplayList: Hashable, Sendable {
  public var background: Color
  public var items: [DisplayItem]
  /// What may be shown soon, as the art of a wedge that is pressed. Its images are made ready.
  package var coming: [Tile] = []

  public init(background: Color = .black, items: [DisplayItem] = []) {
    self.background = background
    self.items = items
  }

  public mutating func add(_ shape: Shape, _ color: Color) {
    items.append(DisplayItem(shape, color))
  }

  public mutating func add(_ item: DisplayItem) {
    items.append(item)
  }
}
