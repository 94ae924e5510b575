// SPDX-License-Identifier: MIT

public import Motion

extension Label {
  /// It is only seen.
  public static var spokenRole: SpokenRole { .seen }

  /// Its text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }
}
