// SPDX-License-Identifier: MIT

/// The colour code of a resistor according to IEC 60062.
///
/// Three bands have a tolerance of 20 %. A single black band is a link of 0 Ω.
public struct ResistorCode: Hashable, Sendable {
  /// The edition of IEC 60062 that decodes the bands.
  public typealias Edition = ResistorColor.Edition
  package typealias Role = ResistorColor.Role

  /// The colours from left to right.
  public let bands: [ResistorColor]
  /// The edition that decodes the bands.
  public let edition: Edition

  /// Creates a code, or nil if the bands aren't valid.
  public init?(_ bands: [ResistorColor], edition: Edition = .year2016) {
    self.bands = bands
    self.edition = edition
    if bands == [.black] { return }
    guard let roles = Self.roles(of: bands.count) else { return nil }
    for (role, band) in zip(roles, bands) {
      guard ResistorColor.choices(for: role, in: edition).contains(band) else { return nil }
    }
  }

  /// Returns the roles, or nil unless there are 3 to 6 bands.
  package static func roles(of count: Int) -> [Role]? {
    switch count {
    case 3: [.digit, .digit, .multiplier]
    case 4: [.digit, .digit, .multiplier, .tolerance]
    case 5: [.digit, .digit, .digit, .multiplier, .tolerance]
    case 6: [.digit, .digit, .digit, .multiplier, .tolerance, .temperature]
    default: nil
    }
  }

  private func band(_ role: Role) -> ResistorColor? {
    Self.roles(of: bands.count)?.firstIndex(of: role).map { bands[$0] }
  }

  private var digits: Int { bands.count < 5 ? 2 : 3 }

  package var resistance: Resistance {
    guard let multiplier = band(.multiplier) else { return Resistance(0) }
    let significand = bands.prefix(digits).reduce(0) { $0 * 10 + ($1.digit ?? 0) }
    return Resistance(significand, exponent: multiplier.exponent(in: edition) ?? 0)
  }

  /// Hundredths of a percent.
  package var tolerance: Int {
    if isLink { return 0 }
    return band(.tolerance).map { $0.tolerance(in: edition) ?? 0 } ?? 2000
  }

  /// Millionths per kelvin.
  package var temperatureCoefficient: Int? { band(.temperature)?.temperatureCoefficient }

  var isLink: Bool { bands == [.black] }

  package var minimum: Resistance { resistance.deviating(by: -tolerance) }
  package var maximum: Resistance { resistance.deviating(by: tolerance) }

  /// The value as `4.7 kΩ ±5 %`, followed by the temperature coefficient, if any.
  package var text: String {
    if isLink { return resistance.text }
    let temperature = temperatureCoefficient.map { " \($0) ppm/K" } ?? ""
    return "\(resistance.text) ±\(Self.percent(tolerance)) %\(temperature)"
  }

  /// Returns hundredths of a percent as percent: `5`, `0.25`.
  static func percent(_ hundredths: Int) -> String {
    let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
    if part == 0 { return String(whole) }
    return part % 10 == 0 ? "\(whole).\(part / 10)" : "\(whole).\(part < 10 ? "0" : "")\(part)"
  }

  /// The series sold with this tolerance.
  package var series: PreferredSeries {
    switch tolerance {
    case 2000...: .e6
    case 1000...: .e12
    case 500...: .e24
    case 200...: .e48
    case 100...: .e96
    default: .e192
    }
  }

  /// Rounded to the bands' digits, or nil if out of range.
  package func with(ohms: Double) -> ResistorCode? {
    guard ohms.isFinite, ohms >= 0, let roles = Self.roles(of: bands.count) else { return nil }
    let minimum = digits == 2 ? 10 : 100
    // The smallest multiplier with enough digits gives the highest precision.
    let choices = ResistorColor.choices(for: .multiplier, in: edition)
    for multiplier in choices {
      let unit = Resistance(1, exponent: multiplier.exponent(in: edition) ?? 0).ohms
      let rounded = (ohms / unit).rounded()
      guard rounded < Double(minimum * 10) else { continue }
      let significand = Int(rounded)
      guard significand > 0 || (ohms == 0 && multiplier == .black) else { continue }
      var colors = bands
      var rest = significand
      for (index, role) in roles.enumerated().reversed() where role == .digit {
        colors[index] = Self.digitColors[rest % 10]
        rest /= 10
      }
      if let index = roles.firstIndex(of: .multiplier) { colors[index] = multiplier }
      return ResistorCode(colors, edition: edition)
    }
    return nil
  }

  private static let digitColors = ResistorColor.choices(for: .digit, in: .year2016)
}
