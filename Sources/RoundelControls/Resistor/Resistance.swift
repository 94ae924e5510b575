// SPDX-License-Identifier: MIT

/// `significand` · 10^`exponent` ohms.
package struct Resistance: Hashable, Sendable {
  /// Not negative.
  package let significand: Int
  package let exponent: Int

  /// Trailing zeros of the significand move into the exponent.
  package init(_ significand: Int, exponent: Int = 0) {
    var (significand, exponent) = (max(significand, 0), significand > 0 ? exponent : 0)
    while significand > 0, significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
    self.significand = significand
    self.exponent = exponent
  }

  /// Rounded once. Negative powers of ten are divisions, because 0.1 isn't exact in binary.
  package var ohms: Double {
    exponent < 0
      ? Double(significand) / Self.powerOfTen(-exponent)
      : Double(significand) * Self.powerOfTen(exponent)
  }

  private static func powerOfTen(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Adds hundredths of a percent, at least −10 000.
  package func deviating(by hundredths: Int) -> Resistance {
    Resistance(significand * (10_000 + hundredths), exponent: exponent - 4)
  }

  /// The resistance as `4.7 kΩ` with all digits, or in milliohms below 0.1 Ω.
  package var text: String {
    guard significand > 0 else { return "0 Ω" }
    // The first digit's power.
    let (unit, power) =
      switch String(significand).count - 1 + exponent {
      case 9...: ("GΩ", 9)
      case 6...: ("MΩ", 6)
      case 3...: ("kΩ", 3)
      case (-1)...: ("Ω", 0)
      default: ("mΩ", -3)
      }
    return "\(digits(in: power)) \(unit)"
  }

  /// The resistance as a factor: `100`, `10k`, `0.01`.
  var factor: String {
    let (unit, power) =
      switch exponent {
      case 9...: ("G", 9)
      case 6...: ("M", 6)
      case 3...: ("k", 3)
      default: ("", 0)
      }
    return digits(in: power) + unit
  }

  private func digits(in power: Int) -> String {
    let digits = String(significand)
    let decimals = power - exponent
    if decimals <= 0 { return digits + String(repeating: "0", count: -decimals) }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }
}
