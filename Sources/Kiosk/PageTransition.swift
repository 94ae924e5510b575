// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

/// The transition from one page to another.
public struct PageTransition: Hashable, Sendable {
  /// The animation.
  public enum Kind: String, CaseIterable, Sendable {
    /// No transition.
    case none
    /// The new page pushes the old page to the left if it comes later in the kiosk, otherwise to the right.
    case slide
    /// A cross-fade to the new page.
    case fade
  }

  /// The animation.
  public var kind: Kind
  /// The duration in seconds.
  public var seconds: Double

  /// An immediate change.
  public static let none = PageTransition(.none)
  /// The default duration in seconds.
  public static let standardSeconds = 0.3

  /// A transition with a duration above 0 seconds.
  public init(_ kind: Kind, seconds: Double = standardSeconds) {
    self.kind = kind
    self.seconds = seconds
  }
}

/// A page change in progress. The new page takes touches from the start.
///
/// A change begins with the picture at that time, which may itself be a page change.
struct PageChange: Sendable {
  enum Animation: Sendable {
    case fade
    case slide(Direction)
    /// A slide that continues a swipe from the finger's position, in design pixels.
    case swipe(Direction, Spring)
  }

  let animation: Animation
  let start: Instant
  let end: Instant
  /// The picture at the start, without displacement by a finger.
  let before: DisplayList

  /// Returns the eased progress, which starts and stops smoothly (Hermite's 3x² − 2x³).
  private func progress(at now: Instant) -> Double {
    let x = min(max((now - start) / (end - start), 0), 1)
    return x * x * (3 - 2 * x)
  }

  /// Returns the rest of the old page in the new picture. Pages have the size `whole`.
  func transition(at now: Instant, of whole: Size) -> DisplayList.Transition {
    switch animation {
    case .fade: return .fade(from: before, progress: progress(at: now))
    case .slide(let direction):
      return .slide(from: before, towards: direction, progress: progress(at: now))
    case .swipe(let direction, let spring):
      let first = spring.position(at: spring.start)
      let position = spring.position(at: now)
      // A panel may be longer than the design. The extra length is distributed over the remaining distance.
      let side = whole.along(direction.axis)
      let part = first < spring.target ? (position - first) / (spring.target - first) : 1
      let distance = position + (side - spring.target) * min(max(part, 0), 1)
      return .slide(from: before, towards: direction, progress: min(max(distance / side, 0), 1))
    }
  }

  /// Returns the new page's displacement in design pixels, or 0 without motion along the axis.
  func offset(along axis: Axis, at now: Instant, of whole: Size) -> Double {
    guard case .slide(_, let direction, let progress) = transition(at: now, of: whole),
      direction.axis == axis
    else { return 0 }
    return -direction.sign * (1 - progress) * whole.along(axis)
  }
}
