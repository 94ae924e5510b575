// SPDX-License-Identifier: MIT

public import Motion

extension Label {
  /// A label isn't interactive.
  public static var spokenRole: SpokenRole { .seen }

  /// The label's text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }
}
