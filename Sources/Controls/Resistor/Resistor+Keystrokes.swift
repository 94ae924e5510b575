// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

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
}
