// SPDX-License-Identifier: MIT

internal import Expressions
public import Motion

extension Chart {
  /// The last value with its unit.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard case .number(let last)? = value(of: "value", at: now), last.isFinite else {
      return Wording()
    }
    return Wording(value: Value.number(last).display + unit)
  }
}
