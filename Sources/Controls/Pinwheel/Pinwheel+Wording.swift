// SPDX-License-Identifier: MIT

public import Motion

extension Pinwheel {
  /// The label and detail of a wedge, or for the pinwheel the label of the chosen wedge.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else {
      return Wording(value: selectedWedge.map { wedges[$0].label } ?? "")
    }
    guard let wedge = wedges.firstIndex(where: { $0.id == item }) else { return Wording() }
    return Wording(
      label: wedges[wedge].label, value: wedges[wedge].detail,
      position: .init(wedge, of: wedges.count))
  }

  /// The id of a wedge.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    wedges.indices.contains(part) ? wedges[part].id : nil
  }
}
