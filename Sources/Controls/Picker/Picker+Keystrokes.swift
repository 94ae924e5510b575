// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Picker {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of a wheel, or of all wheels.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    var shown = frame
    if let part, columns.indices.contains(part) { shown = window(part) }
    return .rect(RoundedRect(shown, radius: min(rowHeight * 0.25, 14)))
  }

  /// Turns one wheel at a time by rows. Enter moves to the next wheel, and leaves the picker after
  /// the last.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let happened = turned(by: key, on: &part, at: now) else { return false }
    events += happened.map(event)
    return true
  }

  /// Returns the events of the wheels, or nil if the key has no effect here.
  mutating func turned(
    by key: Keystroke, on part: inout Int?, at now: Instant
  ) -> [WheelEvent]? {
    guard let wheel = part, columns.indices.contains(wheel) else {
      guard key == .enter else { return nil }
      part = 0
      return []
    }
    switch key {
    case .left, .right, .up, .down: return turned(wheel, by: key.way ?? 1, at: now)
    case .enter: part = wheel + 1 < columns.count ? wheel + 1 : nil
    case .back: part = nil
    case .next where wheel + 1 < columns.count: part = wheel + 1
    case .previous where wheel > 0: part = wheel - 1
    default: return nil
    }
    return []
  }
}
