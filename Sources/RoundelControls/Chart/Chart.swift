// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A line of a number's values over time, or of a series of numbers. Touches pass through.
///
/// The line moves by whole columns of its history, so a chart of a long period rarely changes.
public struct Chart: BoxControl, Hashable {
  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height including the text, in design pixels.
  public let size: Size
  /// The period shown, in seconds.
  public let seconds: Double
  /// The numbers from left to right, or nil to show values over time.
  public package(set) var items: [Double]?
  /// The number at the bottom, or nil to derive it from the numbers.
  public package(set) var minimum: Double?
  /// The number at the top, or nil to derive it from the numbers.
  public package(set) var maximum: Double?
  /// The lifetime of a number in seconds, or nil for no limit.
  public package(set) var gap: Double?
  /// The format of the scale's numbers, as in Python, or nil for the shortest.
  public let format: String?
  /// The unit after the scale's numbers.
  public package(set) var unit: String
  /// Whether the scale and the times are shown.
  public package(set) var hasAxis: Bool
  /// The colour of the line.
  public package(set) var color: ThemeColor
  /// The maximum em size, or nil to derive it from the size.
  public package(set) var fontSize: Double?
  /// The colour of the text, or nil for a muted colour.
  public package(set) var textColor: ThemeColor?

  private let initialValue: Double?
  private let numberFormat: NumberFormat?
  /// The most recent comes first.
  private(set) var ages: [ChartAxis.Age] = []

  private(set) var history: ChartHistory
  private(set) var edge: Int64
  private var range: ChartAxis.Range
  private(set) var axis: ChartAxis
  private var isInUse = false

  /// Creates a chart. An invalid `format` and a `value` that exceeds ±10¹⁵ are ignored.
  public init(
    center: Point, size: Size, value: Double? = nil, seconds: Double = 60, minimum: Double? = nil,
    maximum: Double? = nil, gap: Double? = nil, format: String? = nil, unit: String = "",
    hasAxis: Bool = true, color: ThemeColor = .accent, fontSize: Double? = nil,
    textColor: ThemeColor? = nil
  ) {
    self.center = center
    self.size = size
    self.seconds = seconds
    self.minimum = minimum
    self.maximum = maximum
    self.gap = gap
    self.format = format
    self.unit = unit
    self.hasAxis = hasAxis
    self.color = color
    self.fontSize = fontSize
    self.textColor = textColor
    initialValue = value.flatMap { abs($0) <= Self.limit ? $0 : nil }
    numberFormat = format.flatMap { try? NumberFormat($0) }
    history = Self.history(size, seconds: seconds, gap: gap)
    edge = 0
    range = ChartAxis.Range(
      of: ChartHistory.Extremes(), minimum: minimum, maximum: maximum, count: Self.rows(size))
    axis = ChartAxis(range, format: numberFormat, unit: unit)
    findAges()
  }

  private static func history(_ size: Size, seconds: Double, gap: Double?) -> ChartHistory {
    let count = Int(size.width.within(8...Double(Self.maximumColumns)))
    return ChartHistory(count: count, seconds: seconds, gap: gap)
  }

  private mutating func findAges() {
    ages =
      hasAxis && items == nil
      ? ChartAxis.ages(
        upTo: seconds, count: Int((size.width / Self.ageDistance).within(1...6))) : []
  }

  package mutating func keysChanged(since old: Chart?, at now: Instant) {
    findAges()
    if items != old?.items {
      history = Self.history(size, seconds: seconds, gap: gap)
      edge = 0
      if let items {
        history = ChartHistory(of: items, columns: history.count)
        edge = Int64(history.count) - 1
      }
    } else if items == nil, gap != old?.gap {
      let known = history
      history = Self.history(size, seconds: seconds, gap: gap)
      history.resume(known)
    }
    show(column: old == nil ? edge : history.column(at: now), isChanged: true)
  }

  /// A column is one design pixel wide, unless that would exceed this limit.
  static let maximumColumns = 3_840
  /// The minimum distance between two labels, in design pixels.
  private static let ageDistance = 110.0
  static let limit = 1e15

  /// The number of scale numbers that fit.
  private static func rows(_ size: Size) -> Int { Int((size.height / 52).within(2...5)) }

  // MARK: Time

  /// The minimum time between two pictures, in microseconds.
  private static let frame: Int64 = 33_333
  private static let second: Int64 = 1_000_000

  /// A slow chart moves up to two seconds late, at a whole second, together with other clocks.
  private var due: Instant? {
    guard isInUse, items == nil, !history.isOver(at: edge) else { return nil }
    let start = history.start(of: edge + 1).microseconds
    let (period, delay) =
      history.duration >= Self.second
      ? (Self.second, Self.second) : (history.duration < Self.frame ? Self.frame : 1, 0)
    let least = start + delay
    let rest = least % period
    return Instant(microseconds: rest > 0 ? least - rest + period : least)
  }

  /// The time when the line next moves.
  public func nextChange(after now: Instant) -> Instant? { due }

  /// Always true, so that nothing waits for a chart to stop.
  public func isStill(at now: Instant) -> Bool { true }

  /// Moves the line.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    if let due, due <= now { show(now) }
  }

  /// Shows the numbers that arrived in the meantime.
  public mutating func appear(at now: Instant, events: inout [ControlEvent]) {
    guard !isInUse else { return }
    isInUse = true
    if items == nil, !history.hasBegun, let initialValue {
      history.begin(with: initialValue, at: now)
    }
    show(now)
  }

  /// Stops moving the line. New numbers are still recorded.
  public mutating func disappear(at now: Instant) { isInUse = false }

  /// Stops moving the line.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) { isInUse = false }

  private mutating func show(_ now: Instant) { show(column: history.column(at: now)) }

  private mutating func show(column: Int64, isChanged: Bool = false) {
    edge = max(edge, column)
    let next = ChartAxis.Range(
      of: history.extremes(upTo: edge), minimum: minimum, maximum: maximum, count: Self.rows(size))
    guard isChanged || next != range else { return }
    range = next
    axis = ChartAxis(next, format: numberFormat, unit: unit)
  }

  // MARK: State

  /// NaN, an empty string and "–" mean that there isn't a number.
  package static let interface = Interface<Chart>(properties: [
    Property("value") { chart, _ in
      chart.history.last?.value ?? (chart.history.hasBegun ? .nan : chart.initialValue ?? .nan)
    } set: { (chart, value: Value, at, _) throws(InvalidValueError) in
      guard chart.items == nil else {
        throw InvalidValueError("no value, because its items are set")
      }
      switch value {
      case .number(let number) where !number.isFinite: chart.history.add(nil, at: at.now)
      case .number(let number) where abs(number) <= limit: chart.history.add(number, at: at.now)
      case .text(""), .text("–"): chart.history.add(nil, at: at.now)
      default: throw InvalidValueError("a number from -1e15 to 1e15, or \"–\" for no number")
      }
      chart.show(at.now)
    }.takingNews(),
    Property("lowest") { chart, _ in known(chart.history.extremes(upTo: chart.edge).low) },
    Property("highest") { chart, _ in known(chart.history.extremes(upTo: chart.edge).high) },
  ])

  private static func known(_ number: Double) -> Double { number.isFinite ? number : .nan }

  /// Keeps the shown numbers of `old`.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Chart else { return }
    if items == nil, old.items == nil { history.resume(old.history) }
    isInUse = old.isInUse
    // Equal columns move when they are due.
    let isSame = history.count == old.history.count && history.duration == old.history.duration
    show(column: isSame ? old.edge : history.column(at: now))
  }

  /// Always false.
  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  /// The last value with its unit.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard case .number(let last)? = value(of: "value", at: now), last.isFinite else {
      return Wording()
    }
    return Wording(value: Value.number(last).display + unit)
  }
}
