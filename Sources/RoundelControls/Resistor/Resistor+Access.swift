// SPDX-License-Identifier: MIT

internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

extension Resistor {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of a band's wheel, or of the whole calculator.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    part == nil
      ? .rect(RoundedRect(Rect(center: center, size: size), radius: 14))
      : picker.focusOutline(of: part, at: now)
  }

  /// Turns the wheels band by band, like a picker.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    var isUsed = false
    report(&events) { picker in
      let happened = picker.turned(by: key, on: &part, at: now)
      isUsed = happened != nil
      return happened ?? []
    }
    return isUsed
  }

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
