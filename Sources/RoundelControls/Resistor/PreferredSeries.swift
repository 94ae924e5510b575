// SPDX-License-Identifier: MIT

internal import Glibc

/// The preferred numbers of IEC 60063.
package enum PreferredSeries: Int, CaseIterable, Sendable {
  case e3 = 3
  case e6 = 6
  case e12 = 12
  case e24 = 24
  case e48 = 48
  case e96 = 96
  case e192 = 192

  package var name: String { "E\(rawValue)" }

  /// One decade, with two digits up to E24, otherwise three.
  ///
  /// E24 predates the formula. From E48 onwards, value i is 100 · 10^(i/N), rounded, except 920 in
  /// E192.
  package var values: [Int] {
    switch self {
    case .e3, .e6, .e12, .e24:
      stride(from: 0, to: 24, by: 24 / rawValue).map { Self.table[$0] }
    case .e48, .e96, .e192:
      (0..<rawValue).map { index in
        self == .e192 && index == 185
          ? 920 : Int((100 * pow(10, Double(index) / Double(rawValue))).rounded())
      }
    }
  }

  private static let table = [
    10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91,
  ]

  /// The smaller of two at the same distance, or nil for 0 Ω.
  package func nearest(to resistance: Resistance) -> Resistance? {
    guard resistance.significand > 0 else { return nil }
    let digits = rawValue <= 24 ? 2 : 3
    // The decade whose values have two or three digits before the point.
    let decade = resistance.exponent + String(resistance.significand).count - digits
    let sought = resistance.ohms
    let candidates =
      values.map { Resistance($0, exponent: decade) }
      + [Resistance(values[0], exponent: decade + 1)]
    return candidates.min { abs($0.ohms - sought) < abs($1.ohms - sought) }
  }
}
