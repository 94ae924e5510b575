// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// A parameter's name in a string: `$name` or `${name}`, or `$name.member` for a member of a map.
enum ParameterName {
  /// The name after the dollar sign at `place`, and its end. `hasMember` decides whether the word
  /// after a dot is a member.
  static func at(
    _ place: Int, in bytes: [UInt8], hasMember: (_ name: String, _ member: String) -> Bool
  ) -> (name: String, end: Int)? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "$") else { return nil }
    let isBraced = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "{")
    guard var (name, end) = word(place + (isBraced ? 2 : 1), in: bytes) else { return nil }
    while end < bytes.count, bytes[end] == UInt8(ascii: "."),
      let member = word(end + 1, in: bytes), hasMember(name, member.name)
    {
      name += ".\(member.name)"
      end = member.end
    }
    guard isBraced else { return (name, end) }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "}") else { return nil }
    return (name, end + 1)
  }

  private static func word(_ place: Int, in bytes: [UInt8]) -> (name: String, end: Int)? {
    let letters = bytes[place...].prefix(while: \.continuesIdentifier)
    guard let first = letters.first, !first.isDigit else { return nil }
    return (String(decoding: letters, as: UTF8.self), letters.endIndex)
  }

  static func whole(
    _ text: String, hasMember: (_ name: String, _ member: String) -> Bool = { _, _ in false }
  ) -> String? {
    guard text.utf8.first == UInt8(ascii: "$") else { return nil }
    let bytes = Array(text.utf8)
    guard let found = at(0, in: bytes, hasMember: hasMember), found.end == bytes.count else {
      return nil
    }
    return found.name
  }
}

/// Fills parameters into one string. It knows only the boundaries of expressions, identifiers, strings and formats.
struct TextFilling {
  private let bytes: [UInt8]
  private let maximumBytes: Int
  private let value: (String) -> Node?
  private let hasMember: (_ name: String, _ member: String) -> Bool
  private var index = 0
  private var filled: [UInt8] = []
  private var place: Context
  private let isTemplate: Bool

  private enum Context: Equatable {
    /// Outside braces, or in a string without expressions.
    case text
    /// Inside braces. `conditions` counts the `?` without a colon so far.
    case expression(conditions: Int)
    case format
    case literal(quote: UInt8, conditions: Int)
    case backquotes(conditions: Int)
  }

  /// `value` returns nil after reporting an unknown name.
  init(
    _ text: String, notation: LoopParameters.Notation, isExpression: Bool, maximumBytes: Int,
    hasMember: @escaping (_ name: String, _ member: String) -> Bool,
    value: @escaping (String) -> Node?
  ) {
    bytes = Array(text.utf8)
    isTemplate = notation == .templates
    place = isTemplate && isExpression ? .expression(conditions: 0) : .text
    self.maximumBytes = maximumBytes
    self.value = value
    self.hasMember = hasMember
  }

  private func name(at place: Int) -> (name: String, end: Int)? {
    ParameterName.at(place, in: bytes, hasMember: hasMember)
  }

  /// Returns nil if the string becomes too long.
  mutating func fill() -> String? {
    while index < bytes.count {
      step()
      guard filled.count <= maximumBytes else { return nil }
    }
    return String(decoding: filled, as: UTF8.self)
  }

  private mutating func step() {
    if let (name, end) = escapedName(at: index) {
      filled += Array("$\(name)".utf8)
      index = end
      return
    }
    switch place {
    case .text: text()
    case .expression(let conditions): expression(conditions)
    case .format:
      if bytes[index] == UInt8(ascii: "}") { place = .text }
      nameOrByte { $0 }
    case .literal(let quote, let conditions): literal(quote, conditions)
    case .backquotes(let conditions):
      if bytes[index] == UInt8(ascii: "`") { place = .expression(conditions: conditions) }
      nameOrByte { $0 }
    }
  }

  /// Returns the unfilled text after `$$`: `$$name` becomes `$name`.
  private func escapedName(at place: Int) -> (name: String, end: Int)? {
    guard bytes[place] == UInt8(ascii: "$"), let (_, end) = name(at: place + 1) else { return nil }
    return (String(decoding: bytes[(place + 2)..<end], as: UTF8.self), end)
  }

  /// Inserts a name's value, as converted by `write`, or copies one byte.
  private mutating func nameOrByte(_ write: (String) -> String) {
    if let (name, end) = name(at: index) {
      filled += Array(write(value(name)?.text ?? "").utf8)
      index = end
    } else {
      filled.append(bytes[index])
      index += 1
    }
  }

  private mutating func text() {
    let byte = bytes[index]
    if isTemplate, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
      let isDouble = index + 1 < bytes.count && bytes[index + 1] == byte
      filled.append(byte)
      index += 1
      if isDouble {
        filled.append(byte)
        index += 1
      } else if byte == UInt8(ascii: "{") {
        place = .expression(conditions: 0)
      }
    } else {
      nameOrByte { $0 }
    }
  }

  private mutating func expression(_ conditions: Int) {
    let byte = bytes[index]
    if byte.continuesIdentifier || name(at: index) != nil {
      word()
      return
    }
    filled.append(byte)
    index += 1
    switch byte {
    case UInt8(ascii: "}"): place = .text
    case UInt8(ascii: "?"): place = .expression(conditions: conditions + 1)
    case UInt8(ascii: ":"):
      place = conditions > 0 ? .expression(conditions: conditions - 1) : .format
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      place = .literal(quote: byte, conditions: conditions)
    case UInt8(ascii: "`"): place = .backquotes(conditions: conditions)
    default: break
    }
  }

  /// A parameter that is a whole run of letters and parameters becomes a literal, unless it is next
  /// to a dot or before a parenthesis. Others are part of an identifier.
  private mutating func word() {
    let first = index
    var word = ""
    var parameters: [Node] = []
    while index < bytes.count {
      if let (parameter, end) = name(at: index) {
        if let node = value(parameter) {
          parameters.append(node)
          word += node.text ?? ""
        }
        index = end
      } else if bytes[index].continuesIdentifier {
        word.unicodeScalars.append(Unicode.Scalar(bytes[index]))
        index += 1
      } else {
        break
      }
      guard word.utf8.count <= maximumBytes else { break }
    }
    let isWhole =
      parameters.count == 1 && name(at: first)?.end == index
      && !(first > 0 && bytes[first - 1] == UInt8(ascii: "."))
      && !(index < bytes.count
        && (bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: "(")))
    if isWhole, let node = parameters.first {
      filled += Array(node.expressionLiteral.utf8)
    } else if parameters.isEmpty {
      filled += Array(word.utf8)
    } else {
      filled += Array(word.expressionName.utf8)
    }
  }

  private mutating func literal(_ quote: UInt8, _ conditions: Int) {
    let byte = bytes[index]
    if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
      filled += bytes[index...(index + 1)]
      index += 2
      return
    }
    if byte == quote { place = .expression(conditions: conditions) }
    nameOrByte { $0.escaped(in: Character(Unicode.Scalar(quote))) }
  }
}

extension Node {
  /// The scalar in expression syntax: a number, a flag or a string.
  fileprivate var expressionLiteral: String {
    if let plain, plain == "true" || plain == "false" { return plain }
    if let number = jsonNumber { return number < 0 ? "(\(number.brief))" : number.brief }
    return "\"\((text ?? "").escaped(in: "\""))\""
  }

  /// The number in a plain scalar in JSON notation: `007` and `+1` are strings.
  private var jsonNumber: Double? {
    guard let plain, let number, number.isFinite else { return nil }
    let digits = plain.hasPrefix("-") ? plain.dropFirst() : plain[...]
    guard digits.first?.isNumber == true, plain.last?.isNumber == true else { return nil }
    let isPadded = digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true
    return isPadded ? nil : number
  }
}

extension String {
  fileprivate func escaped(in quote: Character) -> String {
    reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\\\"
      case quote: text += "\\\(quote)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\r\n": text += "\\r\\n"
      case "\t": text += "\\t"
      default: text.append(character)
      }
    }
  }

  /// The string as a name with dots. Parts that aren't identifiers are in backquotes.
  fileprivate var expressionName: String {
    split(separator: ".", omittingEmptySubsequences: false).map { part in
      let isIdentifier =
        part.utf8.first?.isDigit == false && part.utf8.allSatisfy(\.continuesIdentifier)
      return isIdentifier || part.isEmpty ? String(part) : "`\(part)`"
    }.joined(separator: ".")
  }
}
