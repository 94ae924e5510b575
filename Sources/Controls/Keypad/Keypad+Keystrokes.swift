// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Keypad {
  /// True.
  public var takesKeys: Bool { true }

  /// A key, or all of them: if the text is secret, the mark does not show the key.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    let places = places
    guard !isSecret, let part, places.indices.contains(part) else {
      return .rect(RoundedRect(frame))
    }
    return .rect(outline(of: places[part]))
  }

  /// Goes from key to key. Enter types the key.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    let places = places
    guard let current = part, places.indices.contains(current) else {
      guard key == .enter else { return false }
      part = 0
      return true
    }
    switch key {
    case .enter: type(places[current], at: now, events: &events)
    case .back: part = nil
    case .left, .right: part = places.indices.next(from: current, by: key.way ?? 1) { _ in true }
    case .up, .down: part = place(besides: places[current], by: key.way ?? 1, among: places)
    default: return false
    }
    return true
  }

  /// The key in the row above or below that is nearest; the last row is followed by the first.
  private func place(besides place: KeyPosition, by way: Int, among places: [KeyPosition]) -> Int? {
    let rows = (places.last?.row ?? 0) + 1
    let row = (place.row + way + rows) % rows
    let middle = outline(of: place).rect.center.x
    return places.indices.filter { places[$0].row == row }.min {
      abs(outline(of: places[$0]).rect.center.x - middle)
        < abs(outline(of: places[$1]).rect.center.x - middle)
    }
  }
}
