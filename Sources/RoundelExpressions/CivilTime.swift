// SPDX-License-Identifier: MIT

/// A date and a time of day as on a wall clock, without a time zone.
///
/// The calendar is Gregorian, even before its introduction, and every day has 86 400 seconds.
public struct CivilTime: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00 on the same clock.
  public let microseconds: Int

  /// The time `microseconds` after 1970-01-01T00:00:00 on the same clock.
  public init(microseconds: Int) { self.microseconds = microseconds }

  /// A time from its components. Nil if the day or time of day doesn't exist, or if the year isn't in 0 … 9999.
  public init?(
    year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0,
    microsecond: Int = 0
  ) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.dayCount(ofMonth: month, year: year), (0..<24).contains(hour),
      (0..<60).contains(minute), (0..<60).contains(second), (0..<1_000_000).contains(microsecond)
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    microseconds = seconds * 1_000_000 + microsecond
  }

  /// Parses `2026-11-21T08:00:00`. Seconds are optional and may have a fraction, truncated to microseconds. Nil if
  /// the text is anything else.
  public init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)[...]
    func number(_ count: Int) -> Int? {
      let digits = bytes.prefix(count)
      guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      bytes = bytes.dropFirst(count)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    func take(_ byte: Unicode.Scalar) -> Bool {
      guard bytes.first == UInt8(ascii: byte) else { return false }
      bytes = bytes.dropFirst()
      return true
    }
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      take("T"), let hour = number(2), take(":"), let minute = number(2)
    else { return nil }
    var second = 0
    var microsecond = 0
    if take(":") {
      guard let seconds = number(2) else { return nil }
      second = seconds
      if take(".") {
        guard !bytes.isEmpty else { return nil }
        var weight = 100_000
        while let digit = number(1) {
          microsecond += digit * weight
          weight /= 10
        }
      }
    }
    guard bytes.isEmpty else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      microsecond: microsecond)
  }

  /// Whether `a` is earlier than `b`.
  public static func < (a: CivilTime, b: CivilTime) -> Bool { a.microseconds < b.microseconds }
}

// MARK: - Parts

extension CivilTime {
  private static let microsecondsPerDay = 86_400_000_000

  /// Whole days since 1970-01-01.
  package var days: Int {
    floorDivision(microseconds, Self.microsecondsPerDay).quotient
  }

  private var microsecondOfDay: Int {
    floorDivision(microseconds, Self.microsecondsPerDay).remainder
  }

  /// The year, the month from 1 to 12 and the day from 1 to 31.
  public var date: (year: Int, month: Int, day: Int) { Self.date(days: days) }
  /// The year.
  public var year: Int { date.year }
  /// The month, 1 … 12.
  public var month: Int { date.month }
  /// The day of the month, 1 … 31.
  public var day: Int { date.day }
  /// The hour, 0 … 23.
  public var hour: Int { microsecondOfDay / 3_600_000_000 }
  /// The minute, 0 … 59.
  public var minute: Int { microsecondOfDay / 60_000_000 % 60 }
  /// The second, 0 … 59.
  public var second: Int { microsecondOfDay / 1_000_000 % 60 }
  /// The microsecond, 0 … 999 999.
  public var microsecond: Int { microsecondOfDay % 1_000_000 }

  /// The day of the week, 0 … 6, starting on Sunday.
  public var weekday: Int {
    // 1970-01-01 was a Thursday.
    let day = (days + 4) % 7
    return day < 0 ? day + 7 : day
  }

  /// The day of the year, 1 … 366.
  public var dayOfYear: Int { days - Self.days(year: year, month: 1, day: 1) + 1 }

  /// Clamps to the range of possible times.
  func adding(days: Int) -> CivilTime {
    let (sum, overflow) = microseconds.addingReportingOverflow(days * Self.microsecondsPerDay)
    return CivilTime(microseconds: overflow ? (days < 0 ? .min : .max) : sum)
  }
}

// MARK: - The calendar

extension CivilTime {
  // Years start in March here and end with the leap day: 5 months have 153 days, 4 years 1461, 400
  // years 146 097. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013.

  /// Days from 0000-03-01 to 1970-01-01.
  private static let daysToEpoch = 719_468

  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let era = floorDivision(year, 400).quotient
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - daysToEpoch
  }

  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floorDivision(days + daysToEpoch, 146_097)
    // 4 years have one day more than 4 · 365, 100 years one less, and the era's last day is
    // another.
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
  }

  private static func dayCount(ofMonth month: Int, year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}

/// The quotient rounded down, and the remainder with the sign of the divisor.
func floorDivision(_ number: Int, _ divisor: Int) -> (quotient: Int, remainder: Int) {
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

// MARK: - Changes

extension CivilTime {
  /// A unit of time. Text that shows a time changes at its boundaries.
  package enum Unit: Int, Hashable, Comparable, Sendable {
    case second, minute, hour, day, month, year

    /// Whether `a` is finer than `b`.
    package static func < (a: Unit, b: Unit) -> Bool { a.rawValue < b.rawValue }

    /// The length, or nil if it varies.
    fileprivate var microseconds: Int? {
      switch self {
      case .second: 1_000_000
      case .minute: 60_000_000
      case .hour: 3_600_000_000
      case .day: CivilTime.microsecondsPerDay
      case .month, .year: nil
      }
    }
  }

  /// The next start of a unit after this time. Nil if out of range.
  ///
  /// The distance is on the civil clock. To sleep until then, convert the time through its time
  /// zone: when daylight saving time starts, the next day is 23 hours away.
  package func next(_ unit: Unit) -> CivilTime? {
    guard let length = unit.microseconds else {
      let isLast = unit == .year || month == 12
      return Self.start(ofYear: isLast ? year + 1 : year, month: isLast ? 1 : month + 1)
    }
    let elapsed = floorDivision(microseconds, length).remainder
    let (next, overflow) = microseconds.addingReportingOverflow(length - elapsed)
    return overflow ? nil : CivilTime(microseconds: next)
  }

  private static func start(ofYear year: Int, month: Int) -> CivilTime? {
    let days = days(year: year, month: month, day: 1)
    let (start, overflow) = days.multipliedReportingOverflow(by: microsecondsPerDay)
    return overflow ? nil : CivilTime(microseconds: start)
  }

  /// Returns the unit's start at or before this time, or nil if out of range.
  package func start(of unit: Unit) -> CivilTime? {
    guard let length = unit.microseconds else {
      return Self.start(ofYear: year, month: unit == .year ? 1 : month)
    }
    let elapsed = floorDivision(microseconds, length).remainder
    let (start, overflow) = microseconds.subtractingReportingOverflow(elapsed)
    return overflow ? nil : CivilTime(microseconds: start)
  }
}

// MARK: - Text

extension CivilTime: CustomStringConvertible {
  /// The time as `2026-11-21T08:00:00`, with its fraction, if any.
  public var description: String {
    guard microsecond > 0 else { return display }
    var fraction = String(1_000_000 + microsecond).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(display).\(fraction)"
  }

  /// The time as `2026-11-21T08:00:00`, without its fraction.
  var display: String {
    let (year, month, day) = date
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let zeros = String(repeating: "0", count: max(4 - String(year.magnitude).utf8.count, 0))
    return "\(year < 0 ? "-" : "")\(zeros)\(year.magnitude)-\(two(month))-\(two(day))"
      + "T\(two(hour)):\(two(minute)):\(two(second))"
  }
}
