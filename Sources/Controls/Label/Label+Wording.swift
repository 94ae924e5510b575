// SPDX-License-Identifier: MIT

public import Motion

extension Label {
  /// Its text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }
}
