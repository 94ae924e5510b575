// SPDX-License-Identifier: MIT

public import RoundelGeometry
public import RoundelMotion

extension Picker {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of a wheel, or of all wheels.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    var shown = frame
    if let part, columns.indices.contains(part) { shown = window(part) }
    return .rect(RoundedRect(shown, radius: min(rowHeight * 0.25, 14)))
  }

  /// Turns one wheel at a time. Enter moves to the next wheel, and leaves the picker after the
  /// last.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let happened = turned(by: key, on: &part, at: now) else { return false }
    events += happened.map(event)
    return true
  }

  /// Returns the events, or nil if the key has no effect here.
  mutating func turned(by key: Keystroke, on part: inout Int?, at now: Instant) -> [WheelEvent]? {
    guard let wheel = part, columns.indices.contains(wheel) else {
      guard key == .enter else { return nil }
      part = 0
      return []
    }
    switch key {
    case .left, .right, .up, .down: return turned(wheel, by: key.step ?? 1, at: now)
    case .enter: part = wheel + 1 < columns.count ? wheel + 1 : nil
    case .back: part = nil
    case .next where wheel + 1 < columns.count: part = wheel + 1
    case .previous where wheel > 0: part = wheel - 1
    default: return nil
    }
    return []
  }

  /// The selected rows of all wheels, or of a single wheel.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else {
      return Wording(value: columns.indices.map { selected($0).label }.joined(separator: " "))
    }
    guard let column = columns.firstIndex(where: { $0.id == item }) else { return Wording() }
    return Wording(
      label: columns.count > 1 ? columns[column].id : "", value: selected(column).label,
      position: .init(wheels[column].index, of: columns[column].shownItems.count))
  }

  /// The id of a wheel.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    columns.indices.contains(part) ? columns[part].id : nil
  }

  /// The wheel nearest to `point`.
  public func item(under point: Point, at now: Instant) -> String? {
    columns.indices.min { abs(window($0).center.x - point.x) < abs(window($1).center.x - point.x) }
      .map { columns[$0].id }
  }
}
