// SPDX-License-Identifier: MIT

internal import RoundelGeometry
public import RoundelMotion

extension Pinwheel {
  /// Whether a wedge can be chosen.
  public var takesKeys: Bool { wedges.contains(where: \.isEnabled) }

  /// The outline of a wedge, or of the rim.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    guard let part, wedges.indices.contains(part) else {
      return .sector(Sector(center: center, radius: radius))
    }
    return .sector(sector(part))
  }

  /// Moves from wedge to wedge, skipping disabled wedges.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let wedge = part, wedges.indices.contains(wedge) else {
      guard key == .enter else { return false }
      part = wedges.indices.next(from: selection ?? 0, by: 1, startingHere: true) {
        wedges[$0].isEnabled
      }
      return true
    }
    switch key {
    case .back: part = nil
    case .left, .right, .up, .down:
      part = wedges.indices.next(from: wedge, by: key.step ?? 1) { wedges[$0].isEnabled }
    default: return false
    }
    return true
  }

  /// The label and detail of a wedge, or for the pinwheel the label of the chosen wedge.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard let item else { return Wording(value: selection.map { wedges[$0].label } ?? "") }
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
