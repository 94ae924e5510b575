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

  /// The meaning of the first part.
  enum Root: Hashable {
    case name
    case variable
    /// A member or a method of an expression in brackets or parentheses.
    case member
  }

  var parts: [Part]
  var root = Root.name
  /// Whether a parenthesis follows, so that the last part is a function or a method.
  var isCall = false
}

struct NameScanner {
  /// A variable of a macro.
  struct Variable {
    var name: String
    /// The index of the dot between the range and the macro.
    var rangeEnd: Int
    /// The number of open parentheses in the macro.
    fileprivate var depth: Int
  }

  /// The variables that are known at the end.
  private(set) var variables: [Variable] = []
  /// The start of the expression that is open at the end, or nil outside of an expression.
  private(set) var start: Int?
  private var parentheses = 0
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
  /// - Parameter isProperty: Whether a control's id, optionally an item's id, and a name identify a
  ///   property, which a template may contain without backquotes.
  static func names(
    in bytes: [UInt8], _ range: Range<Int>, style: SyntaxNode.Style, isExpression: Bool = false,
    isProperty: @escaping ([String]) -> Bool = { _ in false }
  ) -> [NameToken] {
    scan(bytes, range, style: style, isExpression: isExpression, isProperty: isProperty).found
  }

  /// Scans up to the end of the range, which may be inside an expression.
  static func scan(
    _ bytes: [UInt8], _ range: Range<Int>, style: SyntaxNode.Style, isExpression: Bool,
    isProperty: @escaping ([String]) -> Bool = { _ in false }
  ) -> NameScanner {
    var scanner = NameScanner(bytes, range, style, isProperty)
    if isExpression {
      scanner.expression(until: nil)
    } else {
      scanner.template()
    }
    return scanner
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

  static func isLetter(_ byte: UInt8) -> Bool { byte.continuesIdentifier }

  static func isPartOfWord(_ byte: UInt8) -> Bool { isLetter(byte) || byte >= 0x80 }

  private mutating func expression(until closer: UInt8?) {
    (start, variables, parentheses) = (index, [], 0)
    var braces = 0
    while index < end {
      let byte = bytes[index]
      if byte == closer, braces == 0 {
        index += 1
        start = nil
        return
      }
      switch byte {
      case UInt8(ascii: "{"): braces += 1
      case UInt8(ascii: "}"): braces -= 1
      case UInt8(ascii: "("): parentheses += 1
      case UInt8(ascii: ")"):
        parentheses -= 1
        variables.removeAll { $0.depth > parentheses }
      default: break
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
    let isMember = index > 1 && bytes[index - 1] == UInt8(ascii: ".")
    if isMember, ")]}\"'`".utf8.contains(bytes[index - 2]) { token.root = .member }
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
    if !isMember, variables.contains(where: { $0.name == token.parts[0].text }) {
      token.root = .variable
    }
    found.append(token)
    if token.isCall, token.parts.count > 1 || token.root == .member { variable(of: token) }
  }

  /// Adds the variable of a macro before its parenthesis.
  private mutating func variable(of macro: NameToken) {
    guard let part = macro.parts.last, FunctionSummary.macroNames.contains(part.text) else {
      return
    }
    func isSpace(_ place: Int) -> Bool { byte(place) == UInt8(ascii: " ") }
    var first = index + 1
    while isSpace(first) { first += 1 }
    var last = first
    while Self.isLetter(byte(last)) { last += 1 }
    let name = String(decoding: bytes[first..<last], as: UTF8.self)
    while isSpace(last) { last += 1 }
    guard !name.isEmpty, byte(last) == UInt8(ascii: ",") else { return }
    variables.append(
      Variable(name: name, rangeEnd: part.range.lowerBound - 1, depth: parentheses + 1))
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
