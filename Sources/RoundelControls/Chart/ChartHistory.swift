// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// A column holds the minimum and maximum of its time, so that no peak is lost.
///
/// Columns are numbered from the kiosk's start.
struct ChartHistory: Hashable {
  struct Extremes: Hashable {
    var low = Double.infinity
    var high = -Double.infinity

    var isEmpty: Bool { !(low <= high) }

    mutating func include(_ other: Extremes) {
      low = min(low, other.low)
      high = max(high, other.high)
    }
  }

  struct Sample: Hashable {
    var time: Instant
    var value: Double
  }

  let count: Int
  /// The duration of a column, in microseconds.
  let duration: Int64
  /// The lifetime of a number in microseconds, or nil for no limit.
  private let hold: Int64?
  /// The maximum time between numbers joined by a straight line, in microseconds.
  private let reach: Int64

  private var columns: [Extremes]
  /// The last written column.
  private var newest: Int64?
  /// The last number, or nil if there isn't a number now.
  private(set) var last: Sample?
  private(set) var hasBegun = false

  private static let maximumSeconds = 1e12

  init(count: Int, seconds: Double, gap: Double?) {
    precondition(count > 0, "a history needs columns")
    self.count = count
    let span = seconds.within(1e-3...Self.maximumSeconds) * 1e6
    duration = max(Int64((span / Double(count)).rounded(.up)), 1)
    hold = gap.map { Int64(($0.within(0...Self.maximumSeconds) * 1e6).rounded()) }
    reach = Int64((span * Self.straight).rounded())
    columns = Array(repeating: Extremes(), count: count)
  }

  /// The maximum length of a straight line, as a fraction of the period.
  private static let straight = 1.0 / 20

  /// Joins numbers by straight lines, independent of time.
  init(of numbers: [Double], columns count: Int) {
    // The first column lasts longer than any kiosk.
    self.init(count: count, seconds: Self.maximumSeconds, gap: nil)
    hasBegun = true
    guard let final = numbers.last else { return }
    last = Sample(time: .zero, value: final)
    newest = Int64(count) - 1
    let scale = Double(numbers.count - 1) / Double(count)
    func number(at place: Double) -> Double {
      let index = min(Int(place), numbers.count - 1)
      let next = numbers[min(index + 1, numbers.count - 1)]
      return numbers[index] + (next - numbers[index]) * (place - Double(index))
    }
    for column in 0..<count {
      let (start, end) = (Double(column) * scale, Double(column + 1) * scale)
      var extremes = Extremes()
      for value in [number(at: start), number(at: end)] {
        extremes.include(Extremes(low: value, high: value))
      }
      var index = Int(start) + 1
      while Double(index) < end, index < numbers.count {
        extremes.include(Extremes(low: numbers[index], high: numbers[index]))
        index += 1
      }
      columns[column] = extremes
    }
  }

  // MARK: Time

  func column(at time: Instant) -> Int64 {
    let (quotient, rest) = time.microseconds.quotientAndRemainder(dividingBy: duration)
    return rest < 0 ? quotient - 1 : quotient
  }

  func start(of column: Int64) -> Instant { Instant(microseconds: column * duration) }

  private func middle(of column: Int64) -> Int64 { column * duration + duration / 2 }

  // MARK: Writing

  /// The number isn't recorded if another arrives simultaneously.
  mutating func begin(with value: Double, at now: Instant) {
    hasBegun = true
    last = Sample(time: now, value: value)
  }

  /// Returns nil if the number becomes unknown.
  mutating func add(_ value: Double?, at now: Instant) {
    hasBegun = true
    if let last {
      let elapsed = now.microseconds - last.time.microseconds
      let isHeld = hold.map { elapsed <= $0 } ?? true
      if let value, isHeld, elapsed <= reach {
        trace(from: last, to: Sample(time: now, value: value))
      } else {
        let end = isHeld ? now.microseconds : last.time.microseconds + (hold ?? 0)
        let held = Sample(time: Instant(microseconds: end), value: last.value)
        trace(from: last, to: held)
        if value != nil, isHeld {
          include(Extremes(low: last.value, high: last.value), in: column(at: now))
        }
      }
    }
    last = value.map { Sample(time: now, value: $0) }
    if let value { include(Extremes(low: value, high: value), in: column(at: now)) }
  }

  private mutating func trace(from start: Sample, to end: Sample) {
    let (first, last) = (column(at: start.time), column(at: end.time))
    let (t0, t1) = (start.time.microseconds, end.time.microseconds)
    guard t1 > t0 else { return }
    var number = max(first, last - Int64(count) + 1)
    while number <= last {
      let middle = middle(of: number)
      if middle > t0, middle <= t1 {
        let part = Double(middle - t0) / Double(t1 - t0)
        // Interpolation between equal numbers must not add rounding errors.
        let value =
          start.value == end.value ? start.value : start.value * (1 - part) + end.value * part
        include(Extremes(low: value, high: value), in: number)
      }
      number += 1
    }
  }

  private mutating func include(_ extremes: Extremes, in number: Int64) {
    if let newest, number <= newest - Int64(count) { return }
    var next = newest.map { max($0 + 1, number - Int64(count) + 1) } ?? number
    while next <= number {
      columns[index(of: next)] = Extremes()
      next += 1
    }
    newest = max(newest ?? number, number)
    columns[index(of: number)].include(extremes)
  }

  private func index(of number: Int64) -> Int {
    let rest = Int(number % Int64(count))
    return rest < 0 ? rest + count : rest
  }

  /// Continues `old`, which may have other columns.
  mutating func resume(_ old: ChartHistory) {
    (last, hasBegun) = (old.last, old.hasBegun)
    guard let newest = old.newest else { return }
    if old.count == count, old.duration == duration {
      (columns, self.newest) = (old.columns, newest)
      return
    }
    let newestOwn = column(at: Instant(microseconds: old.start(of: newest + 1).microseconds - 1))
    for number in newest - Int64(old.count) + 1...newest {
      let extremes = old.columns[old.index(of: number)]
      guard !extremes.isEmpty else { continue }
      let first = column(at: old.start(of: number))
      let end = column(at: Instant(microseconds: old.start(of: number + 1).microseconds - 1))
      var own = max(first, newestOwn - Int64(count) + 1)
      while own <= end {
        include(extremes, in: own)
        own += 1
      }
    }
  }

  // MARK: Reading

  /// The last value extends to `edge`, the last column shown.
  func extremes(in number: Int64, edge: Int64) -> Extremes {
    guard number <= edge, number > edge - Int64(count) else { return Extremes() }
    if let newest, number <= newest {
      return number > newest - Int64(count) ? columns[index(of: number)] : Extremes()
    }
    guard let last, number >= column(at: last.time),
      hold.map({ middle(of: number) - last.time.microseconds <= $0 }) ?? true
    else { return Extremes() }
    return Extremes(low: last.value, high: last.value)
  }

  func extremes(upTo edge: Int64) -> Extremes {
    var all = Extremes()
    for number in edge - Int64(count) + 1...edge { all.include(extremes(in: number, edge: edge)) }
    return all
  }

  /// Whether nothing is visible up to `edge`, nor will be until a number arrives.
  func isOver(at edge: Int64) -> Bool {
    let seen = newest.map { $0 > edge - Int64(count) } ?? false
    guard !seen, let last else { return !seen }
    return hold.map { start(of: edge - Int64(count) + 1) - last.time > Double($0) / 1e6 } ?? false
  }
}
