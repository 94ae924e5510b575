// SPDX-License-Identifier: MIT

public import Geometry
internal import Motion

/// A part of a control that a finger can aim at: a wedge, a leaf, a label, a row.
public struct ControlItem: Hashable, Sendable {
  /// Unique in the control; nested items are `outer/inner`.
  public var id: String
  /// The place to touch it, in design pixels; nil while it cannot be seen.
  public var place: Point?
  /// Whether a finger on it does something.
  public var isEnabled: Bool

  /// An item at its present place.
  public init(_ id: String, at place: Point?, isEnabled: Bool = true) {
    self.id = id
    self.place = place
    self.isEnabled = isEnabled
  }
}

extension Control {
  /// The place of an item by its id.
  func itemPlace(_ id: String, at now: Instant) -> Point? {
    items(at: now).first { $0.id == id }?.place
  }
}
