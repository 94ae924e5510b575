// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Picker {
  /// True.
  public var takesKeys: Bool { true }

  /// A wheel, or all of them.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    var shown = frame
    if let part, columns.indices.contains(part) { shown = window(part) }
    return .rect(RoundedRect(shown, radius: min(rowHeight * 0.25, 14)))
  }

  /// Turns one wheel after the other by rows; Enter goes to the next one and, from the last, leaves.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let happened = turned(by: key, on: &part, at: now) else { return false }
    events += happened.map(event)
    return true
  }

  /// The events of the wheels after a key; nil where it does nothing here.
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
