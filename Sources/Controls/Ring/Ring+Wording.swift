// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

extension Ring {
  /// The text in its middle, or else its value.
  public func wording(of item: String?, at now: Instant) -> Wording {
    isSpinning ? Wording(label: text) : Wording(value: text.isEmpty ? label : text)
  }

  /// Nil: a finger hears the ring as a whole.
  public func item(under point: Point, at now: Instant) -> String? { nil }
}
