// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import Motion

/// How a page takes the place of another.
public struct PageTransition: Hashable, Sendable {
  /// The way in which the new page takes the place of the old one.
  public enum Kind: String, CaseIterable, Sendable {
    /// No transition: the page is there immediately.
    case none
    /// The page pushes the other one aside: to the left where it comes later in the kiosk, else to the
    /// right.
    case slide
    /// The page shows through the other one more and more.
    case fade
  }

  /// The way in which the new page comes.
  public var kind: Kind
  /// Seconds from the first picture to the last.
  public var seconds: Double

  /// The page is there at once.
  public static let none = PageTransition(.none)
  /// The default of `seconds`.
  public static let standardSeconds = 0.3

  /// A transition that takes `seconds`, above 0.
  public init(_ kind: Kind, seconds: Double = standardSeconds) {
    self.kind = kind
    self.seconds = seconds
  }
}

/// A change of page under way.
///
///     go ──────────────── the new page takes touches ────────────────┤ end
///     what was seen ──── ever less of it, ever more of the new page
///
/// It begins with what was seen at that moment, a change of page included.
struct PageChange: Sendable {
  enum Course: Sendable {
    case fade
    /// The pages move in a direction.
    case slide(Direction)
    /// The same where a finger has moved the page so far, in design pixels. From there the spring goes on to
    /// the whole side.
    case swipe(Direction, Spring)
  }

  let course: Course
  let start: Instant
  let end: Instant
  /// The picture at the start, without what a finger has moved.
  let before: DisplayList

  /// The part of the way that is done, by the part of the time that has passed: it starts and stops smoothly
  /// (Hermite's 3x² − 2x³).
  private func progress(at now: Instant) -> Double {
    let x = min(max((now - start) / (end - start), 0), 1)
    return x * x * (3 - 2 * x)
  }

  /// The rest of the old page in the picture of the new one, where the pages have the size `whole`.
  func transition(at now: Instant, of whole: Size) -> DisplayList.Transition {
    switch course {
    case .fade: return .fade(from: before, progress: progress(at: now))
    case .slide(let direction):
      return .slide(from: before, towards: direction, progress: progress(at: now))
    case .swipe(let direction, let spring):
      let first = spring.position(at: spring.start)
      let position = spring.position(at: now)
      // A panel may be longer than the design: the rest of it comes with the rest of the way.
      let side = whole.along(direction.axis)
      let part = first < spring.target ? (position - first) / (spring.target - first) : 1
      let way = position + (side - spring.target) * min(max(part, 0), 1)
      return .slide(
        from: before, towards: direction, progress: min(max(way / side, 0), 1))
    }
  }

  /// How far the new page is from its place along an axis, in design pixels; 0 where it does not move so.
  func offset(along axis: Axis, at now: Instant, of whole: Size) -> Double {
    guard case .slide(_, let direction, let progress) = transition(at: now, of: whole),
      direction.axis == axis
    else { return 0 }
    return -direction.sign * (1 - progress) * whole.along(axis)
  }
}
