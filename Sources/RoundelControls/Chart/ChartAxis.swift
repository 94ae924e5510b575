// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import Glibc

/// The vertical range of a chart.
struct ChartAxis: Hashable {
  let low: Double
  let high: Double
  /// Labels are empty until a number is known.
  let ticks: [Tick]
  let longest: Int
  private let format: NumberFormat?
  private let unit: String

  struct Tick: Hashable {
    var value: Double
    var text: String
  }

  struct Range: Hashable {
    var low: Double
    var high: Double
    var step: Double
    let isKnown: Bool
    private let isOpenBelow: Bool
    private let isOpenAbove: Bool

    init(of data: ChartHistory.Extremes, minimum: Double?, maximum: Double?, count: Int) {
      isKnown = !data.isEmpty || minimum != nil && maximum != nil
      (isOpenBelow, isOpenAbove) = (minimum == nil, maximum == nil)
      var low = minimum ?? (data.isEmpty ? min(maximum.map { $0 - 1 } ?? 0, 0) : data.low)
      var high = maximum ?? (data.isEmpty ? max(low + 1, 1) : data.high)
      // Noise must not fill the chart.
      let least = max(max(abs(low), abs(high)) * Self.leastSpan, 1e-9)
      let isFlat = (isOpenBelow || isOpenAbove) && high - low < least * Self.noise
      if isOpenBelow || isOpenAbove, high - low < least {
        let missing = least - (high - low)
        switch (minimum, maximum) {
        case (nil, nil) where low == 0 && high == 0: high = 1
        case (nil, nil): (low, high) = (low - missing / 2, high + missing / 2)
        case (nil, _): low = high - least
        default: high = low + least
        }
      }
      step = Self.round(above: (high - low) / (isFlat ? 1 : Double(max(count, 1))))
      let air = data.isEmpty || isFlat ? 0 : (high - low) * Self.air
      if minimum == nil {
        let end = ((low - air) / step).rounded(.down) * step
        // Below 0 only if a number is negative.
        low = low >= 0 ? max(end, 0) : end
      }
      if maximum == nil {
        let end = ((high + air) / step).rounded(.up) * step
        high = high <= 0 ? min(end, 0) : end
      }
      // Rounding made the ends equal.
      (self.low, self.high) = low < high ? (low, high) : (low, low.nextUp)
    }

    fileprivate var coarser: Range {
      var range = self
      range.step = Self.round(above: step * 1.5)
      if isOpenBelow { range.low = (low / range.step).rounded(.down) * range.step }
      if isOpenAbove { range.high = (high / range.step).rounded(.up) * range.step }
      return range
    }

    /// A fraction of the largest absolute number.
    private static let leastSpan = 0.02
    /// The maximum noise, as a fraction of the minimum span.
    private static let noise = 0.1
    /// The margin above and below, as a fraction of the span.
    private static let air = 0.04

    /// Returns 1, 2 or 5 times a power of ten, at least `least`.
    private static func round(above least: Double) -> Double {
      guard least > 1e-15, least.isFinite else { return 1e-15 }
      let decade = log10(least).rounded(.down)
      let power = decade < 0 ? 1 / pow(10, -decade) : pow(10, decade)
      for factor in [1.0, 2, 5] where factor * power >= least * (1 - 1e-9) { return factor * power }
      return 10 * power
    }
  }

  /// Uses fewer round numbers if the format would show them as equal.
  init(_ range: Range, format: NumberFormat?, unit: String) {
    var range = range
    var (ticks, used) = Self.ticks(of: range, format, unit)
    if range.isKnown {
      while zip(ticks, ticks.dropFirst()).contains(where: { $0.text == $1.text }),
        range.coarser.step > range.step
      {
        range = range.coarser
        (ticks, used) = Self.ticks(of: range, format, unit)
      }
      longest = ticks.reduce(0) { max($0, $1.text.count) }
    } else {
      ticks = ticks.map { Tick(value: $0.value, text: "") }
      longest = Self.expectedLength
    }
    (low, high) = (range.low, range.high)
    self.ticks = ticks
    self.format = used
    self.unit = unit
  }

  func text(of tick: Tick, _ symbols: NumberFormat.Symbols) -> String {
    guard !tick.text.isEmpty, symbols != NumberFormat.Symbols(),
      let text = format?.text(tick.value, symbols)
    else { return tick.text }
    return text + unit
  }

  private static let expectedLength = 3

  private static func ticks(
    of range: Range, _ format: NumberFormat?, _ unit: String
  ) -> (ticks: [Tick], format: NumberFormat?) {
    let decimals = range.step < 1 ? Int(min((-log10(range.step) - 1e-9).rounded(.up), 9)) : 0
    let format = format ?? (range.step >= 1e-9 ? try? NumberFormat(".\(decimals)f") : nil)
    var ticks: [Tick] = []
    let slack = 1e-6
    let first = (range.low / range.step - slack).rounded(.up)
    let last = (range.high / range.step + slack).rounded(.down)
    var index = first
    // Beyond 2⁵³, adding 1 has no effect.
    while index <= last, ticks.count < maximumCount, index + 1 > index {
      let value = Scale.value(0, range.step, index) + 0
      let text = format.flatMap { $0.text(value) } ?? Value.number(value).display
      ticks.append(Tick(value: value, text: text + unit))
      index += 1
    }
    return (ticks, format)
  }

  private static let maximumCount = 20
}

extension ChartAxis {
  struct Age: Hashable {
    var seconds: Double
    var text: String
  }

  /// Returns at most `count` round ages up to `seconds`, with unit symbols from ISO 80000-3.
  static func ages(upTo seconds: Double, count: Int) -> [Age] {
    let (unit, sign): (Double, String) =
      switch seconds {
      case ...120: (1, "s")
      case ...7_200: (60, "min")
      case ...259_200: (3_600, "h")
      default: (86_400, "d")
      }
    let steps: [Double] =
      unit < 3_600
      ? [1, 2, 5, 10, 15, 20, 30, 60]
      : unit < 86_400 ? [1, 2, 3, 4, 6, 12, 24, 48] : [1, 2, 5, 7, 14, 30, 60, 90, 180, 365]
    let space = seconds / unit
    guard count > 0, let step = steps.first(where: { space / $0 <= Double(count) + 1e-6 }) else {
      return []
    }
    return (0..<count).compactMap { index in
      let age = step * Double(index + 1)
      guard age <= space * (1 + 1e-9) else { return nil }
      return Age(seconds: age * unit, text: "−\(Value.number(age).display) \(sign)")
    }
  }
}
