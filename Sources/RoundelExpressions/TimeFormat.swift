// SPDX-License-Identifier: MIT

/// A format of times: the conversions of strftime that need no time zone. Source: strftime(3), in the POSIX locale.
/// The kiosk may define the names of days and months.
struct TimeFormat: Hashable, Sendable {
  enum Component: Hashable, Sendable {
    case literal(String)
    /// A key of `numbers`.
    case number(Unicode.Scalar, width: Int, fill: Unicode.Scalar?)
    case name(TimeName, isUpper: Bool)
  }

  let components: [Component]

  /// The unit, the width, the fill and the value of a number.
  private typealias Number = (CivilTime.Unit, Int, Unicode.Scalar?, @Sendable (CivilTime) -> Int)

  private static let numbers: [Unicode.Scalar: Number] = [
    "Y": (.year, 4, nil, { $0.year }),
    "C": (.year, 2, "0", { floorDivision($0.year, 100).quotient }),
    "y": (.year, 2, "0", { floorDivision($0.year, 100).remainder }),
    "G": (.day, 4, nil, { $0.isoWeek.year }),
    "g": (.day, 2, "0", { floorDivision($0.isoWeek.year, 100).remainder }),
    "m": (.month, 2, "0", { $0.month }),
    "d": (.day, 2, "0", { $0.day }),
    "e": (.day, 2, " ", { $0.day }),
    "j": (.day, 3, "0", { $0.dayOfYear }),
    "w": (.day, 1, "0", { $0.weekday }),
    "u": (.day, 1, "0", { $0.weekdayFromMonday + 1 }),
    "U": (.day, 2, "0", { ($0.dayOfYear + 6 - $0.weekday) / 7 }),
    "W": (.day, 2, "0", { ($0.dayOfYear + 6 - $0.weekdayFromMonday) / 7 }),
    "V": (.day, 2, "0", { $0.isoWeek.week }),
    "H": (.hour, 2, "0", { $0.hour }),
    "k": (.hour, 2, " ", { $0.hour }),
    "I": (.hour, 2, "0", { ($0.hour + 11) % 12 + 1 }),
    "l": (.hour, 2, " ", { ($0.hour + 11) % 12 + 1 }),
    "M": (.minute, 2, "0", { $0.minute }),
    "S": (.second, 2, "0", { $0.second }),
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
    while true {
      let literal = scalars.prefix { $0 != "%" }
      if !literal.isEmpty { components.append(.literal(String(literal))) }
      scalars = scalars[literal.endIndex...]
      guard scalars.popFirst() != nil else { break }
      var flag: Unicode.Scalar?
      if let first = scalars.first, "-_0^".unicodeScalars.contains(first) {
        flag = scalars.removeFirst()
      }
      guard let conversion = scalars.popFirst() else {
        throw FormatError("a conversion is missing after \"%\"")
      }
      if let (_, width, usual, _) = Self.numbers[conversion], flag != "^" {
        let fill: Unicode.Scalar? =
          switch flag {
          case "-": nil
          case "_": " "
          case "0": "0"
          default: usual
          }
        components.append(.number(conversion, width: width, fill: fill))
      } else if let name = Self.names[conversion], flag == nil || flag == "^" {
        components.append(.name(name, isUpper: flag == "^"))
      } else if flag == nil, let whole = Self.abbreviations[conversion] {
        components += try TimeFormat(whole).components
      } else if flag == nil, let literal = Self.literals[conversion] {
        components.append(.literal(literal))
      } else {
        throw FormatError(
          "unknown conversion \"%\(flag.map(String.init) ?? "")\(conversion)\" in a time format",
          expected: "a conversion such as %H %M %S %d %m %Y %A %B %-d")
      }
    }
    self.components = components
  }

  /// The finest unit in the output, or nil.
  var unit: CivilTime.Unit? {
    components.compactMap { piece -> CivilTime.Unit? in
      switch piece {
      case .literal: nil
      case .number(let conversion, _, _): Self.numbers[conversion]?.0
      case .name(.halfDay, _), .name(.lowerHalfDay, _): .hour
      case .name(.month, _), .name(.shortMonth, _): .month
      case .name: .day
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
      case .number(let conversion, let width, let fill):
        let number = Self.numbers[conversion]?.3(time) ?? 0
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

enum TimeName: Hashable, Sendable, CaseIterable {
  case weekday, shortWeekday, month, shortMonth, halfDay, lowerHalfDay

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The keys in the kiosk's `texts` for all names.
  static let allWords = allCases.flatMap(\.words)

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

  /// The kiosk's or the English name. Abbreviations (`mon`, `jan`) default to three letters.
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

extension CivilTime {
  fileprivate var weekdayFromMonday: Int { (weekday + 6) % 7 }

  /// The ISO 8601 week, which is the week of the Thursday, and the Thursday's year.
  fileprivate var isoWeek: (year: Int, week: Int) {
    let thursday = adding(days: 3 - weekdayFromMonday)
    return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
  }
}
