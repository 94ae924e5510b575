// SPDX-License-Identifier: MIT

/// A rectangle with circular corners, or a pill if the radius is half the short side.
public struct RoundedRect: Hashable, Sendable {
  /// The rectangle before rounding.
  public var rect: Rect
  /// At most half the short side.
  public var radius: Double

  /// Creates a rectangle with rounded corners. The radius is clamped to 0 … half the short side.
  public init(_ rect: Rect, radius: Double = 0) {
    self.rect = rect
    self.radius = max(0, min(radius, rect.width / 2, rect.height / 2))
  }

  package init(disc center: Point, radius: Double) {
    self.init(Rect(center: center, size: Size(2 * radius, 2 * radius)), radius: radius)
  }

  /// Whether `p` is inside. A point on the arc of a corner is outside.
  public func contains(_ p: Point) -> Bool {
    guard rect.contains(p) else { return false }
    let dx = max(rect.x0 + radius - p.x, p.x - (rect.x1 - radius), 0)
    let dy = max(rect.y0 + radius - p.y, p.y - (rect.y1 - radius), 0)
    return dx == 0 || dy == 0 || dx * dx + dy * dy < radius * radius
  }
}
