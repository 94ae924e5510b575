// SPDX-License-Identifier: MIT

internal import Drawing
internal import Motion

/// How a page takes the place of another.
public struct PageTransition: Hashable, Sendable {
  /// The way in which the new page takes the place of the old one.
  public enum Kind: String, CaseIterable, Sendable {
    /// Nothing: the page is there at once.
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
  let kind: PageTransition.Kind
  let isForward: Bool
  let start: Instant
  let end: Instant
  /// The picture at the start.
  let before: DisplayList

  /// The part of the way that is done, 0 … 1: it starts and stops smoothly (Hermite's 3x² − 2x³).
  func progress(at now: Instant) -> Double {
    let x = min(max((now - start) / (end - start), 0), 1)
    return x * x * (3 - 2 * x)
  }

  /// The rest of the old page in the picture of the new one; nil for none.
  func transition(at now: Instant) -> DisplayList.Transition? {
    let progress = progress(at: now)
    return switch kind {
    case .none: nil
    case .fade: .fade(from: before, progress: progress)
    case .slide: .slide(from: before, isForward: isForward, progress: progress)
    }
  }
}
