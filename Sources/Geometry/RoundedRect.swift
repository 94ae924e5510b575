// SPDX-License-Identifier: MIT

/// A rectangle with circular corners; a pill where the radius is half the short side.
public struct RoundedRect: Hashable, Sendable {
  /// The rectangle before its corners are rounded.
  public var rect: Rect
  /// The corners' radius, never more than half the short side.
  public var radius: Double

  /// A rectangle with rounded corners. The radius is clamped to 0 … half the short side.
  public init(_ rect: Rect, radius: Double = 0) {
    self.rect = rect
    self.radius = max(0, min(radius, rect.width / 2, rect.height / 2))
  }

  /// A disc.
  package init(disc center: Point, radius: Double) {
    self.init(Rect(center: center, size: Size(2 * radius, 2 * radius)), radius: radius)
  }

  /// Whether `p` lies inside; a point on the arc of a corner does not.
  public func contains(_ p: Point) -> Bool {
    guard rect.contains(p) else { return false }
    let dx = max(rect.x0 + radius - p.x, p.x - (rect.x1 - radius), 0)
    let dy = max(rect.y0 + radius - p.y, p.y - (rect.y1 - radius), 0)
    return dx == 0 || dy == 0 || dx * dx + dy * dy < radius * radius
  }
}
