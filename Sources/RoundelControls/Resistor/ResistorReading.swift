// SPDX-License-Identifier: MIT

/// The labels for the selected rows. Created when another row is selected, not for each picture.
struct ResistorReading: Hashable {
  let indexes: [Int]
  let code: ResistorCode
  let title: String
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

  private static func standing(of code: ResistorCode) -> String {
    guard let nearest = code.series.nearest(to: code.resistance) else { return code.series.name }
    return nearest == code.resistance
      ? "a value of \(code.series.name)" : "nearest in \(code.series.name): \(nearest.text)"
  }
}
