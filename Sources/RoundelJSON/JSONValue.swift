// SPDX-License-Identifier: MIT

/// A JSON value. The members of objects are written in order.
///
/// Foundation's types lose the order and exact numbers.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package struct SyntaxError: Error, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// Only white space may follow the value. Members keep their order.
  package init(
    parsing text: some Sequence<UInt8>, maximumValues: Int = .max
  ) throws(SyntaxError) {
    var reader = JSONReader(Array(text), maximumValues: maximumValues)
    self = try reader.document()
  }

  /// The member, or nil. O(n) in the members.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  package var isArray: Bool {
    if case .array = self { true } else { false }
  }

  package var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// The value on one line, without spaces. Numbers that JSON can't represent become `null`. O(n) in the length.
  package var text: String {
    var result = ""
    write(to: &result)
    return result
  }

  /// The maximum memory of a value in bytes, per byte of its text. Nested empty arrays need the most.
  package static let maximumMemoryFactor = 32

  /// The approximate memory, or nil if that exceeds `maximum`. O(`maximum`).
  package func memoryBytes(upTo maximum: Int = .max) -> Int? {
    var left = maximum
    return take(from: &left) ? maximum - left : nil
  }

  private func take(from left: inout Int) -> Bool {
    // An array has a header of 32 bytes, and so does the memory of a string.
    left -= MemoryLayout<Self>.stride
    guard left >= 0 else { return false }
    switch self {
    case .null, .bool, .number: return true
    case .string(let text):
      left -= Self.memoryBytes(of: text)
      return left >= 0
    case .array(let values):
      if !values.isEmpty { left -= 32 }
      return left >= 0 && values.allSatisfy { $0.take(from: &left) }
    case .object(let members):
      if !members.isEmpty { left -= 32 }
      return left >= 0
        && members.allSatisfy {
          left -= MemoryLayout<String>.stride + Self.memoryBytes(of: $0.name)
          return left >= 0 && $0.value.take(from: &left)
        }
    }
  }

  /// The heap memory of a string in bytes. Up to 15 bytes are stored inline.
  package static func memoryBytes(of text: String) -> Int {
    text.utf8.count <= 15 ? 0 : 32 + text.utf8.count
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .number(let number): text += Self.text(of: number)
    case .string(let string): Self.write(string, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  package static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    if let whole = Int(exactly: number) { return String(whole) }
    return "\(number)"
  }

  /// Whether a string certainly needs no escapes, the common case. 0xc2, 0xd8 and 0xe2 may start a
  /// control character.
  private static func isPlain(_ string: String) -> Bool {
    string.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c && $0 != 0x7f && $0 != 0xc2 && $0 != 0xd8 && $0 != 0xe2
    }
  }

  /// Includes the quotation marks.
  static func bytes(of string: String) -> Int {
    let count = string.utf8.count + 2
    guard !isPlain(string) else { return count }
    return string.unicodeScalars.reduce(count) { count, scalar in
      switch scalar {
      case "\"", "\\", "\n", "\r", "\t": count + 1
      case _ where scalar.isControl: count + 6 - UTF8.width(scalar)
      default: count
      }
    }
  }

  static func bytes(of number: Double) -> Int {
    guard let whole = Int(exactly: number) else { return text(of: number).utf8.count }
    var (count, rest) = (whole < 0 ? 2 : 1, whole.magnitude)
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    if isPlain(string) {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isControl:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
