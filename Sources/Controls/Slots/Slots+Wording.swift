// SPDX-License-Identifier: MIT

internal import Expressions
public import Geometry
public import Motion

extension Slots {
  /// A key presses a slot machine.
  public static var spokenRole: SpokenRole { .pressed }

  /// The labels of the shown items, or of one reel's. Empty during a spin.
  public func wording(of item: String?, at now: Instant) -> Wording {
    if case .flag(true)? = value(of: "spinning", at: now) { return Wording() }
    let shown = reels.filter { item == nil || $0.id == item }
    return Wording(
      value: shown.compactMap { value(of: "\($0.id).label", at: now)?.display }
        .joined(separator: ", "))
  }

  /// Always nil, because touch exploration reads all reels together.
  public func item(under point: Point, at now: Instant) -> String? { nil }
}
