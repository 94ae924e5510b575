// SPDX-License-Identifier: MIT

internal import RoundelGeometry
public import RoundelMotion

extension List {
  /// Whether a row can be chosen.
  public var takesKeys: Bool { items.contains(where: \.isEnabled) }

  /// The visible part of a row, or the box.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    guard let part, items.indices.contains(part) else { return .rect(RoundedRect(frame)) }
    let top = top(of: part, at: now)
    let row = Rect(x0: frame.x0, y0: top, x1: frame.x1, y1: top + rowHeight).intersection(frame)
    return row.isEmpty ? nil : .rect(RoundedRect(row))
  }

  /// Moves from row to row, skipping disabled rows, and scrolls to each.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let row = part, items.indices.contains(row) else {
      guard key == .enter else { return false }
      part = items.indices.next(
        from: selection ?? shownRows(at: now).first ?? 0, by: 1, startingHere: true
      ) { items[$0].isEnabled }
      if let part { show(part, at: now) }
      return true
    }
    switch key {
    case .back: part = nil
    case .left, .right, .up, .down:
      // A list doesn't wrap around.
      let rows = (key.step ?? 1) > 0 ? row + 1..<items.count : 0..<row
      let next =
        (key.step ?? 1) > 0 ? rows.first { items[$0].isEnabled } : rows.last { items[$0].isEnabled }
      if let next {
        part = next
        show(next, at: now)
      }
    default: return false
    }
    return true
  }

  /// The label and detail of a row, or for the list the label of the chosen row.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else { return Wording(value: selection.map { items[$0].label } ?? "") }
    guard let row = row(named: item) else { return Wording() }
    return Wording(
      label: items[row].label, value: items[row].detail, position: .init(row, of: items.count))
  }

  /// The id or index of a row.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    items.indices.contains(part) ? items[part].id ?? "\(part)" : nil
  }

  private func row(named item: String) -> Int? {
    if let row = Int(item), items.indices.contains(row), items[row].id == nil { return row }
    return items.firstIndex { $0.id == item }
  }
}
