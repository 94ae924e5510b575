// SPDX-License-Identifier: MIT

public import RoundelGeometry

/// A gradual change from one colour to another along a path. Before and after the path, the colour
/// is constant.
public struct Gradient: Hashable, Sendable {
  /// A path, in design pixels.
  public enum Path: Hashable, Sendable {
    /// Between two values of `y`.
    case vertical(from: Double, to: Double)
    /// Between two distances from a centre.
    case radial(center: Point, from: Double, to: Double)
  }

  /// The progress of the colour along the path.
  public enum Curve: Hashable, Sendable {
    /// Linear.
    case even
    /// Slow at the start: t².
    case late
    /// Slow at the start and at the end: t² · (3 − 2t).
    case soft

    fileprivate func callAsFunction(_ t: Double) -> Double {
      switch self {
      case .even: t
      case .late: t * t
      case .soft: t * t * (3 - 2 * t)
      }
    }
  }

  /// The path.
  public var path: Path
  /// The progress along the path.
  public var curve: Curve
  /// The colour at the start.
  public var start: Color
  /// The colour at the end.
  public var end: Color

  /// Creates a gradient along a path.
  public init(_ path: Path, _ curve: Curve = .even, from start: Color, to end: Color) {
    self.path = path
    self.curve = curve
    self.start = start
    self.end = end
  }

  /// Clamps `part` to 0 … 1. Colours are weighted by alpha, so a clear colour doesn't fade through
  /// black.
  package func color(at part: Double) -> Color {
    let weight = curve(part > 0 ? min(part, 1) : 0)
    let (a, b) = (Double(start.alpha) * (1 - weight), Double(end.alpha) * weight)
    guard a + b > 0 else { return .clear }
    var color = start
    color.alpha = UInt8((a + b).rounded())
    // Most gradients only fade.
    if start.isSame(as: end) { return color }
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(((Double(from) * a + Double(to) * b) / (a + b)).rounded())
    }
    color.red = mix(start.red, end.red)
    color.green = mix(start.green, end.green)
    color.blue = mix(start.blue, end.blue)
    return color
  }

  package func color(at point: Point) -> Color {
    let (place, from, to) =
      switch path {
      case .vertical(let from, let to): (point.y, from, to)
      case .radial(let center, let from, let to): ((point - center).length, from, to)
      }
    return color(at: from == to ? (place < from ? 0 : 1) : (place - from) / (to - from))
  }
}

extension Color {
  /// Ignores alpha.
  fileprivate func isSame(as other: Color) -> Bool {
    red == other.red && green == other.green && blue == other.blue
  }
}
