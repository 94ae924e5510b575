// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

extension Keypad {
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
