// SPDX-License-Identifier: MIT

package import RoundelDrawing

/// The colours of a resistor's bands and their meanings according to IEC 60062.
public enum ResistorColor: String, CaseIterable, Sendable {
  case pink, silver, gold, black, brown, red, orange, yellow, green, blue, violet, grey, white

  /// The edition of the standard that defines the tolerance bands.
  public enum Edition: Int, CaseIterable, Sendable {
    case year2005 = 2005
    /// The sixth edition, which adds pink and changes the tolerances of orange, yellow and grey.
    case year2016 = 2016
  }

  package enum Role: Hashable, Sendable {
    case digit, multiplier, tolerance, temperature
  }

  private var place: Int { (Self.allCases.firstIndex(of: self) ?? 0) - 3 }

  package var digit: Int? { place >= 0 ? place : nil }

  /// The multiplier's power of ten.
  package func exponent(in edition: Edition) -> Int? {
    self == .pink && edition == .year2005 ? nil : place
  }

  /// Hundredths of a percent.
  package func tolerance(in edition: Edition) -> Int? {
    switch self {
    case .silver: 1000
    case .gold: 500
    case .brown: 100
    case .red: 200
    case .orange: edition == .year2016 ? 5 : nil
    case .yellow: edition == .year2016 ? 2 : nil
    case .green: 50
    case .blue: 25
    case .violet: 10
    case .grey: edition == .year2016 ? 1 : 5
    case .pink, .black, .white: nil
    }
  }

  /// Millionths per kelvin.
  package var temperatureCoefficient: Int? {
    switch self {
    case .black: 250
    case .brown: 100
    case .red: 50
    case .orange: 15
    case .yellow: 25
    case .green: 20
    case .blue: 10
    case .violet: 5
    case .grey: 1
    case .pink, .silver, .gold, .white: nil
    }
  }

  package static func choices(for role: Role, in edition: Edition) -> [ResistorColor] {
    allCases.filter { color in
      switch role {
      case .digit: color.digit != nil
      case .multiplier: color.exponent(in: edition) != nil
      case .tolerance: color.tolerance(in: edition) != nil
      case .temperature: color.temperatureCoefficient != nil
      }
    }
  }

  /// Colours similar to the paint on real parts, and less saturated than primary colours.
  package var color: Color {
    switch self {
    case .pink: Color(hex: 0xee9cba)
    case .silver: Color(hex: 0xbcc2c8)
    case .gold: Color(hex: 0xc4a14a)
    case .black: Color(hex: 0x1c1d20)
    case .brown: Color(hex: 0x7b4a28)
    case .red: Color(hex: 0xcf3a34)
    case .orange: Color(hex: 0xeb8a2f)
    case .yellow: Color(hex: 0xf0d03f)
    case .green: Color(hex: 0x4a9a52)
    case .blue: Color(hex: 0x3d72cc)
    case .violet: Color(hex: 0x8b52b8)
    case .grey: Color(hex: 0x8b919a)
    case .white: Color(hex: 0xf4f4f1)
    }
  }
}
