// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Button {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The button's outline.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? { .rect(outline) }

  /// Reports `pressed` and `selected` for Enter.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard key == .enter else { return false }
    press(at: now, events: &events)
    return true
  }
}
