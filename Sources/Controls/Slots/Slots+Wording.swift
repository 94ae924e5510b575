// SPDX-License-Identifier: MIT

internal import Expressions
public import Geometry
public import Motion

extension Slots {
  /// A key presses it.
  public static var spokenRole: SpokenRole { .pressed }

  /// The items that its reels show, or that of one reel; nothing while they turn.
  public func wording(of item: String?, at now: Instant) -> Wording {
    if case .flag(true)? = value(of: "spinning", at: now) { return Wording() }
    let shown = reels.filter { item == nil || $0.id == item }
    return Wording(
      value: shown.compactMap { value(of: "\($0.id).label", at: now)?.display }
        .joined(separator: ", "))
  }

  /// Nil: a finger hears all reels.
  public func item(under point: Point, at now: Instant) -> String? { nil }
}
