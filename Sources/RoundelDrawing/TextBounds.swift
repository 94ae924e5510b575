// SPDX-License-Identifier: MIT

public import RoundelGeometry
internal import Glibc

/// The space for text, in design pixels and in the text's own coordinates: its anchor is the
/// origin, its lines run to the right, and y points down.
public enum TextBounds: Hashable, Sendable {
  /// A rectangle around the anchor, or to one side of it if the text's alignment says so.
  case box(Size)
  /// A rectangle around the anchor. The text's alignment positions the lines within it.
  case frame(Size)
  /// A frame for scrolling lines. `scrolled` is the fraction of the overflow above it: 0 at the
  /// first line, 1 at the last. Lines fade at edges with more text beyond.
  case column(Size, scrolled: Double)
  /// Part of a ring or disc, for straight lines, each as long as the shape at its height, in a
  /// strip of `height` around the anchor.
  case sector(Sector, height: Double = .infinity)
  /// Part of a ring, for curved lines. They read clockwise if the sector's centre is below the
  /// anchor, counterclockwise if it is above. The sector's directions only limit the length on both
  /// sides.
  case arc(Sector)

  /// The rectangle whose edges are the alignments, or nil for another kind.
  package var frame: Size? {
    switch self {
    case .frame(let size), .column(let size, _): size
    case .box, .sector, .arc: nil
    }
  }

  /// The width for a line, from left to right of the anchor, or nil without space at this height.
  package func extent(top: Double, bottom: Double, baseline: Double) -> ClosedRange<Double>? {
    switch self {
    case .box(let size), .frame(let size):
      // A box whose size is NaN has no space. The slack allows for rounding of the lines'
      // positions.
      let slack = 1 + 1e-9
      guard max(-top, bottom) <= size.height / 2 * slack, size.width >= 0 else { return nil }
      return -size.width / 2 * slack...size.width / 2 * slack
    case .column(let size, _):
      let slack = 1 + 1e-9
      return size.width >= 0 ? -size.width / 2 * slack...size.width / 2 * slack : nil
    case .sector(let sector, let height):
      guard max(-top, bottom) <= height / 2 else { return nil }
      return sector.extent(top: top, bottom: bottom)
    case .arc(let sector):
      let isBelow = sector.center.y > 0
      let (near, far) = isBelow ? (bottom, top) : (top, bottom)
      let (inner, outer) = (abs(sector.center.y - near), abs(sector.center.y - far))
      guard inner < outer, inner >= sector.innerRadius, outer <= sector.outerRadius,
        (sector.center.y - near > 0) == isBelow, sector.inset < inner
      else { return nil }
      // The angle between the inset edges is smallest at the inner side of the line.
      let half =
        sector.isClosed
        ? Double.pi : sector.sweep.radians / 2 - asin(max(sector.inset, 0) / inner)
      guard half > 0 else { return nil }
      let reach = half * abs(sector.center.y - baseline)
      return -reach...reach
    }
  }
}

/// Text elements of one size: the largest that fits all of them.
public struct TextPeers: Hashable, Sendable {
  /// A text element.
  public struct Text: Hashable, Sendable {
    /// The content.
    public var text: String
    /// The space for it. Nil for the bounds of the run whose size is computed.
    public var bounds: TextBounds?

    /// Creates an element.
    public init(_ text: String, bounds: TextBounds?) {
      self.text = text
      self.bounds = bounds
    }
  }

  /// The elements, in any order.
  public var texts: [Text]

  /// Creates elements of one size.
  public init(_ texts: [Text] = []) {
    self.texts = texts
  }

  /// Creates elements that replace each other in the same bounds, such as the rows of a wheel. If
  /// there are many, only the longest count.
  public init(withSharedBounds texts: [String]) {
    var texts = texts.filter { !$0.isEmpty }
    if texts.count > Self.maximumWithSharedBounds {
      let ranked = texts.map { (text: $0, length: $0.unicodeScalars.count) }
        .sorted { $0.length > $1.length }
      texts = ranked.prefix(Self.maximumWithSharedBounds).map(\.text)
    }
    self.texts = texts.map { Text($0, bounds: nil) }
  }

  /// Layout takes up to 20 µs per text, and a wheel may have 100 000.
  private static let maximumWithSharedBounds = 200

  var haveSharedBounds: Bool { !texts.isEmpty && texts[0].bounds == nil }

  /// Hashes only the count, because every row of a large wheel has all of them as peers.
  public func hash(into hasher: inout Hasher) { hasher.combine(texts.count) }
}

extension Sector {
  /// The strip's section from `top` to `bottom` inside the sector, at or nearest to x = 0, or nil.
  ///
  /// Each edge limits x at both sides of the strip. Of a sector of more than half a turn, which
  /// isn't convex, only half a turn around its middle is used.
  fileprivate func extent(top: Double, bottom: Double) -> ClosedRange<Double>? {
    let (above, below) = (top - center.y, bottom - center.y)
    let farthest = max(abs(above), abs(below))
    guard farthest < outerRadius else { return nil }
    let rim = (outerRadius * outerRadius - farthest * farthest).squareRoot()
    var (low, high) = (center.x - rim, center.x + rim)
    let nearest = above <= 0 && below >= 0 ? 0 : min(abs(above), abs(below))
    if nearest < innerRadius {
      let hole = (innerRadius * innerRadius - nearest * nearest).squareRoot()
      if center.x <= 0 {
        low = max(low, center.x + hole)
      } else {
        high = min(high, center.x - hole)
      }
    }
    if !isClosed {
      // The inside satisfies `start.unit.cross(v) >= inset` and `end.unit.cross(v) <= -inset`.
      let half = min(sweep / 2, .degrees(90))
      for (unit, sign) in [((middle - half).unit, 1.0), ((middle + half).unit, -1.0)] {
        for y in [above, below] {
          // sign · (unit.x · y − unit.y · x) ≥ inset
          let slope = -sign * unit.y
          let rest = inset - sign * unit.x * y
          if abs(slope) < 1e-12 {
            if rest > 1e-9 { return nil }
          } else if slope > 0 {
            low = max(low, center.x + rest / slope)
          } else {
            high = min(high, center.x + rest / slope)
          }
        }
      }
    }
    return low < high ? low...high : nil
  }
}
