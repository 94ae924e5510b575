// SPDX-License-Identifier: MIT

public import Glibc

/// A direction or a rotation, clockwise. As a direction, 0 points to 12 o'clock.
public struct Angle: Hashable, Comparable, Sendable {
  /// Clockwise radians, unbounded: a dial turned twice round is at 4π.
  public var radians: Double

  /// Creates an angle from radians.
  @inlinable public init(radians: Double) { self.radians = radians }

  /// Returns an angle in radians.
  @inlinable public static func radians(_ value: Double) -> Angle { Angle(radians: value) }
  /// Returns an angle in degrees.
  @inlinable public static func degrees(_ value: Double) -> Angle {
    Angle(radians: value * (.pi / 180))
  }

  /// Creates the direction of `vector`, or 12 o'clock for the zero vector.
  @inlinable public init(of vector: Vector) {
    radians = vector == .zero ? 0 : atan2(vector.x, -vector.y)
  }

  /// 12 o'clock, or no rotation.
  public static let zero = Angle(radians: 0)
  /// 2π, 360°.
  public static let fullTurn = Angle(radians: 2 * .pi)

  /// Clockwise degrees, unbounded.
  @inlinable public var degrees: Double { radians * (180 / .pi) }

  /// The unit vector in this direction.
  ///
  /// Components are rounded to 2⁻³², because C libraries differ in the last bit of a sine, and a
  /// frame must have the same bytes on every machine. At 2000 pixels the error is below a millionth
  /// of a pixel.
  public var unit: Vector {
    func rounded(_ value: Double) -> Double { (value * 0x1p32).rounded() * 0x1p-32 }
    return Vector(rounded(sin(radians)), rounded(-cos(radians)))
  }

  /// This direction in `0 ..< 2π`.
  public var normalized: Angle {
    let rest = radians.truncatingRemainder(dividingBy: 2 * .pi)
    let positive = rest < 0 ? rest + 2 * .pi : rest
    return Angle(radians: positive < 2 * .pi ? positive : 0)
  }

  /// Returns the shortest rotation from `other` to this direction, in `-π ... π`.
  public func turn(from other: Angle) -> Angle {
    Angle(radians: remainder(radians - other.radians, 2 * .pi))
  }

  /// Returns the sum of two rotations.
  @inlinable public static func + (a: Angle, b: Angle) -> Angle {
    Angle(radians: a.radians + b.radians)
  }
  /// Returns the rotation from `b` to `a`, not normalized.
  @inlinable public static func - (a: Angle, b: Angle) -> Angle {
    Angle(radians: a.radians - b.radians)
  }
  /// Returns the rotation multiplied by `k`.
  @inlinable public static func * (a: Angle, k: Double) -> Angle { Angle(radians: a.radians * k) }
  /// Returns the rotation divided by `k`.
  @inlinable public static func / (a: Angle, k: Double) -> Angle { Angle(radians: a.radians / k) }
  /// Returns the opposite rotation.
  @inlinable public static prefix func - (a: Angle) -> Angle { Angle(radians: -a.radians) }
  /// Compares the unbounded radians: 350° is greater than −10°.
  @inlinable public static func < (a: Angle, b: Angle) -> Bool { a.radians < b.radians }
}
