// SPDX-License-Identifier: MIT

internal import Expressions
internal import Glibc

/// The numbers that a control can show: from a minimum to a maximum, in steps.
///
/// Positions are in steps from the minimum. Where the steps do not end at the maximum, the last one ends
/// below it.
public struct Scale: Hashable, Sendable {
  /// The first number.
  public let minimum: Double
  /// The end of the scale; above the minimum.
  public let maximum: Double
  /// The distance between two numbers; above 0.
  public let step: Double
  /// The index of the last number.
  public let lastIndex: Int
  /// The power of ten that makes whole numbers of minimum and step; nil where there is none.
  private let power: Double?

  /// The maximum number of steps.
  public static let maximumSteps = 10_000

  /// A scale of at least one and at most `maximumSteps` steps between finite numbers. Nil where it is
  /// something else.
  public init?(from minimum: Double, to maximum: Double, step: Double) {
    guard minimum.isFinite, maximum.isFinite, step.isFinite, minimum < maximum, step > 0 else {
      return nil
    }
    let count = (maximum - minimum) / step
    guard count >= 1 - Self.slack, count <= Double(Self.maximumSteps) + Self.slack else {
      return nil
    }
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    lastIndex = Int((count + Self.slack).rounded(.down))
    power = Self.power(minimum, step)
  }

  /// A scale of about a hundred steps of 1, 2 or 5 times a power of ten that end at the maximum, if there
  /// is such a step. Nil where it is not a scale.
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
        let count = range / step
        if abs(count - count.rounded()) < Self.slack {
          best = step
          break search
        }
      }
    }
    self.init(from: minimum, to: maximum, step: best ?? range / 100)
  }

  /// The share of a step that counts as rounding.
  private static let slack = 1e-6

  /// The length of the scale in steps.
  package var span: Double { (maximum - minimum) / step }

  /// The number with an index, as its decimals say: 3 steps of 0.1 are 0.3.
  public func value(at index: Int) -> Double {
    Self.value(minimum, step, Double(min(max(index, 0), lastIndex)), power)
  }

  /// The index of the number nearest to `value`.
  public func index(of value: Double) -> Int { index(at: position(of: value)) }

  /// The index nearest to a position; halfway, the higher one.
  package func index(at position: Double) -> Int {
    Int(min(max((position + 0.5).rounded(.down), 0), Double(lastIndex)))
  }

  /// The position of a number, on the scale.
  package func position(of value: Double) -> Double {
    let position = (clamped(value) - minimum) / step
    // A number has its exact position, without rounding errors.
    return abs(position - position.rounded()) < Self.slack ? position.rounded() : position
  }

  /// The number nearest to `value` that is not beyond the ends.
  package func clamped(_ value: Double) -> Double { min(max(value, minimum), maximum) }

  /// The number with an index as a text.
  package func text(at index: Int) -> String { Value.number(value(at: index)).display }

  /// `count` steps from `origin`, as their decimals say.
  package static func value(_ origin: Double, _ step: Double, _ count: Double) -> Double {
    value(origin, step, count, power(origin, step))
  }

  private static func value(
    _ origin: Double, _ step: Double, _ count: Double, _ power: Double?
  ) -> Double {
    guard let power else { return origin + count * step }
    return ((origin * power).rounded() + count * (step * power).rounded()) / power
  }

  private static func power(_ origin: Double, _ step: Double) -> Double? {
    var power = 1.0
    for _ in 0...9 {
      // Beyond 2⁵³ whole numbers are no longer exact.
      guard max(abs(origin), step) * power < 0x1p53 else { return nil }
      if [origin, step].allSatisfy({ ($0 * power).rounded() / power == $0 }) { return power }
      power *= 10
    }
    return nil
  }
}
