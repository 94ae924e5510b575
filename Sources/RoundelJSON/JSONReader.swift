// SPDX-License-Identifier: MIT

/// Parses JSON. Source of the grammar: RFC 8259.
///
/// O(n) in the length of any input, including hostile input.
struct JSONReader {
  /// Deeper nesting is an accident or an attack.
  static let maximumDepth = 512

  private let bytes: [UInt8]
  private let maximumValues: Int
  private var values = 0
  private var index = 0
  private var depth = 0

  init(_ bytes: [UInt8], maximumValues: Int) {
    self.bytes = bytes
    self.maximumValues = maximumValues
    // Some editors add a byte order mark to UTF-8 (RFC 8259, section 8.1).
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
  }

  mutating func document() throws(JSONValue.SyntaxError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard index == bytes.count else { throw error("unexpected text after the value") }
    return value
  }

  private func error(_ what: String, at place: Int? = nil) -> JSONValue.SyntaxError {
    let place = place ?? index
    return JSONValue.SyntaxError(
      description: "invalid JSON: "
        + (place < bytes.count ? "\(what) at byte \(place + 1)" : "unexpected end"))
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      index += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func value() throws(JSONValue.SyntaxError) -> JSONValue {
    values += 1
    guard values <= maximumValues else { throw error("more than \(maximumValues) values") }
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try nested()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"): return .number(try number())
    case .some(let byte) where Self.isDigit(byte): return .number(try number())
    default: throw error("a value is missing")
    }
  }

  private mutating func nested() throws(JSONValue.SyntaxError) -> JSONValue {
    guard depth < Self.maximumDepth else {
      throw error("values are nested deeper than \(Self.maximumDepth) levels")
    }
    depth += 1
    defer { depth -= 1 }
    return take(UInt8(ascii: "[")) ? try array() : try object()
  }

  private mutating func array() throws(JSONValue.SyntaxError) -> JSONValue {
    var values: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(values) }
    while true {
      skipSpace()
      values.append(try value())
      skipSpace()
      if take(UInt8(ascii: "]")) { return .array(values) }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or ] is missing") }
    }
  }

  private mutating func object() throws(JSONValue.SyntaxError) -> JSONValue {
    index += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("a name is missing") }
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("a colon is missing") }
      skipSpace()
      members.append(JSONValue.Member(name, try value()))
      skipSpace()
      if take(UInt8(ascii: "}")) { return .object(members) }
      guard take(UInt8(ascii: ",")) else { throw error("a comma or } is missing") }
    }
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONValue.SyntaxError) -> JSONValue {
    let start = index
    for byte in word.description.utf8 {
      guard take(byte) else { throw error("an unknown word", at: next == nil ? index : start) }
    }
    return value
  }

  // MARK: Numbers

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private mutating func digits() -> Range<Int> {
    let start = index
    while let byte = next, Self.isDigit(byte) { index += 1 }
    return start..<index
  }

  private mutating func number() throws(JSONValue.SyntaxError) -> Double {
    let start = index
    let isNegative = take(UInt8(ascii: "-"))
    let whole = digits()
    guard !whole.isEmpty else { throw error("a digit is missing") }
    if bytes[whole.lowerBound] == 0x30, whole.count > 1 {
      throw error("a number with a leading zero", at: start)
    }
    var fraction = index..<index
    if take(UInt8(ascii: ".")) {
      fraction = digits()
      guard !fraction.isEmpty else { throw error("a digit is missing") }
    }
    var hasExponent = false
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      hasExponent = true
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard !digits().isEmpty else { throw error("a digit is missing") }
    }
    // Up to 15 digits and powers of ten up to 10²² are exact doubles, so their division is
    // correctly rounded (Clinger, "How to read floating point numbers accurately", 1990).
    if !hasExponent, whole.count + fraction.count <= 15 {
      var mantissa = 0
      for place in [whole, fraction] {
        for byte in bytes[place] { mantissa = mantissa * 10 + Int(byte - 0x30) }
      }
      var value = Double(mantissa)
      if !fraction.isEmpty { value /= Self.powersOfTen[fraction.count] }
      return isNegative ? -value : value
    }
    guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)),
      value.isFinite
    else { throw error("a number is too large", at: start) }
    return value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  // MARK: Strings

  private mutating func string() throws(JSONValue.SyntaxError) -> String {
    index += 1
    let start = index
    var allBits: UInt8 = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let range = start..<index
        // ASCII needs no validation, which costs more than everything else.
        let text =
          allBits < 0x80
          ? String(decoding: bytes[range], as: UTF8.self) : try text(bytes[range], at: start)
        index += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case ..<0x20: throw error("a control character in a string")
      default:
        allBits |= byte
        index += 1
      }
    }
    throw error("a quotation mark is missing")
  }

  private func text(
    _ bytes: some Sequence<UInt8>, at start: Int
  ) throws(JSONValue.SyntaxError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("a string that is not valid UTF-8", at: start)
    }
    return text
  }

  /// Parses the rest of a string from its first backslash.
  private mutating func escapedString(
    from start: Int
  ) throws(JSONValue.SyntaxError) -> String {
    var unescaped = Array(bytes[start..<index])
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return try text(unescaped, at: start)
      case UInt8(ascii: "\\"): unescaped.append(contentsOf: String(try escape()).utf8)
      case ..<0x20:
        index -= 1
        throw error("a control character in a string")
      default: unescaped.append(byte)
      }
    }
    throw error("a quotation mark is missing")
  }

  private mutating func escape() throws(JSONValue.SyntaxError) -> Unicode.Scalar {
    guard let byte = next else { throw error("") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let place = index
      let unit = try codeUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // Characters beyond U+FFFF are written as surrogate pairs, with 10 bits each.
      guard unit < 0xdc00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
        throw error("an unpaired surrogate", at: place)
      }
      let second = try codeUnit()
      guard (0xdc00...0xdfff).contains(second),
        let scalar = Unicode.Scalar(
          0x10000 + (UInt32(unit) - 0xd800) << 10 + UInt32(second) - 0xdc00)
      else { throw error("an unpaired surrogate", at: place) }
      return scalar
    default:
      index -= 1
      throw error("an unknown escape sequence")
    }
  }

  private mutating func codeUnit() throws(JSONValue.SyntaxError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, byte < 0x80,
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw error("four hexadecimal digits are missing") }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}
