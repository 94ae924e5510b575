// SPDX-License-Identifier: MIT

/// A point in the plane. x grows to the right, y grows downwards.
///
/// The unit depends on the context: display lists and kiosk files use design pixels, everything
/// inside Raster uses panel pixels.
public struct Point: Hashable, Sendable {
  /// The distance to the right.
  public var x: Double
  /// The distance downwards.
  public var y: Double

  /// Creates a point.
  @inlinable public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// The origin.
  public static let zero = Point(0, 0)

  /// Returns the point displaced by `v`.
  @inlinable public static func + (a: Point, v: Vector) -> Point { Point(a.x + v.x, a.y + v.y) }
  /// Returns the point displaced by `-v`.
  @inlinable public static func - (a: Point, v: Vector) -> Point { Point(a.x - v.x, a.y - v.y) }
  /// Returns the displacement from `b` to `a`.
  @inlinable public static func - (a: Point, b: Point) -> Vector { Vector(a.x - b.x, a.y - b.y) }

  /// Returns the Euclidean distance.
  @inlinable public func distance(to other: Point) -> Double { (self - other).length }
}

/// A displacement between two points.
public struct Vector: Hashable, Sendable {
  /// The component to the right.
  public var x: Double
  /// The component downwards.
  public var y: Double

  /// Creates a displacement.
  @inlinable public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// No displacement.
  public static let zero = Vector(0, 0)

  /// The Euclidean norm.
  @inlinable public var length: Double { (x * x + y * y).squareRoot() }

  /// Returns the componentwise sum.
  @inlinable public static func + (a: Vector, b: Vector) -> Vector { Vector(a.x + b.x, a.y + b.y) }
  /// Returns the componentwise difference.
  @inlinable public static func - (a: Vector, b: Vector) -> Vector { Vector(a.x - b.x, a.y - b.y) }
  /// Returns the vector multiplied by `k`.
  @inlinable public static func * (v: Vector, k: Double) -> Vector { Vector(v.x * k, v.y * k) }

  /// Returns the scalar product.
  @inlinable public func dot(_ other: Vector) -> Double { x * other.x + y * other.y }

  /// Returns the z component of the cross product: positive if `other` is clockwise of this vector.
  @inlinable public func cross(_ other: Vector) -> Double { x * other.y - y * other.x }
}

/// A width and a height. Neither is negative in a well-formed value.
public struct Size: Hashable, Sendable {
  /// The extent along x.
  public var width: Double
  /// The extent along y.
  public var height: Double

  /// Creates a size.
  @inlinable public init(_ width: Double, _ height: Double) {
    self.width = width
    self.height = height
  }

  /// Creates a size.
  @inlinable public init(width: Double, height: Double) { self.init(width, height) }
}
