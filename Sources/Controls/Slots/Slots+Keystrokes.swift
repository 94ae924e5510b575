// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Slots {
  /// Whether a touch starts a spin.
  public var takesKeys: Bool { triggers.contains(.touch) }

  /// The outline of the window.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .rect(RoundedRect(frame.inset(by: -4), radius: 8))
  }

  /// Starts a spin for Enter, unless one is in progress.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard key == .enter else { return false }
    spin(at: now, events: &events)
    return true
  }
}
