// SPDX-License-Identifier: MIT

public import Motion

extension Button {
  /// A key presses it.
  public static var spokenRole: SpokenRole { .pressed }

  /// Its text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }
}
