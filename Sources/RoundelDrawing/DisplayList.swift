// SPDX-License-Identifier: MIT

public import RoundelGeometry

/// Non-overlapping tiles, painted in one pass.
///
/// If tiles share a pixel, their colours are added by coverage, so neighbours have no seam. Painted
/// in turn, they would let a quarter of the background through.
public struct DisplayItem: Hashable, Sendable {
  /// The non-overlapping shapes with their fills.
  public var tiles: [Tile]
  /// The visible area, with edges rounded to whole pixels, or nil for no clip.
  public var clip: Rect?

  /// Creates an item of several tiles.
  public init(_ tiles: [Tile], clip: Rect? = nil) {
    self.tiles = tiles
    self.clip = clip
  }

  /// Creates an item of one shape with any fill.
  public init(_ shape: Shape, _ fill: Fill, clip: Rect? = nil) {
    self.init([Tile(shape, fill)], clip: clip)
  }

  /// Creates an item of one shape in one colour.
  public init(_ shape: Shape, _ color: Color, clip: Rect? = nil) {
    self.init([Tile(shape, .color(color))], clip: clip)
  }
}

/// A frame in design pixels: items from back to front, over a background that fills the panel.
///
/// Equal lists look the same. The difference between two lists is the damage.
///
/// `removeAll` keeps the memory, so that an animation's frames don't allocate.
public struct DisplayList: Sendable {
  /// The opaque background, which fills the panel.
  public var background: Color
  /// Back to front.
  package private(set) var tiles: [Tile] = []
  package private(set) var spans: [Span] = []
  /// The current state of a transition, or nil.
  public var transition: Transition?
  /// Tiles that may appear soon, such as a pressed wedge's art. Their images are prepared.
  package var coming: [Tile] = []
  /// The black area outside a round panel, in front of all items. It doesn't move during a
  /// transition.
  package var bezel: Sector?
  private var cornerPool = ArrayPool<Point>()
  private var rowPool = ArrayPool<Strip.Row>()

  package struct Span: Hashable, Sendable {
    package var tiles: Range<Int>
    package var clip: Rect?
    package var isPrivate = false
  }

  /// Whether added items are masked in pictures for clients.
  package var addsPrivate = false

  /// Whether an item of the picture, or of an outgoing one, is private.
  package var hasPrivateItems: Bool {
    spans.contains(where: \.isPrivate) || transition?.from.hasPrivateItems == true
  }

  /// The state of a transition at one time. Both pictures fill the panel. `progress` is 0 … 1, from
  /// the old picture to the new one.
  public indirect enum Transition: Hashable, Sendable {
    /// The new picture shows through the old one.
    case fade(from: DisplayList, progress: Double)
    /// The new picture pushes the old one out.
    case slide(from: DisplayList, towards: Direction, progress: Double)

    package var from: DisplayList {
      switch self {
      case .fade(let from, _), .slide(let from, _, _): from
      }
    }

    fileprivate func replacing(_ from: DisplayList) -> Transition {
      switch self {
      case .fade(_, let progress): .fade(from: from, progress: progress)
      case .slide(_, let direction, let progress):
        .slide(from: from, towards: direction, progress: progress)
      }
    }
  }

  /// The factor that enlarges added text, if there is space.
  package var textScale = 1.0
  /// The area for enlarged text without bounds, or nil for no limit.
  package var textLimit: Rect?

  /// Creates a list in design pixels.
  public init(background: Color = .black, items: [DisplayItem] = []) {
    self.background = background
    for item in items { add(item) }
  }

  /// The items, back to front. Getting or setting them is O(n) in the tiles. To add one, use `add`.
  public var items: [DisplayItem] {
    get { spans.map { DisplayItem(Array(tiles[$0.tiles]), clip: $0.clip) } }
    set {
      tiles.removeAll(keepingCapacity: true)
      spans.removeAll(keepingCapacity: true)
      for item in newValue { add(item) }
    }
  }

  /// Returns the list with at most `depth` nested outgoing pictures.
  package func limited(to depth: Int) -> DisplayList {
    guard let transition else { return self }
    var list = self
    list.transition = depth > 0 ? transition.replacing(transition.from.limited(to: depth - 1)) : nil
    return list
  }

  /// Adds a shape in one colour on top.
  public mutating func add(_ shape: Shape, _ color: Color, clip: Rect? = nil) {
    add(shape, .color(color), clip: clip)
  }

  /// Adds a shape with any fill on top.
  public mutating func add(_ shape: Shape, _ fill: Fill, clip: Rect? = nil) {
    spans.append(Span(tiles: tiles.count..<tiles.count + 1, clip: clip, isPrivate: addsPrivate))
    let isUsual = textScale == 1
    tiles.append(
      Tile(isUsual ? shape : shape.withText(scaledBy: textScale, within: textLimit), fill))
  }

  /// Adds text on top.
  public mutating func add(_ run: TextRun, _ ink: Color, clip: Rect? = nil) {
    add(.text(run), ink, clip: clip)
  }

  /// Adds an item on top.
  public mutating func add(_ item: DisplayItem) {
    spans.append(
      Span(
        tiles: tiles.count..<tiles.count + item.tiles.count, clip: item.clip,
        isPrivate: addsPrivate))
    tiles.append(contentsOf: item.tiles)
  }

  /// Adds all shapes that `draw` adds as one item. They must not overlap. `clip` replaces their own
  /// clips.
  public mutating func addInOnePass(
    clip: Rect? = nil, _ draw: (_ list: inout DisplayList) -> Void
  ) {
    let (first, count) = (tiles.count, spans.count)
    draw(&self)
    precondition(tiles.count >= first && spans.count >= count, "items can only be added")
    spans.removeLast(spans.count - count)
    spans.append(Span(tiles: first..<tiles.count, clip: clip, isPrivate: addsPrivate))
  }

  /// Adds a closed polygon. `trace` appends its corners to an empty array that reuses memory.
  public mutating func addPolygon(_ color: Color, _ trace: (_ corners: inout [Point]) -> Void) {
    addPolygon(.color(color), trace)
  }

  /// Adds a closed polygon with any fill, like `addPolygon(_:_:)`.
  public mutating func addPolygon(_ fill: Fill, _ trace: (_ corners: inout [Point]) -> Void) {
    var corners = cornerPool.take()
    trace(&corners)
    add(.polygon(corners), fill)
  }

  /// Adds a shape filled with a strip. `fill` appends its rows to an empty array that reuses
  /// memory.
  public mutating func add(
    _ shape: Shape, _ strip: Strip, _ fill: (_ rows: inout [Strip.Row]) -> Void
  ) {
    var strip = strip
    strip.rows = rowPool.take()
    fill(&strip.rows)
    if textScale != 1 {
      for index in strip.rows.indices {
        guard let shape = strip.rows[index].content?.shape else { continue }
        strip.rows[index].content?.shape = shape.withText(scaledBy: textScale, within: nil)
      }
    }
    add(shape, .strip(strip))
  }

  /// Removes everything except the background, and keeps the memory. O(n) in the tiles.
  public mutating func removeAll() {
    cornerPool.trim()
    rowPool.trim()
    // In reverse order, so that each tile gets its own memory back if the number stays the same.
    for index in tiles.indices.reversed() {
      if case .polygon(let corners) = tiles[index].shape {
        tiles[index].shape = .rect(Rect(size: Size(0, 0)))
        cornerPool.keep(corners)
      }
      if case .strip(let strip) = tiles[index].fill {
        tiles[index].fill = .color(.clear)
        rowPool.keep(strip.rows)
      }
    }
    tiles.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    coming.removeAll(keepingCapacity: true)
    transition = nil
    bezel = nil
    addsPrivate = false
  }
}

private struct ArrayPool<Element: Sendable>: Sendable {
  private var arrays: [[Element]] = []

  /// Empties the array in place, unless it is shared.
  mutating func keep(_ array: consuming [Element]) {
    array.removeAll(keepingCapacity: true)
    arrays.append(array)
  }

  mutating func take() -> [Element] { arrays.popLast() ?? [] }

  /// An animation needs some arrays repeatedly, so only the rest is freed.
  mutating func trim() { arrays.removeLast(max(arrays.count - Self.maximum, 0)) }

  private static var maximum: Int { 8 }
}

extension DisplayList {
  /// O(n) in the item's tiles.
  package func hasSameItem(_ index: Int, as other: DisplayList, _ otherIndex: Int) -> Bool {
    let (own, their) = (spans[index], other.spans[otherIndex])
    guard own.clip == their.clip, own.tiles.count == their.tiles.count else { return false }
    let offset = their.tiles.lowerBound - own.tiles.lowerBound
    return own.tiles.allSatisfy { tiles[$0] == other.tiles[$0 + offset] }
  }
}

extension DisplayList: Hashable {
  /// Whether both have the same content, whatever memory they keep. O(n) in the tiles.
  public static func == (a: DisplayList, b: DisplayList) -> Bool {
    a.background == b.background && a.spans == b.spans && a.tiles == b.tiles
      && a.coming == b.coming && a.transition == b.transition && a.bezel == b.bezel
  }

  /// Hashes the content.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(background)
    hasher.combine(spans)
    hasher.combine(tiles)
    hasher.combine(coming)
    hasher.combine(transition)
    hasher.combine(bezel)
  }
}
