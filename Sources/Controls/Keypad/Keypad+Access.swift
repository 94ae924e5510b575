// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

extension Keypad {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of a key, or of the keypad if the text is secret.
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

  /// Returns the nearest key in the row above or below, wrapping around.
  private func place(besides place: KeyPosition, by way: Int, among places: [KeyPosition]) -> Int? {
    let rows = (places.last?.row ?? 0) + 1
    let row = (place.row + way + rows) % rows
    let middle = outline(of: place).rect.center.x
    return places.indices.filter { places[$0].row == row }.min {
      abs(outline(of: places[$0]).rect.center.x - middle)
        < abs(outline(of: places[$1]).rect.center.x - middle)
    }
  }

  /// The name of a key, or the typed text unless it is secret.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else { return Wording(value: isSecret ? "" : text) }
    return Wording(label: item)
  }

  /// The name of a key, or nil if it types a character of a secret.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    places.indices.contains(part) ? item(places[part]) : nil
  }

  /// The name of the key nearest to `point`, or nil if it types a character of a secret.
  public func item(under point: Point, at now: Instant) -> String? {
    let nearest = places.min {
      (outline(of: $0).rect.center - point).length < (outline(of: $1).rect.center - point).length
    }
    return nearest.flatMap(item)
  }

  private func item(_ place: KeyPosition) -> String? {
    let action = action(place)
    if isSecret, case .type = action { return nil }
    return action.name
  }
}
