// SPDX-License-Identifier: MIT

internal import Geometry
public import Motion

extension Keypad {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of a key, or the whole keypad if the text is secret, so that the mark doesn't
  /// reveal the key.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    let places = places
    guard !isSecret, let part, places.indices.contains(part) else {
      return .rect(RoundedRect(frame))
    }
    return .rect(outline(of: places[part]))
  }

  /// Moves from key to key. Enter types the key.
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

  /// Returns the nearest key in the row above or below. The first row follows the last.
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
