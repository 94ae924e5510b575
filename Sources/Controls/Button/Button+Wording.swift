// SPDX-License-Identifier: MIT

public import Motion

extension Button {
  /// A key presses a button.
  public static var spokenRole: SpokenRole { .pressed }

  /// The button's text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }
}
