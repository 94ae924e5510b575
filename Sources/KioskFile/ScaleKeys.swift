// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import JSON

extension Form where Value == Double {
  /// A number that a control can show.
  static var scaleNumber: Form { number(-1e12...1e12) }
}

/// The keys that say which numbers a control can show.
struct ScaleKeys {
  private let minimum: Key<Double?>
  private let maximum: Key<Double?>
  let step: Key<Double?>

  init(_ keys: inout Keys, isDefault: Bool) {
    minimum = keys.optional(
      "min", .scaleNumber, isDefault ? "The first number; 0." : "The first number, without labels.")
    maximum = keys.optional(
      "max", .scaleNumber, isDefault ? "The last number; 100." : "The last number, without labels.")
    step = keys.optional(
      "step", .number(1e-9...1e12),
      isDefault
        ? "The distance of two numbers; a round one, about a hundredth of the range, between which a value that is set may lie."
        : "The distance of two numbers; 1.")
  }

  /// Whether any of them is there.
  func areUsed(_ fields: Fields) -> Bool {
    fields[minimum] != nil || fields[maximum] != nil || fields[step] != nil
  }

  /// The scale that they say; nil after reporting why there is none. Without a step it is `standardStep`,
  /// or one by the range where that is nil.
  func scale(_ fields: Fields, standardStep: Double? = nil) -> Scale? {
    let (low, high) = (fields[minimum] ?? 0, fields[maximum] ?? 100)
    guard low < high else {
      return fields.mistake(
        "\"min\" is not below \"max\": \(low.brief) and \(high.brief)",
        at: fields[minimum] == nil ? maximum : minimum, expected: "less than \(high.brief)")
    }
    guard let step = fields[step] ?? standardStep else {
      if let scale = Scale(from: low, to: high) { return scale }
      return fields.mistake(
        "\"min\" and \"max\" cannot be told apart: \(low.brief) and \(high.brief)", at: maximum,
        expected: "a larger range")
    }
    if let scale = Scale(from: low, to: high, step: step) { return scale }
    let range = high - low
    return step > range
      ? fields.mistake(
        "\"step\" is larger than the range: \(step.brief)", at: self.step,
        expected: "at most \(range.brief)")
      : fields.mistake(
        "there are too many steps of \(step.brief) from \(low.brief) to \(high.brief)",
        at: self.step, expected: "at most \(Scale.maximumSteps)")
  }
}

extension Fields {
  /// Reports a first value beyond the ends of a scale. One that a template gives is clamped.
  func hasMistake(in value: Key<Double?>, _ scale: Scale) -> Bool {
    guard let number = self[value], reader.kiosk.isWritten(value.name),
      !(scale.minimum...scale.maximum).contains(number)
    else { return false }
    reader.report(
      "\(value.name.quoted) is out of range: \(number.brief)", at: mark(of: value),
      expected: "a number from \(scale.minimum.brief) to \(scale.maximum.brief)")
    return true
  }
}
