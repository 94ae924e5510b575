// SPDX-License-Identifier: MIT

public import RoundelGeometry

/// A part that a finger can aim at, such as a wedge, a leaf or a row.
public struct ControlItem: Hashable, Sendable {
  /// The id, unique in the control. Nested items are `outer/inner`.
  public var id: String
  /// The point to touch, or nil while the item isn't visible.
  public var place: Point?
  /// Whether a touch of the item has an effect.
  public var isEnabled: Bool

  /// Creates an item at its current point.
  public init(_ id: String, at place: Point?, isEnabled: Bool = true) {
    self.id = id
    self.place = place
    self.isEnabled = isEnabled
  }
}
