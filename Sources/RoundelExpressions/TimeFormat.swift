// SPDX-License-Identifier: MIT

/// A format of times: the conversions of strftime that need no time zone. Source: strftime(3), in the POSIX locale.
/// The kiosk may define the names of days and months.
struct TimeFormat: Hashable, Sendable {
  enum Component: Hashable, Sendable {
    case literal(String)
    case number(Part, width: Int, fill: Unicode.Scalar?)
    case name(TimeName, isUpper: Bool)
  }

  enum Part: Hashable, Sendable {
    case year, century, yearOfCentury, isoYear, isoYearOfCentury, month, day, dayOfYear
    case weekdayFromSunday, weekdayFromMonday, weekFromSunday, weekFromMonday, isoWeek
    case hour, hourOfHalfDay, minute, second
  }

  let components: [Component]

  private static let numbers: [Unicode.Scalar: (Part, width: Int, fill: Unicode.Scalar?)] = [
    "Y": (.year, 4, nil), "C": (.century, 2, "0"), "y": (.yearOfCentury, 2, "0"),
    "G": (.isoYear, 4, nil), "g": (.isoYearOfCentury, 2, "0"), "m": (.month, 2, "0"),
    "d": (.day, 2, "0"), "e": (.day, 2, " "), "j": (.dayOfYear, 3, "0"),
    "w": (.weekdayFromSunday, 1, "0"), "u": (.weekdayFromMonday, 1, "0"),
    "U": (.weekFromSunday, 2, "0"), "W": (.weekFromMonday, 2, "0"), "V": (.isoWeek, 2, "0"),
    "H": (.hour, 2, "0"), "k": (.hour, 2, " "), "I": (.hourOfHalfDay, 2, "0"),
    "l": (.hourOfHalfDay, 2, " "), "M": (.minute, 2, "0"), "S": (.second, 2, "0"),
  ]

  private static let names: [Unicode.Scalar: TimeName] = [
    "A": .weekday, "a": .shortWeekday, "B": .month, "b": .shortMonth, "h": .shortMonth,
    "p": .halfDay, "P": .lowerHalfDay,
  ]

  private static let abbreviations: [Unicode.Scalar: String] = [
    "F": "%Y-%m-%d", "T": "%H:%M:%S", "R": "%H:%M", "D": "%m/%d/%y", "r": "%I:%M:%S %p",
    "c": "%a %b %e %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S",
  ]

  private static let literals: [Unicode.Scalar: String] = ["%": "%", "n": "\n", "t": "\t"]

  /// The letters that may follow a percent sign, in alphabetical order.
  static var conversions: [String] {
    let all =
      Array(numbers.keys) + Array(names.keys) + Array(abbreviations.keys) + Array(literals.keys)
    return all.sorted().map(String.init)
  }

  init(_ text: String) throws(FormatError) {
    var components: [Component] = []
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "%" else {
        Self.append(String(scalar), to: &components)
        continue
      }
      var flag: Unicode.Scalar?
      if let first = scalars.first, "-_0^".unicodeScalars.contains(first) {
        flag = scalars.removeFirst()
      }
      guard let conversion = scalars.popFirst() else {
        throw FormatError("a conversion is missing after \"%\"")
      }
      if let (part, width, fill) = Self.numbers[conversion], flag != "^" {
        switch flag {
        case "-": components.append(.number(part, width: 0, fill: nil))
        case "_": components.append(.number(part, width: width, fill: " "))
        case "0": components.append(.number(part, width: width, fill: "0"))
        default: components.append(.number(part, width: width, fill: fill))
        }
      } else if let name = Self.names[conversion], flag == nil || flag == "^" {
        components.append(.name(name, isUpper: flag == "^"))
      } else if flag == nil, let whole = Self.abbreviations[conversion] {
        for piece in try TimeFormat(whole).components {
          if case .literal(let text) = piece {
            Self.append(text, to: &components)
          } else {
            components.append(piece)
          }
        }
      } else if flag == nil, let literal = Self.literals[conversion] {
        Self.append(literal, to: &components)
      } else {
        throw FormatError(
          "unknown conversion \"%\(flag.map(String.init) ?? "")\(conversion)\" in a time format",
          expected: "a conversion such as %H %M %S %d %m %Y %A %B %-d")
      }
    }
    self.components = components
  }

  private static func append(_ text: String, to components: inout [Component]) {
    if case .literal(let earlier) = components.last {
      components[components.count - 1] = .literal(earlier + text)
    } else {
      components.append(.literal(text))
    }
  }

  /// The finest unit in the output, or nil.
  var unit: CivilTime.Unit? {
    components.compactMap { piece -> CivilTime.Unit? in
      switch piece {
      case .literal: nil
      case .number(.second, _, _): .second
      case .number(.minute, _, _): .minute
      case .number(.hour, _, _), .number(.hourOfHalfDay, _, _): .hour
      case .name(.halfDay, _), .name(.lowerHalfDay, _): .hour
      case .number(.year, _, _), .number(.century, _, _), .number(.yearOfCentury, _, _): .year
      case .number(.month, _, _), .name(.month, _), .name(.shortMonth, _): .month
      case .number, .name: .day
      }
    }.min()
  }

  /// The keys in the kiosk's `texts` for possible names.
  var words: [String] {
    var words: [String] = []
    for case .name(let name, _) in components {
      for word in name.words where !words.contains(word) { words.append(word) }
    }
    return words
  }

  /// `text` returns the kiosk's text for an English name in lower case.
  func text<E: Error>(
    _ time: CivilTime, names text: (String) throws(E) -> String?
  ) throws(E) -> String {
    var result = ""
    for piece in components {
      switch piece {
      case .literal(let text): result += text
      case .number(let part, let width, let fill):
        let number = part.value(of: time)
        let digits = String(number.magnitude)
        let missing = width - digits.utf8.count - (number < 0 ? 1 : 0)
        let padding = fill.map { String(repeating: String($0), count: max(missing, 0)) } ?? ""
        result += (number < 0 ? "-" : "") + padding + digits
      case .name(let name, let isUpper):
        let name = try name.text(of: time, names: text)
        result += isUpper ? name.uppercased() : name
      }
    }
    return result
  }
}

enum TimeName: Hashable, Sendable {
  case weekday, shortWeekday, month, shortMonth, halfDay, lowerHalfDay

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The keys in the kiosk's `texts`.
  var words: [String] {
    let names =
      switch self {
      case .weekday, .shortWeekday: Self.weekdays
      case .month, .shortMonth: Self.months
      case .halfDay, .lowerHalfDay: [String]()
      }
    let isShort = self == .shortWeekday || self == .shortMonth
    return names.map { $0.lowercased() }
      + (isShort ? names.map { $0.prefix(3).lowercased() }.filter { $0 != "may" } : [])
  }

  /// The kiosk's name, or the English one. The default of an abbreviation (`mon`, `jan`) is the
  /// first three letters.
  func text<E: Error>(
    of time: CivilTime, names text: (String) throws(E) -> String?
  ) throws(E) -> String {
    let name: String
    switch self {
    case .weekday, .shortWeekday: name = Self.weekdays[time.weekday]
    case .month, .shortMonth: name = Self.months[time.month - 1]
    case .halfDay: return time.hour < 12 ? "AM" : "PM"
    case .lowerHalfDay: return time.hour < 12 ? "am" : "pm"
    }
    let isShort = self == .shortWeekday || self == .shortMonth
    if isShort, let own = try text(name.prefix(3).lowercased()) { return own }
    let whole = try text(name.lowercased()) ?? name
    return isShort ? String(whole.prefix(3)) : whole
  }
}

extension TimeFormat.Part {
  func value(of time: CivilTime) -> Int {
    let year = time.year
    return switch self {
    case .year: year
    case .century: floorDivision(year, 100).quotient
    case .yearOfCentury: floorDivision(year, 100).remainder
    case .isoYear: isoWeek(of: time).year
    case .isoYearOfCentury: floorDivision(isoWeek(of: time).year, 100).remainder
    case .month: time.month
    case .day: time.day
    case .dayOfYear: time.dayOfYear
    case .weekdayFromSunday: time.weekday
    case .weekdayFromMonday: weekdayFromMonday(time) + 1
    case .weekFromSunday: (time.dayOfYear + 6 - time.weekday) / 7
    case .weekFromMonday: (time.dayOfYear + 6 - weekdayFromMonday(time)) / 7
    case .isoWeek: isoWeek(of: time).week
    case .hour: time.hour
    case .hourOfHalfDay: (time.hour + 11) % 12 + 1
    case .minute: time.minute
    case .second: time.second
    }
  }

  private func weekdayFromMonday(_ time: CivilTime) -> Int { (time.weekday + 6) % 7 }

  /// The ISO 8601 week, which is the week of the Thursday, and the Thursday's year.
  private func isoWeek(of time: CivilTime) -> (year: Int, week: Int) {
    let thursday = time.adding(days: 3 - weekdayFromMonday(time))
    return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
  }
}
