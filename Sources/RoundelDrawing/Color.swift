// SPDX-License-Identifier: MIT

internal import Glibc

/// A colour in the sRGB space with straight (not premultiplied) alpha, 8 bits per channel.
public struct Color: Hashable, Sendable {
  /// The encoded red channel.
  public var red: UInt8
  /// The encoded green channel.
  public var green: UInt8
  /// The encoded blue channel.
  public var blue: UInt8
  /// The opacity: 0 is invisible, 255 opaque.
  public var alpha: UInt8

  /// Creates a colour from its encoded channels.
  @inlinable public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Creates the opaque colour `0xRRGGBB`.
  @inlinable public init(hex: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: hex >> 16), green: UInt8(truncatingIfNeeded: hex >> 8),
      blue: UInt8(truncatingIfNeeded: hex))
  }

  /// `0x000000`.
  public static let black = Color(hex: 0x000000)
  /// `0xffffff`.
  public static let white = Color(hex: 0xffffff)
  /// For text on light colours.
  package static let dark = Color(hex: 0x10151c)
  /// Transparent black.
  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

  /// Whether `alpha` is 255.
  public var isOpaque: Bool { alpha == 255 }

  /// The opacity, 0 … 1.
  package var opacity: Double { Double(alpha) / 255 }

  /// Returns the colour with its alpha multiplied by `opacity` (0 … 1).
  public func faded(to opacity: Double) -> Color {
    var result = self
    result.alpha = UInt8((Double(alpha) * (opacity > 0 ? min(opacity, 1) : 0)).rounded())
    return result
  }

  /// Composites this colour over `below`, rounded to the nearest of 255 steps.
  public func over(_ below: Color) -> Color {
    let a = Int(alpha) * 255
    let b = Int(below.alpha) * (255 - Int(alpha))
    let total = a + b
    guard total > 0 else { return .clear }
    func mix(_ upper: UInt8, _ lower: UInt8) -> UInt8 {
      UInt8((Int(upper) * a + Int(lower) * b + total / 2) / total)
    }
    return Color(
      red: mix(red, below.red), green: mix(green, below.green), blue: mix(blue, below.blue),
      alpha: UInt8((total + 127) / 255))
  }

  /// Relative luminance, 0 … 1, as defined by WCAG 2.1. Alpha is ignored.
  public var luminance: Double {
    let (r, g, b) = linear
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }

  /// Linear light, 0 … 1.
  var linear: (red: Double, green: Double, blue: Double) {
    (Self.light(of: red), Self.light(of: green), Self.light(of: blue))
  }

  /// Returns linear light, 0 … 1, by the sRGB transfer function (IEC 61966-2-1).
  package static func light(of channel: UInt8) -> Double { lights[Int(channel)] }

  private static let lights = (0...255).map { channel in
    let c = Double(channel) / 255
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)
  }

  /// Returns the encoded channel nearest to linear light, which is clamped to 0 … 1.
  package static func channel(light: Double) -> UInt8 {
    let c = min(max(light, 0), 1)
    let encoded = c <= 0.003_130_8 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055
    return UInt8((encoded * 255).rounded())
  }

  /// Returns the contrast ratio to another opaque colour, 1 … 21, as defined by WCAG 2.1.
  public func contrast(with other: Color) -> Double {
    let (a, b) = (luminance, other.luminance)
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Returns the colour between this one (`part` 0) and another (1), alpha included.
  package func mixed(with other: Color, _ part: Double) -> Color {
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((Double(a) + (Double(b) - Double(a)) * (part > 0 ? min(part, 1) : 0)).rounded())
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: mix(alpha, other.alpha))
  }

  /// WCAG AA requires this for text of any size.
  package static let textContrast = 4.5
  /// WCAG AA requires this for large text and for symbols.
  package static let signContrast = 3.0

  /// White or near-black, for text on this colour. White wins if its contrast is sufficient for
  /// text of any size, so that text has the same colour on every panel.
  public var readableText: Color {
    let white = contrast(with: .white)
    return white >= Self.textContrast || white >= contrast(with: .dark) ? .white : .dark
  }
}
