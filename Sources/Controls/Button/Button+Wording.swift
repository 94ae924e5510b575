// SPDX-License-Identifier: MIT

public import Motion

extension Button {
  /// Its text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }
}
