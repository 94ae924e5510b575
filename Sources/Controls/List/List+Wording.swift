// SPDX-License-Identifier: MIT

public import Motion

extension List {
  /// The label and detail of a row, or for the list the label of the chosen row.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else {
      return Wording(value: selection.map { items[$0].label } ?? "")
    }
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
