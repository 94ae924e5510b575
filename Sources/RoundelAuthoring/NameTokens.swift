// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// A name in a string of a file, with the ranges of its parts.
struct NameToken: Hashable {
  struct Part: Hashable {
    var text: String
    /// The range in bytes of the file, without backquotes.
    var range: Range<Int>
    var isQuoted = false
  }

  var parts: [Part]
  /// Whether a parenthesis follows, so that the last part is a function or a method.
  var isCall = false
}

struct NameScanner {
  private let bytes: [UInt8]
  private let end: Int
  private let style: SyntaxNode.Style
  private let isProperty: ([String]) -> Bool
  private var index: Int
  private var found: [NameToken] = []

  private init(
    _ bytes: [UInt8], _ range: Range<Int>, _ style: SyntaxNode.Style,
    _ isProperty: @escaping ([String]) -> Bool
  ) {
    self.bytes = bytes
    self.style = style
    self.isProperty = isProperty
    index = range.lowerBound
    end = range.upperBound
  }

  /// Scans a template or, with `isExpression`, an expression.
  ///
  /// - Parameter isProperty: returns whether a control's id, optionally an item's id, and a name
  ///   identify a property. A template may contain a property's name with any characters without
  ///   backquotes.
  static func names(
    in bytes: [UInt8], _ range: Range<Int>, style: SyntaxNode.Style, isExpression: Bool = false,
    isProperty: @escaping ([String]) -> Bool = { _ in false }
  ) -> [NameToken] {
    var scanner = NameScanner(bytes, range, style, isProperty)
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

  /// Scans a `{…}` that is a property's name, such as `{stop-watch.value}`.
  private mutating func verbatim() -> Bool {
    guard let close = closingBrace else { return false }
    let inner = bytes[index..<close]
    let pieces = inner.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let names = pieces.map { String(decoding: $0, as: UTF8.self) }
    guard names.count > 1, names.contains(where: { LanguageService.identifier($0) != $0 }) else {
      return false
    }
    // A `for` fills in the rest of a name.
    let isGenerated =
      inner.contains(UInt8(ascii: "$"))
      && inner.allSatisfy { Self.isPartOfWord($0) || "-.${}".utf8.contains($0) }
    guard isGenerated || isProperty(names) else { return false }
    var start = index
    var parts: [NameToken.Part] = []
    for (piece, name) in zip(pieces, names) {
      parts.append(.init(text: name, range: start..<(start + piece.count), isQuoted: true))
      start += piece.count + 1
    }
    found.append(NameToken(parts: parts))
    index = close + 1
    return true
  }

  /// The braces of `${name}` belong to the name.
  private var closingBrace: Int? {
    var place = index
    while place < end, bytes[place] != UInt8(ascii: "}") {
      let isName = bytes[place] == UInt8(ascii: "$") && byte(place + 1) == UInt8(ascii: "{")
      place = isName ? bytes[place..<end].firstIndex(of: UInt8(ascii: "}")) ?? end : place
      place += 1
    }
    return place < end ? place : nil
  }

  /// Returns whether an identifier may contain a byte.
  static func isLetter(_ byte: UInt8) -> Bool { byte.continuesIdentifier }

  static func isPartOfWord(_ byte: UInt8) -> Bool { isLetter(byte) || byte >= 0x80 }

  private mutating func expression(until closer: UInt8?) {
    while index < end {
      let byte = bytes[index]
      if byte == closer {
        index += 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        // A quote in quoted text.
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
      } else if (Self.isLetter(byte) && !byte.isDigit)
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
  var inner: Range<Int> {
    switch style {
    case .singleQuoted, .doubleQuoted:
      range.count >= 2 ? (range.lowerBound + 1)..<(range.upperBound - 1) : range
    default: range
    }
  }
}
