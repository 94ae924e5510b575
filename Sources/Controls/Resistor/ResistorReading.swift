// SPDX-License-Identifier: MIT

/// The text of a calculator for the selected rows. It is created when another row is selected, not for each picture.
struct ResistorReading: Hashable {
  /// The selected row of each wheel.
  let indexes: [Int]
  /// The code of the selected rows.
  let code: ResistorCode
  /// The value and tolerance.
  let title: String
  /// The range within the tolerance, the relation to the preferred numbers, and the standard.
  let details: String

  init(_ code: ResistorCode, on indexes: [Int]) {
    self.indexes = indexes
    self.code = code
    title = code.text
    let range =
      code.resistance.significand == 0
      ? "a link of 0 Ω has a single black band"
      : "\(code.minimum.text) to \(code.maximum.text)  ·  \(Self.standing(of: code))"
    details = "\(range)  ·  IEC 60062:\(code.edition.rawValue)"
  }

  /// Describes whether the value belongs to the series for its tolerance.
  private static func standing(of code: ResistorCode) -> String {
    guard let nearest = code.series.nearest(to: code.resistance) else { return code.series.name }
    return nearest == code.resistance
      ? "a value of \(code.series.name)" : "nearest in \(code.series.name): \(nearest.text)"
  }
}
