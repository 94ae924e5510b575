// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Toggle {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The bounds of label and switch.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .rect(RoundedRect(Rect(center: center, size: size), radius: size.height / 4))
  }

  /// Reports `pressed` and `changed` for Enter.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard key == .enter else { return false }
    press(at: now, events: &events)
    return true
  }
}
