// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

extension Picker {
  /// The selected rows of all wheels, or of a single wheel.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else {
      return Wording(value: columns.indices.map { selected($0).label }.joined(separator: " "))
    }
    guard let column = columns.firstIndex(where: { $0.id == item }) else { return Wording() }
    return Wording(
      label: columns.count > 1 ? columns[column].id : "", value: selected(column).label,
      position: .init(wheels[column].index, of: columns[column].items.count))
  }

  /// The id of a wheel.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    columns.indices.contains(part) ? columns[part].id : nil
  }

  /// The wheel nearest to `point`.
  public func item(under point: Point, at now: Instant) -> String? {
    columns.indices.min {
      abs(window($0).center.x - point.x) < abs(window($1).center.x - point.x)
    }.map { columns[$0].id }
  }
}
