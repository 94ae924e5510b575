// SPDX-License-Identifier: MIT

/// The names within a text of a file, with the places of their parts.
struct NameToken: Hashable {
  struct Part: Hashable {
    var text: String
    /// In bytes of the file, backquotes left out.
    var range: Range<Int>
    var isQuoted = false
  }

  var parts: [Part]
  /// Whether a parenthesis follows: its last part is a function or a method.
  var isCall = false
}

/// Finds the names in expressions as they stand in a file.
struct NameScanner {
  private let bytes: [UInt8]
  private let end: Int
  private let style: SyntaxNode.Style
  private var index: Int
  private var found: [NameToken] = []

  private init(_ bytes: [UInt8], _ range: Range<Int>, _ style: SyntaxNode.Style) {
    self.bytes = bytes
    self.style = style
    index = range.lowerBound
    end = range.upperBound
  }

  /// The names in the expressions of a template, or, where it `isExpression`, in all of it.
  static func names(
    in bytes: [UInt8], _ range: Range<Int>, style: SyntaxNode.Style, isExpression: Bool = false
  ) -> [NameToken] {
    var scanner = NameScanner(bytes, range, style)
    if isExpression {
      scanner.expression(until: nil)
    } else {
      scanner.template()
    }
    return scanner.found
  }

  private func byte(_ offset: Int) -> UInt8 { offset < end ? bytes[offset] : 0 }

  private mutating func template() {
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "{") {
        if self.byte(index + 1) == byte {
          index += 2
          continue
        }
        index += 1
        if verbatim() { continue }
        expression(until: UInt8(ascii: "}"))
      } else {
        index += 1
      }
    }
  }

  /// A whole `{…}` of letters, dashes and dots: it may name a property whose control's id is not an identifier.
  private mutating func verbatim() -> Bool {
    guard let close = bytes[index..<end].firstIndex(of: UInt8(ascii: "}")) else { return false }
    let inner = bytes[index..<close]
    guard inner.contains(UInt8(ascii: "-")), inner.contains(UInt8(ascii: ".")),
      inner.allSatisfy({ Self.isLetter($0) || "-.${}".utf8.contains($0) })
    else { return false }
    var start = index
    var parts: [NameToken.Part] = []
    for part in inner.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      parts.append(
        .init(
          text: String(decoding: part, as: UTF8.self), range: start..<(start + part.count),
          isQuoted: true))
      start += part.count + 1
    }
    found.append(NameToken(parts: parts))
    index = close + 1
    return true
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
  }

  private mutating func expression(until closer: UInt8?) {
    while index < end {
      let byte = bytes[index]
      if byte == closer {
        index += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        // A quote in a quoted text.
        if self.byte(index + 1) == UInt8(ascii: "\"") {
          index += 2
          literal(UInt8(ascii: "\""), isEscaped: true)
        } else {
          index += 2
        }
      } else if byte == UInt8(ascii: "\"") {
        index += 1
        literal(byte, isEscaped: false)
      } else if byte == UInt8(ascii: "'") {
        let isDoubled = style == .singleQuoted
        index += isDoubled ? 2 : 1
        literal(byte, isEscaped: isDoubled)
      } else if (Self.isLetter(byte) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte))
        || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "$")
      {
        name()
      } else if Self.isLetter(byte) {
        // A number.
        while index < end, Self.isLetter(bytes[index]) || bytes[index] == UInt8(ascii: ".") {
          index += 1
        }
      } else {
        index += 1
      }
    }
  }

  private mutating func literal(_ quote: UInt8, isEscaped: Bool) {
    while index < end {
      let byte = bytes[index]
      if isEscaped, quote == UInt8(ascii: "\""), byte == UInt8(ascii: "\\"),
        self.byte(index + 1) == quote
      {
        index += 2
        return
      }
      if byte == quote {
        index += isEscaped && quote == UInt8(ascii: "'") ? 2 : 1
        return
      }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  private mutating func name() {
    var token = NameToken(parts: [])
    while index < end {
      let start = index
      if bytes[index] == UInt8(ascii: "`") {
        let close = bytes[(index + 1)..<end].firstIndex(of: UInt8(ascii: "`")) ?? end
        token.parts.append(part((index + 1)..<close, isQuoted: true))
        index = min(close + 1, end)
      } else {
        while index < end {
          if Self.isLetter(bytes[index]) || bytes[index] == UInt8(ascii: "$") {
            index += 1
          } else if bytes[index] == UInt8(ascii: "{"), index > start,
            bytes[index - 1] == UInt8(ascii: "$"),
            let close = bytes[index..<end].firstIndex(of: UInt8(ascii: "}"))
          {
            index = close + 1
          } else {
            break
          }
        }
        guard index > start else { break }
        token.parts.append(part(start..<index, isQuoted: false))
      }
      guard byte(index) == UInt8(ascii: ".") else { break }
      index += 1
    }
    if token.parts.isEmpty {
      index += 1
      return
    }
    token.isCall = byte(index) == UInt8(ascii: "(")
    found.append(token)
  }

  private func part(_ range: Range<Int>, isQuoted: Bool) -> NameToken.Part {
    .init(
      text: String(decoding: bytes[range], as: UTF8.self), range: range, isQuoted: isQuoted)
  }
}

extension SyntaxNode {
  /// The bytes of a scalar without its quotes.
  var inner: Range<Int> {
    switch style {
    case .singleQuoted, .doubleQuoted:
      range.count >= 2 ? (range.lowerBound + 1)..<(range.upperBound - 1) : range
    default: range
    }
  }
}
