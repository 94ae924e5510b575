// SPDX-License-Identifier: MIT

public import Geometry
internal import Glibc

/// The space that a text has, in design pixels and in the text's own frame: its anchor is the origin, its
/// lines run to the right, and y points down.
public enum TextRoom: Hashable, Sendable {
  /// A rectangle. It lies around the anchor; beside it where the text's alignment says so.
  case box(Size)
  /// A rectangle around the anchor, in which the text's alignment says to which side the lines go.
  case frame(Size)
  /// A frame through which lines of any number pass. Where they are higher than it, a share of what does not
  /// fit is above it: 0 at the first line, 1 at the last. They fade towards the edges beyond which they go on.
  case column(Size, scrolled: Double)
  /// A part of a ring or disc, for straight lines, each as long as there is room at its height. The lines lie
  /// in a strip of `height` around the anchor.
  case sector(Sector, height: Double = .infinity)
  /// A part of a ring around the sector's centre, for lines that follow it: they read clockwise where the
  /// centre is below the anchor, and counterclockwise where it is above. The sector's directions only
  /// say how far it reaches to both sides.
  case arc(Sector)

  /// The rectangle around the anchor in which alignments are places; nil for another kind of room.
  package var frame: Size? {
    switch self {
    case .frame(let size), .column(let size, _): size
    case .box, .sector, .arc: nil
    }
  }

  /// Where a line from `top` to `bottom` may stand: from left to right of the anchor, along its baseline
  /// at `baseline`. Nil where there is no room at this height.
  package func extent(top: Double, bottom: Double, baseline: Double) -> ClosedRange<Double>? {
    switch self {
    case .box(let size), .frame(let size):
      // A box whose size is not a number holds nothing. The slack allows for rounding of the lines' places.
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
      // The parallel edges are nearest to each other, as angles, at the inner side of the line.
      let half =
        sector.isClosed
        ? Double.pi : sector.sweep.radians / 2 - asin(max(sector.inset, 0) / inner)
      guard half > 0 else { return nil }
      let reach = half * abs(sector.center.y - baseline)
      return -reach...reach
    }
  }
}

/// Texts that have one size: the largest at which each of them fits.
public struct TextPeers: Hashable, Sendable {
  /// A text among them.
  public struct Text: Hashable, Sendable {
    /// Its letters.
    public var text: String
    /// The space for it; nil for that of the text whose size is wanted.
    public var room: TextRoom?

    /// A text and its room.
    public init(_ text: String, room: TextRoom?) {
      self.text = text
      self.room = room
    }
  }

  /// In any order.
  public var texts: [Text]

  /// Texts of one size; none for a text that has a size of its own.
  public init(_ texts: [Text] = []) {
    self.texts = texts
  }

  /// Texts that take each other's place, as the rows of a wheel do. If there are many, the longest decide.
  public init(inOneRoom texts: [String]) {
    var texts = texts.filter { !$0.isEmpty }
    if texts.count > Self.maximumInOneRoom {
      let ranked = texts.map { (text: $0, length: $0.unicodeScalars.count) }
        .sorted { $0.length > $1.length }
      texts = ranked.prefix(Self.maximumInOneRoom).map(\.text)
    }
    self.texts = texts.map { Text($0, room: nil) }
  }

  /// Setting one takes up to 20 µs, and a wheel may have 100 000.
  private static let maximumInOneRoom = 200

  /// Whether they have the room of the text whose size is wanted.
  var areInOneRoom: Bool { !texts.isEmpty && texts[0].room == nil }

  /// Hashes their number only: each text of a large wheel has all of them as its peers.
  public func hash(into hasher: inout Hasher) { hasher.combine(texts.count) }
}

extension Sector {
  /// The part of the horizontal strip from `top` to `bottom` that lies inside and holds, or is nearest to,
  /// x = 0, from left to right; nil where there is none.
  ///
  /// Each edge bounds x for the strip's two sides, so that a rectangle is inside where its corners are. A
  /// sector of more than half a turn is not convex; half a turn around its middle is used.
  fileprivate func extent(top: Double, bottom: Double) -> ClosedRange<Double>? {
    let (above, below) = (top - center.y, bottom - center.y)
    let farthest = max(abs(above), abs(below))
    guard farthest < outerRadius else { return nil }
    let rim = (outerRadius * outerRadius - farthest * farthest).squareRoot()
    var (low, high) = (center.x - rim, center.x + rim)
    // The side of the strip that is nearest to the centre of the hole.
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
      // Inside is where `start.unit.cross(v) >= inset` and `end.unit.cross(v) <= -inset`.
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
