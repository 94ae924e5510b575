// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

extension Ring {
  /// The text in the centre, otherwise the value.
  public func wording(of item: String?, at now: Instant) -> Wording {
    isSpinning ? Wording(label: text) : Wording(value: text.isEmpty ? label : text)
  }

  /// Always nil, because touch exploration reads the ring as a whole.
  public func item(under point: Point, at now: Instant) -> String? { nil }
}
