// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import Glibc

/// The numbers of a control: from a minimum to a maximum, in steps.
///
/// Positions are in steps from the minimum. If the steps don't end at the maximum, the last one is
/// below it.
public struct Scale: Hashable, Sendable {
  /// The first number.
  public let minimum: Double
  /// The end of the scale, above the minimum.
  public let maximum: Double
  /// The distance between two numbers, above 0.
  public let step: Double
  /// The index of the last number.
  public let lastIndex: Int
  /// The length in steps.
  package let span: Double
  /// The power of ten that makes minimum and step whole, or nil.
  private let power: Double?

  /// The maximum number of steps.
  public static let maximumSteps = 10_000

  /// Returns nil unless the scale has 1 to `maximumSteps` steps.
  public init?(from minimum: Double, to maximum: Double, step: Double) {
    guard minimum.isFinite, maximum.isFinite, step.isFinite, minimum < maximum, step > 0 else {
      return nil
    }
    let span = Self.count(from: minimum, by: step, to: maximum)
    guard span >= 1, span <= Double(Self.maximumSteps) else { return nil }
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.span = span
    lastIndex = Int(span.rounded(.down))
    power = Self.power(minimum, step)
  }

  /// The step is 1, 2 or 5 times a power of ten, and at most a hundredth of the range. If possible,
  /// the steps end at the maximum.
  public init?(from minimum: Double, to maximum: Double) {
    let range = maximum - minimum
    guard range.isFinite, range > 0 else { return nil }
    var best: Double?
    let decade = log10(range / 100).rounded(.down)
    search: for exponent in [decade, decade - 1] {
      for factor in [5.0, 2, 1] {
        let step = exponent < 0 ? factor / pow(10, -exponent) : factor * pow(10, exponent)
        guard step > 0, step <= range / 100 * (1 + Self.slack) else { continue }
        if best == nil { best = step }
        let count = Self.count(from: minimum, by: step, to: maximum)
        if count == count.rounded() {
          best = step
          break search
        }
      }
    }
    self.init(from: minimum, to: maximum, step: best ?? range / 100)
  }

  /// The fraction of a step that counts as a rounding error.
  private static let slack = 1e-6

  /// Returns the number at an index, in exact decimals: 3 steps of 0.1 are 0.3.
  public func value(at index: Int) -> Double {
    let index = Double(min(max(index, 0), lastIndex))
    return min(Self.value(minimum, step, index, power), maximum)
  }

  /// Returns the index of the number nearest to `value`.
  public func index(of value: Double) -> Int { index(at: position(of: value)) }

  /// A half is rounded up.
  package func index(at position: Double) -> Int {
    Int((position + 0.5).rounded(.down).within(0...Double(lastIndex)))
  }

  package func position(of value: Double) -> Double {
    min(Self.count(from: minimum, by: step, to: clamped(value)), span)
  }

  /// NaN counts as the minimum.
  package func clamped(_ value: Double) -> Double { value.within(minimum...maximum) }

  package func text(at index: Int) -> String { Value.number(value(at: index)).display }

  /// Returns a number in exact decimals.
  package static func value(_ origin: Double, _ step: Double, _ count: Double) -> Double {
    value(origin, step, count, power(origin, step))
  }

  private static func value(
    _ origin: Double, _ step: Double, _ count: Double, _ power: Double?
  ) -> Double {
    guard let power else { return origin + count * step }
    return ((origin * power).rounded() + count * (step * power).rounded()) / power
  }

  /// In exact decimals: there are 3 steps of 0.1 to 0.3, although 0.3 / 0.1 is below 3.
  package static func count(from origin: Double, by step: Double, to value: Double) -> Double {
    if let power = power(origin, step, value) {
      return ((value * power).rounded() - (origin * power).rounded()) / (step * power).rounded()
    }
    let count = (value - origin) / step
    let whole = count.rounded()
    return abs(count - whole) < slack ? whole : count
  }

  /// The nearest number on this scale, or `value` without a step, or with too many to count.
  package static func nearest(
    to value: Double, from origin: Double, by step: Double, upTo maximum: Double?
  ) -> Double {
    guard step > 0, step.isFinite else { return value }
    var count = count(from: origin, by: step, to: value).rounded()
    if let maximum {
      count = min(count, Self.count(from: origin, by: step, to: maximum).rounded(.down))
    }
    return abs(count) < 0x1p53 ? Self.value(origin, step, count) : value
  }

  /// The smallest power of ten up to 10⁹ that makes all three numbers whole.
  private static func power(_ a: Double, _ b: Double, _ c: Double = 0) -> Double? {
    func isWhole(_ number: Double, _ power: Double) -> Bool {
      (number * power).rounded() / power == number
    }
    let largest = max(abs(a), abs(b), abs(c))
    var power = 1.0
    for _ in 0...9 {
      // Above 2⁵³, whole numbers are no longer exact.
      guard largest * power < 0x1p53 else { return nil }
      if isWhole(a, power), isWhole(b, power), isWhole(c, power) { return power }
      power *= 10
    }
    return nil
  }
}

extension Double {
  /// NaN counts as the lower bound.
  func within(_ bounds: ClosedRange<Double>) -> Double {
    self > bounds.lowerBound ? min(self, bounds.upperBound) : bounds.lowerBound
  }
}
