// SPDX-License-Identifier: MIT

internal import Expressions
public import Motion

extension Toggle {
  /// A key presses it.
  public static var spokenRole: SpokenRole { .pressed }

  /// Its label, and whether it is on.
  public func wording(of item: String?, at now: Instant) -> Wording {
    Wording(label: label, isOn: value(of: "value", at: now) == .flag(true))
  }
}
