// SPDX-License-Identifier: MIT

internal import RoundelGeometry
public import RoundelMotion

extension Menu {
  /// Always true.
  public var takesKeys: Bool { true }

  /// The outline of a leaf of the innermost open ring, or of the root.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    let node = reachableLeaf(part) ?? 0
    return .sector(Sector(center: position(node, at: now), radius: nodes[node].radius))
  }

  /// Enter opens or selects. A turn moves to the next enabled leaf. Back returns to the outer ring,
  /// or closes the menu.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    let leaf = reachableLeaf(part)
    part = leaf
    // A finger is using the menu.
    guard !isHeld else { return true }
    guard let ring = open else {
      guard key == .enter else { return false }
      open(0, at: now, events: &events)
      part = pass(toLeafOf: 0, at: now, events: &events)
      return true
    }
    switch key {
    case .enter:
      guard let leaf else {
        part = pass(toLeafOf: ring, at: now, events: &events)
        break
      }
      guard nodes[leaf].item.isEnabled else { break }
      if nodes[leaf].ring != nil {
        open(leaf, at: now, events: &events)
        part = pass(toLeafOf: leaf, at: now, events: &events)
      } else {
        select(leaf, at: now, events: &events)
        part = nil
      }
    case .back where ring > 0:
      open(nodes[ring].parent, at: now, events: &events)
      part = ring
    case .back, .next, .previous:
      letGo(at: now, events: &events)
      part = nil
      return key == .back
    case .left, .right, .up, .down:
      part = pass(toLeafOf: ring, from: leaf, by: key.step ?? 1, at: now, events: &events)
    default: return false
    }
    return true
  }

  private func reachableLeaf(_ part: Int?) -> Int? {
    guard let part, let ring = open, nodes[ring].leaves.contains(part) else { return nil }
    return part
  }

  private func pass(
    toLeafOf ring: Int, from leaf: Int? = nil, by offset: Int = 1, at now: Instant,
    events: inout [ControlEvent]
  ) -> Int? {
    let leaves = nodes[ring].leaves
    let next = leaves.next(
      from: leaf ?? leaves.lowerBound, by: offset, startingHere: leaf == nil
    ) { nodes[$0].item.isEnabled }
    if let next, next != leaf { events.append(event("passing", next, at: now)) }
    return next
  }

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
