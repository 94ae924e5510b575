// SPDX-License-Identifier: MIT

extension SyntaxParser {
  func startsPlain(_ offset: Int) -> Bool {
    guard let byte = self[offset], !isBlankOrEnd(offset) else { return false }
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): return !isBlankOrEnd(offset + 1)
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"),
      UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "'"), UInt8(ascii: "\""),
      UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
      return false
    default: return true
    }
  }

  /// Parses the lines that are indented beyond a column.
  mutating func plain(below parent: Int, isSingleLine: Bool, inFlow: Bool = false) -> SyntaxNode {
    let start = index
    var text: [UInt8] = []
    var end = index
    var folding = LineFolding()
    while index < bytes.count {
      if isDocumentMarker(index) { break }
      if byte == UInt8(ascii: "#"), index > start, isBlankOrEnd(index - 1) { break }
      let begin = index
      var ended = false
      while !isBlankOrEnd(index), let byte {
        if byte == UInt8(ascii: ":"), isBlankOrEnd(index + 1) { ended = true }
        if inFlow {
          if byte == UInt8(ascii: ":"), let next = self[index + 1], ",[]{}".utf8.contains(next) {
            ended = true
          }
          if ",[]{}".utf8.contains(byte) { ended = true }
        }
        if ended { break }
        index += 1
      }
      if index > begin {
        folding.join(&text)
        text += bytes[begin..<index]
        end = index
      }
      if ended || index == begin { break }
      // White space counts only if more text follows.
      let blanks = index
      skipBlanks()
      guard isBreak(index) else {
        folding.blanks = Array(bytes[blanks..<index])
        if index >= bytes.count || byte == UInt8(ascii: "#") { break }
        continue
      }
      if isSingleLine { break }
      while isBlank(index) || isBreak(index) {
        let length = source.lineBreak(at: index)
        if length > 0 { folding.add(bytes[index..<(index + length)]) }
        index += max(length, 1)
      }
      guard index < bytes.count else { break }
      if !inFlow {
        guard index - source.startOfLine(at: index) > parent else { break }
        // In tolerant mode, a line that looks like a key ends the text.
        if isTolerant, looksLikeBlock(index) { break }
      } else if isTolerant, looksLikeBlock(index) {
        break
      }
    }
    index = end
    return SyntaxNode(.scalar(String(decoding: text, as: UTF8.self), .plain), start..<end)
  }

  mutating func quoted(below parent: Int, inFlow: Bool = false) -> SyntaxNode {
    let start = index
    let quote = bytes[index]
    let isSingle = quote == UInt8(ascii: "'")
    index += 1
    var text: [UInt8] = []
    var folding = LineFolding()
    var firstLineEnd: Int?
    func made(_ parser: SyntaxParser) -> SyntaxNode {
      SyntaxNode(
        .scalar(String(decoding: text, as: UTF8.self), isSingle ? .singleQuoted : .doubleQuoted),
        start..<parser.index)
    }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote {
        if isSingle, self[index + 1] == quote {
          folding.join(&text)
          text.append(quote)
          index += 2
          continue
        }
        folding.join(&text)
        index += 1
        return made(self)
      }
      if !isSingle, byte == UInt8(ascii: "\\") {
        index += 1
        let length = source.lineBreak(at: index)
        folding.join(&text)
        if length > 0 {
          firstLineEnd = firstLineEnd ?? index
          index += length
          folding.isEscaped = true
        } else {
          escape(&text)
        }
        continue
      }
      let length = source.lineBreak(at: index)
      if length > 0 {
        firstLineEnd = firstLineEnd ?? index
        folding.add(bytes[index..<(index + length)])
        index += length
        if isTolerant, isMissingQuote() { break }
        if isDocumentMarker(index) { break }
        continue
      }
      if isBlank(index) {
        folding.add(blank: byte)
        index += 1
        continue
      }
      folding.join(&text)
      text.append(byte)
      index += 1
    }
    // Without a closing quote, the text ends with its line.
    countError()
    guard isTolerant || firstLineEnd == nil else { return made(self) }
    index = firstLineEnd ?? bytes.count
    if let end = firstLineEnd {
      var own = SyntaxNode(.scalar("", isSingle ? .singleQuoted : .doubleQuoted), start..<end)
      own.content = .scalar(source[(start + 1)..<end], isSingle ? .singleQuoted : .doubleQuoted)
      return own
    }
    return made(self)
  }

  /// Whether the line looks like a key or an item, because the previous quote isn't closed.
  private func isMissingQuote() -> Bool {
    var offset = index
    while isBlank(offset) { offset += 1 }
    return looksLikeBlock(offset)
  }

  private mutating func escape(_ text: inout [UInt8]) {
    guard let byte else { return }
    let simple: [UInt8: UInt32] = [
      UInt8(ascii: "0"): 0, UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9,
      0x09: 9, UInt8(ascii: "n"): 10, UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12,
      UInt8(ascii: "r"): 13, UInt8(ascii: "e"): 0x1b, UInt8(ascii: " "): 0x20,
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "/"): 0x2f, UInt8(ascii: "\\"): 0x5c,
      UInt8(ascii: "N"): 0x85, UInt8(ascii: "_"): 0xa0, UInt8(ascii: "L"): 0x2028,
      UInt8(ascii: "P"): 0x2029,
    ]
    index += 1
    if let value = simple[byte] {
      append(value, to: &text)
      return
    }
    let counts: [UInt8: Int] = [
      UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8,
    ]
    guard let count = counts[byte], index + count <= bytes.count,
      let value = UInt32(source[index..<(index + count)], radix: 16)
    else {
      countError()
      return
    }
    index += count
    append(value, to: &text)
  }

  private mutating func append(_ value: UInt32, to text: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value) else {
      countError()
      return
    }
    text += Array(String(Character(scalar)).utf8)
  }

  /// The text after `|` or `>`.
  mutating func block(below parent: Int) -> SyntaxNode {
    let start = index
    let isLiteral = byte == UInt8(ascii: "|")
    index += 1
    var chomping = 0
    var increment: Int?
    for _ in 0..<2 {
      switch byte {
      case UInt8(ascii: "+"):
        chomping = 1
        index += 1
      case UInt8(ascii: "-"):
        chomping = -1
        index += 1
      case .some(let digit) where (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit):
        increment = Int(digit - UInt8(ascii: "0"))
        index += 1
      default: break
      }
    }
    skipBlanks()
    var end = index
    if isComment { skipLine() }
    guard index >= bytes.count || isBreak(index) else {
      countError()
      let text = source[start..<source.endOfLine(at: start)]
      skipLine()
      return SyntaxNode(.scalar(text, .plain), start..<index)
    }
    index += source.lineBreak(at: index)
    var indent = increment.map { max(parent, 0) + $0 } ?? 0
    var text: [UInt8] = []
    var leading: [UInt8] = []
    var trailing = breaks(&indent, parent)
    var wasBlank = false
    while index < bytes.count, !isDocumentMarker(index),
      index - source.startOfLine(at: index) == indent
    {
      let isBlank = isBlank(index)
      if !isLiteral, leading.first == 10, !wasBlank, !isBlank {
        if trailing.isEmpty { text.append(0x20) }
      } else {
        text += leading
      }
      text += trailing
      wasBlank = isBlank
      let line = source.endOfLine(at: index)
      text += bytes[index..<line]
      end = line
      index = line
      let length = source.lineBreak(at: index)
      leading = LineFolding.normal(bytes[index..<(index + length)])
      index += length
      trailing = breaks(&indent, parent)
    }
    if chomping != -1 { text += leading }
    if chomping == 1 { text += trailing }
    index = end
    return SyntaxNode(.scalar(String(decoding: text, as: UTF8.self), .block), start..<end)
  }

  private mutating func breaks(_ indent: inout Int, _ parent: Int) -> [UInt8] {
    var found: [UInt8] = []
    var widest = 0
    while true {
      while index < bytes.count, bytes[index] == 0x20,
        indent == 0 || index - source.startOfLine(at: index) < indent
      {
        index += 1
      }
      widest = max(widest, index - source.startOfLine(at: index))
      let length = source.lineBreak(at: index)
      guard length > 0 else { break }
      found += LineFolding.normal(bytes[index..<(index + length)])
      index += length
    }
    if indent == 0 { indent = max(widest, parent + 1, 1) }
    return found
  }
}

/// White space within text. If the text continues, a single line break becomes a space. Blanks and
/// additional line breaks are kept.
struct LineFolding {
  var blanks: [UInt8] = []
  private var first: [UInt8] = []
  private var further: [UInt8] = []
  private var hasBreak = false
  /// Whether a backslash precedes a line break.
  var isEscaped = false {
    didSet { if isEscaped { hasBreak = true } }
  }

  mutating func add(blank: UInt8) {
    if !hasBreak { blanks.append(blank) }
  }

  mutating func add(_ lineBreak: ArraySlice<UInt8>) {
    if hasBreak {
      further += Self.normal(lineBreak)
    } else {
      hasBreak = true
      blanks = []
      first = Self.normal(lineBreak)
    }
  }

  mutating func join(_ text: inout [UInt8]) {
    if hasBreak {
      if first == [10] {
        text += further.isEmpty ? [0x20] : further
      } else {
        text += first + further
      }
    } else {
      text += blanks
    }
    self = LineFolding()
  }

  static func normal(_ lineBreak: ArraySlice<UInt8>) -> [UInt8] {
    lineBreak.count == 3 ? Array(lineBreak) : lineBreak.isEmpty ? [] : [10]
  }
}
