// SPDX-License-Identifier: MIT

internal import FoundationEssentials

/// A JSON value. Objects keep their members in order when they are written.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Why a text is no JSON.
  public struct SyntaxError: Error, Sendable, CustomStringConvertible {
    public var description: String
  }

  /// Reads a text. Nothing but white space may follow the value. Members come in the order of their
  /// names, because a reader must not depend on any other.
  public init(parsing text: some Sequence<UInt8>) throws(SyntaxError) {
    do {
      self = try JSONDecoder().decode(Decoded.self, from: Data(text)).value
    } catch let DecodingError.dataCorrupted(context) {
      // The decoder's underlying error names the place, the context only says that there is one.
      throw SyntaxError(
        description: "this is not JSON" + (context.underlyingError.map { ": \($0)" } ?? ""))
    } catch {
      throw SyntaxError(description: "this is not JSON: \(error)")
    }
  }

  /// The member of a name, if this is an object that has it.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// An integer, where the number is one.
  public var integer: Int? { number.flatMap { Int(exactly: $0) } }

  /// The value in one line, without spaces. What JSON has no number for becomes `null`.
  public var text: String {
    var result = ""
    write(to: &result)
    return result
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

  private static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    if let whole = Int(exactly: number) { return String(whole) }
    return "\(number)"
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1f}", "\u{7f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// A value of any kind, as the decoder meets it.
private struct Decoded: Decodable {
  var value: JSONValue

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      value = .object(
        try container.allKeys.map {
          JSONValue.Member(
            $0.stringValue, try container.decode(Decoded.self, forKey: $0).value)
        }.sorted { $0.name < $1.name })
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !container.isAtEnd { values.append(try container.decode(Decoded.self).value) }
      value = .array(values)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .null
      } else if let bool = try? container.decode(Bool.self) {
        value = .bool(bool)
      } else if let number = try? container.decode(Double.self) {
        value = .number(number)
      } else {
        value = .string(try container.decode(String.self))
      }
    }
  }
}
