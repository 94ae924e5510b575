// SPDX-License-Identifier: MIT

public import Motion

extension Pinwheel {
  /// The label of a wedge; of the wheel that of the chosen one.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else {
      return Wording(value: selectedWedge.map { wedges[$0].label } ?? "")
    }
    guard let wedge = wedges.firstIndex(where: { $0.id == item }) else { return Wording() }
    return Wording(
      label: wedges[wedge].label, value: wedges[wedge].detail,
      position: .init(wedge, of: wedges.count))
  }

  /// A wedge.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    wedges.indices.contains(part) ? wedges[part].id : nil
  }
}
