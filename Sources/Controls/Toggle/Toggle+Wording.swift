// SPDX-License-Identifier: MIT

internal import Expressions
public import Motion

extension Toggle {
  /// A key presses a toggle.
  public static var spokenRole: SpokenRole { .pressed }

  /// The label, and whether the toggle is on.
  public func wording(of item: String?, at now: Instant) -> Wording {
    Wording(label: label, isOn: value(of: "value", at: now) == .flag(true))
  }
}
