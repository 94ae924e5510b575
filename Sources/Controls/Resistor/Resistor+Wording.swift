// SPDX-License-Identifier: MIT

internal import Expressions
public import Geometry
public import Motion

extension Resistor {
  /// The value as text, or the colour of a band.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard item == nil else { return picker.wording(of: item, at: now) }
    return Wording(value: value(of: "text", at: now)?.display ?? "")
  }

  /// The wheel of a band.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    picker.item(ofPart: part, at: now)
  }

  /// The wheel nearest to `point`.
  public func item(under point: Point, at now: Instant) -> String? {
    picker.item(under: point, at: now)
  }
}
