// SPDX-License-Identifier: MIT

public import RoundelGeometry
public import RoundelMotion

extension Keypad {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of a key, or of the keypad if the text is secret.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    let positions = positions
    guard !isSecret, let part, positions.indices.contains(part) else {
      return .rect(RoundedRect(frame))
    }
    return .rect(outline(of: positions[part]))
  }

  /// Moves from key to key.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    let positions = positions
    guard let current = part, positions.indices.contains(current) else {
      guard key == .enter else { return false }
      part = 0
      return true
    }
    switch key {
    case .back: part = nil
    case .left, .right:
      part = positions.indices.next(from: current, by: key.step ?? 1) { _ in true }
    case .up, .down:
      part = position(besides: positions[current], by: key.step ?? 1, among: positions)
    default: return false
    }
    return true
  }

  /// The nearest key in the row above or below, wrapping around.
  private func position(
    besides position: KeyPosition, by offset: Int, among positions: [KeyPosition]
  ) -> Int? {
    let rows = (positions.last?.row ?? 0) + 1
    let row = (position.row + offset + rows) % rows
    let middle = outline(of: position).rect.center.x
    return positions.indices.filter { positions[$0].row == row }.min {
      abs(outline(of: positions[$0]).rect.center.x - middle)
        < abs(outline(of: positions[$1]).rect.center.x - middle)
    }
  }

  /// The name of a key, or the typed text unless it is secret.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else { return Wording(value: isSecret ? "" : text) }
    return Wording(label: item)
  }

  /// The name of a key, or nil if it types a character of a secret.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    positions.indices.contains(part) ? item(positions[part]) : nil
  }

  /// The name of the nearest key, or nil if it types a character of a secret.
  public func item(under point: Point, at now: Instant) -> String? {
    let nearest = positions.min {
      (outline(of: $0).rect.center - point).length < (outline(of: $1).rect.center - point).length
    }
    return nearest.flatMap(item)
  }

  private func item(_ position: KeyPosition) -> String? {
    let action = action(position)
    if isSecret, case .type = action { return nil }
    return action.name
  }
}
