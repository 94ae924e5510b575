// SPDX-License-Identifier: MIT

package import RoundelDeclarations
internal import RoundelJSON

extension Form where Value == Double {
  static var scaleNumber: Form { number(-1e12...1e12) }
}

package struct ScaleKeys {
  private let minimum: Key<Double?>
  private let maximum: Key<Double?>
  private let step: Key<Double?>

  package init<Root>(
    _ keys: inout Keys, isDefault: Bool, at low: WritableKeyPath<Root, Double?> & Sendable,
    _ high: WritableKeyPath<Root, Double?> & Sendable,
    _ distance: WritableKeyPath<Root, Double?> & Sendable
  ) {
    minimum = keys.optional(
      "min", .scaleNumber,
      isDefault ? "The minimum. The default is 0." : "The minimum of a dial without labels.",
      at: low)
    maximum = keys.optional(
      "max", .scaleNumber,
      isDefault ? "The maximum. The default is 100." : "The maximum of a dial without labels.",
      at: high)
    step = keys.optional(
      "step", .number(1e-9...1e12),
      isDefault
        ? "The distance between two values. The default is a round number, about a hundredth of the range. With the default, `set` accepts values in between."
        : "The distance between two numbers. The default is 1.", at: distance)
  }

  package func numbers(_ fields: Fields, standardStep: Double? = nil) -> Scale? {
    try? Scale(checking: fields[minimum], fields[maximum], fields[step], standardStep: standardStep)
  }
}

extension Scale {
  /// The default step is `standardStep`, or derived from the range.
  package init(
    checking minimum: Double?, _ maximum: Double?, _ step: Double?, standardStep: Double? = nil
  ) throws(Conflict) {
    let (low, high) = (minimum ?? 0, maximum ?? 100)
    guard low < high else {
      throw Conflict(
        "\"min\" is not below \"max\": \(low.brief) and \(high.brief)",
        at: minimum == nil ? "max" : "min", expected: "less than \(high.brief)")
    }
    guard let step = step ?? standardStep else {
      if let scale = Scale(from: low, to: high) {
        self = scale
        return
      }
      throw Conflict(
        "\"min\" and \"max\" are too close: \(low.brief) and \(high.brief)", at: "max",
        expected: "a larger range")
    }
    if let scale = Scale(from: low, to: high, step: step) {
      self = scale
      return
    }
    let range = high - low
    throw step > range
      ? Conflict(
        "\"step\" is larger than the range: \(step.brief)", at: "step",
        expected: "at most \(range.brief)")
      : Conflict(
        "there are too many steps of \(step.brief) from \(low.brief) to \(high.brief)",
        at: "step", expected: "at most \(Scale.maximumSteps)")
  }
}

extension Fields {
  /// Whether the file has a key, with a value or a template.
  func isGiven<T>(_ key: Key<T>) -> Bool {
    node[key.name] != nil || !reader.controlFile.isWritten(key.name)
  }

  /// Reports an initial value outside the scale. A value from a template is clamped instead.
  func hasError(in value: Key<Double?>, _ scale: Scale) -> Bool {
    guard let number = self[value], reader.controlFile.isWritten(value.name),
      !(scale.minimum...scale.maximum).contains(number)
    else { return false }
    reader.report(
      "\(value.name.quoted) is out of range: \(number.brief)", at: mark(of: value),
      expected: "a number from \(scale.minimum.brief) to \(scale.maximum.brief)")
    return true
  }
}
