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
  /// The picture whose place this one is taking, at this moment; nil for none.
  public var transition: Transition?
  /// What may be shown soon, as the art of a wedge that is pressed. Its images are made ready.
  package var coming: [Tile] = []

  /// A moment at which a picture takes the place of another. Both fill the panel, borders included, and
  /// `progress` is 0 … 1, from all of the old picture to all of the new one.
  public indirect enum Transition: Hashable, Sendable {
    /// The new picture shows through the old one.
    case fade(from: DisplayList, progress: Double)
    /// The new picture pushes the old one out, to the left if it is forward, else to the right.
    case slide(from: DisplayList, isForward: Bool, progress: Double)

    /// The picture that goes.
    package var from: DisplayList {
      switch self {
      case .fade(let from, _), .slide(let from, _, _): from
      }
    }

    /// The same moment of another picture that goes.
    fileprivate func replacing(_ from: DisplayList) -> Transition {
      switch self {
      case .fade(_, let progress): .fade(from: from, progress: progress)
      case .slide(_, let isForward, let progress):
        .slide(from: from, isForward: isForward, progress: progress)
      }
    }
  }

  /// A list in design pixels.
  public init(background: Color = .black, items: [DisplayItem] = []) {
    self.background = background
    self.items = items
  }

  /// The same with at most so many pictures that are still going, one behind the other.
  package func limited(to depth: Int) -> DisplayList {
    guard let transition else { return self }
    var list = self
    list.transition = depth > 0 ? transition.replacing(transition.from.limited(to: depth - 1)) : nil
    return list
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
