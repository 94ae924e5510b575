// SPDX-License-Identifier: MIT

public import Geometry

/// Tiles without overlap, painted in one pass.
///
/// Where tiles share a pixel, their colours are added by coverage and the background shows through the
/// rest only, so neighbours that share an edge have no seam. Painted one after the other they would
/// let a quarter of the background through.
public struct DisplayItem: Hashable, Sendable {
  /// Shapes without overlap. Where edges meet, their coverage adds up.
  public var tiles: [Tile]
  /// Nothing is painted outside; the edges are rounded to whole pixels.
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

/// A picture in design pixels: items from back to front, over a background that fills the panel.
///
/// Equal lists look the same. The difference of two lists is the damage.
public struct DisplayList: Hashable, Sendable {
  /// Opaque; fills the panel, borders included.
  public var background: Color
  /// Back to front.
  public var items: [DisplayItem]
  /// What may be shown soon, as the art of a wedge that is pressed. Its images are made ready.
  package var coming: [Tile] = []

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
