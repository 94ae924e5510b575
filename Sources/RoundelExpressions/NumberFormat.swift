// SPDX-License-Identifier: MIT

/// A format of numbers or text. Source: "Format Specification Mini-Language", the Python Standard
/// Library 3.11. Whole numbers are ints, others floats. Unlike in Python, `d` rounds floats like
/// the function `round`. Without a type, numbers are written like without a format or, with a
/// precision, like with `g`.
package struct NumberFormat: Hashable, Sendable {
  /// The maximum width and precision.
  static let maximumLength = 100

  enum Alignment: UInt8 {
    case left = 0x3c  // <
    case right = 0x3e  // >
    case center = 0x5e  // ^
    /// A fill between the sign and the digits.
    case afterSign = 0x3d  // =
  }

  /// The characters between digits. Kiosks may define others.
  package struct Symbols: Hashable, Sendable {
    package var point = "."
    package var separator = ","

    package init() {}

    /// The entries of a kiosk's `texts` for the characters.
    package static let texts:
      [(name: String, symbol: WritableKeyPath<Symbols, String> & Sendable)] = [
        ("decimal_point", \.point), ("thousands_separator", \.separator),
      ]
  }

  static let words = Symbols.texts.map(\.name)

  /// The default for an entry of `texts`, or nil for other entries.
  package static func symbol(ofText name: String) -> String? {
    Symbols.texts.first { $0.name == name }.map { Symbols()[keyPath: $0.symbol] }
  }

  private var fill: Unicode.Scalar = " "
  private var alignment: Alignment?
  private var sign: Unicode.Scalar?
  private var width = 0
  private var groups = false
  private var precision: Int?
  private var type: Unicode.Scalar?

  package init(_ text: String) throws(FormatError) {
    var scalars = Array(text.unicodeScalars)[...]
    func alignment(_ scalar: Unicode.Scalar?) -> Alignment? {
      scalar.flatMap { UInt8(exactly: $0.value) }.flatMap(Alignment.init)
    }
    func number(_ name: String) throws(FormatError) -> Int? {
      let digits = scalars.prefix { $0.isASCII && UInt8($0.value).isDigit }
      guard !digits.isEmpty else { return nil }
      scalars = scalars.dropFirst(digits.count)
      // There may be many leading zeros.
      let value = digits.reduce(0) { min($0 * 10 + Int($1.value - 0x30), 10_000) }
      guard value <= Self.maximumLength else {
        throw FormatError("a \(name) is at most \(Self.maximumLength)")
      }
      return value
    }
    var hasFill = false
    if let first = scalars.first, let given = alignment(scalars.dropFirst().first) {
      (fill, self.alignment, hasFill) = (first, given, true)
      scalars = scalars.dropFirst(2)
    } else if let given = alignment(scalars.first) {
      self.alignment = given
      scalars = scalars.dropFirst()
    }
    if let first = scalars.first, first == "+" || first == "-" || first == " " {
      sign = first
      scalars = scalars.dropFirst()
    }
    if !hasFill, scalars.first == "0" {
      fill = "0"
      fillsWithZeros = true
      scalars = scalars.dropFirst()
    }
    width = try number("width") ?? 0
    if scalars.first == "," {
      groups = true
      scalars = scalars.dropFirst()
    }
    if scalars.first == "." {
      scalars = scalars.dropFirst()
      precision = try number("precision")
      guard precision != nil else { throw FormatError("a precision is missing after \".\"") }
    }
    type = scalars.popFirst()
    guard scalars.isEmpty, type.map("dfFeEgG%s".unicodeScalars.contains) ?? true else {
      throw FormatError(
        "\"\(text)\" is not a format", expected: "a format such as \".1f\" \"02d\" \",d\" \".0%\"")
    }
    if type == "d", precision != nil { throw FormatError("\"d\" has no precision") }
  }

  /// Whether a zero precedes the width. It fills after the sign, unless an alignment is given.
  private var fillsWithZeros = false

  /// Returns nil if the format suits the kind.
  func objection(to kind: Value.Kind) -> FormatError? {
    switch kind {
    case .number where type == "s": FormatError("\"s\" formats strings, not a number")
    case .text where type != nil && type != "s":
      FormatError("\"\(type.map(String.init) ?? "")\" formats numbers, not a string")
    case .text where sign != nil || groups || alignment == .afterSign:
      FormatError("signs and digit grouping apply to numbers, not to a string")
    case .number, .text, .any: nil
    default: FormatError("\(kind) takes no format")
    }
  }

  /// Returns nil if the text is a format of numbers.
  package static func problem(in text: String) -> String? {
    do throws(FormatError) {
      return try NumberFormat(text).objection(to: .number)?.what
    } catch {
      return error.what
    }
  }

  // MARK: Texts

  /// Text truncated to `precision` code points and filled to the width.
  func text(_ text: String) -> String {
    let cut =
      precision.map { String(String.UnicodeScalarView(text.unicodeScalars.prefix($0))) } ?? text
    return filled("", cut, alignment ?? .left)
  }

  private func filled(_ sign: String, _ body: String, _ alignment: Alignment) -> String {
    let missing = width - sign.unicodeScalars.count - body.unicodeScalars.count
    guard missing > 0 else { return sign + body }
    func fill(_ count: Int) -> String { String(repeating: String(self.fill), count: count) }
    return switch alignment {
    case .left: sign + body + fill(missing)
    case .right: fill(missing) + sign + body
    case .center: fill(missing / 2) + sign + body + fill(missing - missing / 2)
    case .afterSign: sign + fill(missing) + body
    }
  }

  // MARK: Numbers

  /// Returns nil if a finite number is too large for a percentage.
  package func text(_ number: Double, _ symbols: Symbols = Symbols()) -> String? {
    var number = number
    if type == "d" { number = number.rounded() + 0 }
    if type == "%" { number *= 100 }
    guard number.isFinite else { return nil }
    var (whole, rest) = digits(of: abs(number))
    if rest.first == "." { rest = symbols.point + rest.dropFirst() }
    // Whole numbers have no negative zero.
    let isInteger = type == "d" || type == nil && precision == nil
    let isNegative = number.sign == .minus && !(isInteger && number == 0)
    let mark = isNegative ? "-" : sign == "+" ? "+" : sign == " " ? " " : ""
    let alignment = alignment ?? (fillsWithZeros ? .afterSign : .right)
    // Leading zeros are grouped too.
    let zeros = fill == "0" && alignment == .afterSign
    let minimum = zeros ? width - mark.utf8.count - rest.unicodeScalars.count : 0
    if groups { whole = grouped(whole, by: symbols.separator, minimum: minimum) }
    return filled(mark, whole + rest, alignment)
  }

  private func digits(of number: Double) -> (whole: String, rest: String) {
    let text: String
    switch type {
    case nil where precision == nil: text = number.display
    case "d": text = number.printed("f", precision: 0)
    case "f", "F", "%": text = number.printed("f", precision: precision ?? 6)
    default: text = number.printed(type ?? "g", precision: precision ?? 6)
    }
    let whole = text.prefix { UInt8(ascii: $0.unicodeScalars.first ?? " ").isDigit }
    return (String(whole), text.dropFirst(whole.count) + (type == "%" ? "%" : ""))
  }

  /// Adds leading zeros up to the minimum.
  private func grouped(_ digits: String, by separator: String, minimum: Int) -> String {
    let separatorLength = separator.unicodeScalars.count
    func length(_ count: Int) -> Int { count + (count - 1) / 3 * separatorLength }
    var count = digits.utf8.count
    while length(count) < minimum { count += 1 }
    let padded = String(repeating: "0", count: count - digits.utf8.count) + digits
    var grouped = ""
    for (index, digit) in padded.enumerated() {
      if index > 0, (count - index) % 3 == 0 { grouped += separator }
      grouped.append(digit)
    }
    return grouped
  }
}

package struct FormatError: Error {
  var what: String
  var expected: String?

  init(_ what: String, expected: String? = nil) {
    self.what = what
    self.expected = expected
  }
}
