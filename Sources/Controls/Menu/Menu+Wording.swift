// SPDX-License-Identifier: MIT

public import Motion

extension Menu {
  /// The label of a leaf, or of the root.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else { return Wording(label: root.label) }
    let found = nodes.indices.dropFirst().first { path($0).joined(separator: "/") == item }
    guard let node = found else { return Wording() }
    return Wording(
      label: nodes[node].item.label,
      position: .init(nodes[node].index, of: nodes[nodes[node].parent].leaves.count))
  }

  /// The path of a leaf.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    nodes.indices.dropFirst().contains(part) ? path(part).joined(separator: "/") : nil
  }
}
