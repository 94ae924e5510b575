// SPDX-License-Identifier: MIT

/// Parses YAML like libyaml, but continues after errors.
///
/// In tolerant mode, an unclosed quote or bracket ends before the next line that looks like a key
/// or an item.
struct SyntaxParser {
  let source: SourceFile
  let bytes: [UInt8]
  let isTolerant: Bool
  var index: Int
  /// The number of errors that libyaml would report.
  var errorCount = 0
  private var depth = 0
  private var listColumns: [Int] = []

  /// A limit above the kiosk files' limit.
  private static let maximumDepth = 128
  /// Bytes of a key. libyaml has the same limit in characters.
  private static let maximumKeyBytes = 1024

  init(_ source: SourceFile, isTolerant: Bool) {
    self.source = source
    bytes = source.bytes
    self.isTolerant = isTolerant
    index = source.start
  }

  // MARK: Characters

  subscript(offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var byte: UInt8? { self[index] }

  func isBlank(_ offset: Int) -> Bool {
    guard let byte = self[offset] else { return false }
    return byte == 0x20 || byte == 0x09
  }

  func isBreak(_ offset: Int) -> Bool { source.lineBreak(at: offset) > 0 }

  func isBlankOrEnd(_ offset: Int) -> Bool {
    offset >= bytes.count || isBlank(offset) || isBreak(offset)
  }

  func starts(_ text: StaticString, at offset: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard offset + count <= bytes.count else { return false }
    return text.withUTF8Buffer { unsafe bytes[offset..<(offset + count)].elementsEqual($0) }
  }

  /// Returns bytes from 0. Only spaces, dashes and keys precede the offsets.
  func column(_ offset: Int) -> Int { offset - source.startOfLine(at: offset) }

  mutating func countError() { errorCount += 1 }

  mutating func skipBlanks() { while isBlank(index) { index += 1 } }

  mutating func skipLine() { index = source.endOfLine(at: index) }

  /// A comment needs a preceding blank, except at the beginning of a line.
  var isComment: Bool {
    byte == UInt8(ascii: "#")
      && (index == source.start || isBlank(index - 1) || index == source.startOfLine(at: index))
  }

  /// Skips comments and empty lines.
  mutating func skipToContent() {
    while index < bytes.count {
      if isBlank(index) {
        index += 1
      } else if isBreak(index) {
        index += source.lineBreak(at: index)
      } else if isComment {
        skipLine()
      } else {
        return
      }
    }
  }

  /// Accepts `---` and `...`.
  func isDocumentMarker(_ offset: Int) -> Bool {
    (starts("---", at: offset) || starts("...", at: offset)) && isBlankOrEnd(offset + 3)
      && offset == source.startOfLine(at: offset)
  }

  var isAtEnd: Bool { index >= bytes.count || isDocumentMarker(index) }

  // MARK: Document

  mutating func document() -> SyntaxNode {
    skipToContent()
    while byte == UInt8(ascii: "%"), column(index) == 0 {
      skipLine()
      skipToContent()
    }
    if starts("---", at: index), isDocumentMarker(index) {
      index += 3
    }
    let root = blockNode(below: -1)
    skipToContent()
    if index < bytes.count, !isDocumentMarker(index) { countError() }
    return root
  }

  // MARK: Blocks

  private mutating func blockNode(below parent: Int) -> SyntaxNode {
    let before = index
    skipToContent()
    guard !isAtEnd, column(index) > parent else {
      index = before
      return .nothing(at: before)
    }
    return content(below: parent, isInline: false)
  }

  /// `isInline` means that the value follows a key on the same line, and can't begin with a key.
  private mutating func content(below parent: Int, isInline: Bool) -> SyntaxNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else {
      countError()
      index = bytes.count
      return .nothing(at: index)
    }
    if isDash(index), !isInline { return blockList(at: column(index)) }
    if !isInline, let key = implicitKey() {
      return blockMap(at: column(key.node.start), first: key)
    }
    if !isInline, isExplicitKey(index) { return blockMap(at: column(index), first: nil) }
    let start = index
    let properties = properties()
    if properties.isEmpty {
      return scalarOrFlow(below: parent, isInline: isInline)
    }
    var node: SyntaxNode
    let end = index
    skipBlanks()
    if index >= bytes.count || isBreak(index) || isComment {
      skipToContent()
      if !isAtEnd, isDash(index), column(index) == parent, isInline {
        node = blockList(at: column(index))
      } else if !isAtEnd, column(index) > parent {
        node = content(below: parent, isInline: false)
      } else {
        index = end
        node = .nothing(at: end)
      }
    } else {
      node = scalarOrFlow(below: parent, isInline: isInline)
    }
    node.start = start
    node.anchor = properties.anchor ?? node.anchor
    node.tag = properties.tag ?? node.tag
    return node
  }

  func isDash(_ offset: Int) -> Bool {
    self[offset] == UInt8(ascii: "-") && isBlankOrEnd(offset + 1)
  }

  private func isExplicitKey(_ offset: Int) -> Bool {
    self[offset] == UInt8(ascii: "?") && isBlankOrEnd(offset + 1)
  }

  private mutating func blockList(at column: Int) -> SyntaxNode {
    let start = index
    var items: [SyntaxNode] = []
    listColumns.append(column)
    defer { listColumns.removeLast() }
    var end = index
    while !isAtEnd, isDash(index), self.column(index) == column {
      index += 1
      end = index
      let item = blockNode(below: column)
      items.append(item)
      // The next position may already belong to the node after the list.
      end = max(end, item.range.upperBound)
      finishLine(below: column)
      skipToContent()
    }
    return SyntaxNode(.list(items, isFlow: false), start..<end)
  }

  /// Parses a key and its colon on one line. Otherwise returns nil and restores the position.
  private mutating func implicitKey() -> (node: SyntaxNode, colon: Int)? {
    let start = index
    let diagnostics = errorCount
    func none(_ parser: inout SyntaxParser) -> (node: SyntaxNode, colon: Int)? {
      parser.index = start
      parser.errorCount = diagnostics
      return nil
    }
    let line = source.endOfLine(at: index)
    let properties = properties()
    skipBlanks()
    let begin = index
    guard var node = singleLineNode(end: line) else { return none(&self) }
    let end = index
    skipBlanks()
    guard byte == UInt8(ascii: ":"), isBlankOrEnd(index + 1), index < line,
      index - start <= Self.maximumKeyBytes
    else { return none(&self) }
    let colon = index
    index = end
    if case .nothing = node.content { node.range = begin..<begin }
    node.start = start
    node.anchor = properties.anchor
    node.tag = properties.tag
    return (node, colon)
  }

  /// Returns nil unless the node ends on this line.
  private mutating func singleLineNode(end line: Int) -> SyntaxNode? {
    switch byte {
    case UInt8(ascii: ":") where isBlankOrEnd(index + 1): return .nothing(at: index)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let node = quoted(below: -1)
      return index <= line && errorCount == 0 || isTolerant && index <= line ? node : nil
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      // A long string isn't a key.
      guard source.endOfLine(at: index) - index <= Self.maximumKeyBytes else { return nil }
      guard closesInLine(line) else { return nil }
      let node = flow()
      return index <= line ? node : nil
    case UInt8(ascii: "*"): return alias()
    default:
      guard startsPlain(index) else { return nil }
      return plain(below: -1, isSingleLine: true)
    }
  }

  /// A quick check whether the line's brackets are balanced.
  private func closesInLine(_ line: Int) -> Bool {
    var open = 0
    for byte in bytes[index..<line] {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open += 1 }
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open -= 1 }
    }
    return open <= 0
  }

  private mutating func blockMap(
    at column: Int, first: (node: SyntaxNode, colon: Int)?
  ) -> SyntaxNode {
    let start = first?.node.start ?? index
    var pairs: [SyntaxNode.Pair] = []
    var end = start
    var next = first
    while true {
      if let key = next {
        let pair = pair(key.node, key.colon, at: column)
        pairs.append(pair)
        end = max(end, pair.range.upperBound)
      } else if isExplicitKey(index) {
        let pair = explicitPair(at: column)
        pairs.append(pair)
        end = max(end, pair.range.upperBound)
      } else {
        // A key is being typed.
        countError()
        let begin = index
        let node = startsPlain(index) ? plain(below: column, isSingleLine: true) : rest()
        if index == begin { skipLine() }
        pairs.append(.init(key: node, colon: nil, value: .nothing(at: index)))
        end = max(end, node.range.upperBound)
      }
      finishLine(below: column)
      next = nil
      let before = index
      skipToContent()
      guard !isAtEnd, continues(column) else {
        if isAtEnd || self.column(index) > column { index = isAtEnd ? index : before }
        break
      }
      next = implicitKey()
    }
    return SyntaxNode(.map(pairs, isFlow: false), start..<end)
  }

  /// Whether the line belongs to the map at a column.
  private mutating func continues(_ column: Int) -> Bool {
    let own = self.column(index)
    if own == column, !isDash(index) { return true }
    guard isTolerant else { return false }
    // An item of a list, or a key of an outer map.
    let outer = listColumns.last ?? -1
    if isDash(index) { return own > column }
    return own > outer && own != column && own > 0
  }

  private mutating func rest() -> SyntaxNode {
    let start = index
    skipLine()
    var end = index
    while end > start, isBlank(end - 1) { end -= 1 }
    return SyntaxNode(.scalar(source[start..<end], .plain), start..<end)
  }

  private mutating func pair(_ key: SyntaxNode, _ colon: Int, at column: Int) -> SyntaxNode.Pair {
    index = colon + 1
    return .init(key: key, colon: colon, value: mapValue(at: column))
  }

  private mutating func mapValue(at column: Int) -> SyntaxNode {
    let place = index
    skipBlanks()
    if index < bytes.count, !isBreak(index), !isComment {
      if isDash(index) {
        // A list can't begin on its key's line.
        countError()
        guard isTolerant else { return .nothing(at: place) }
      }
      return content(below: column, isInline: true)
    }
    skipToContent()
    if !isAtEnd {
      let own = self.column(index)
      if own > column { return content(below: column, isInline: false) }
      if own == column, isDash(index) { return blockList(at: own) }
    }
    index = place
    return .nothing(at: place)
  }

  private mutating func explicitPair(at column: Int) -> SyntaxNode.Pair {
    index += 1
    let key = blockNode(below: column)
    finishLine(below: column)
    let before = index
    skipToContent()
    guard !isAtEnd, self.column(index) == column, byte == UInt8(ascii: ":"),
      isBlankOrEnd(index + 1)
    else {
      index = before
      return .init(key: key, colon: nil, value: .nothing(at: before))
    }
    let colon = index
    index += 1
    return .init(key: key, colon: colon, value: blockNode(below: column))
  }

  /// Skips the rest of a line, which should only be a comment.
  private mutating func finishLine(below column: Int) {
    let before = index
    skipBlanks()
    guard index < bytes.count, !isBreak(index), !isComment else { return }
    // A block has ended on its own line.
    let line = source.startOfLine(at: index)
    if bytes[line..<index].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
      index = before
      return
    }
    countError()
    skipLine()
  }

  private mutating func scalarOrFlow(below parent: Int, isInline: Bool) -> SyntaxNode {
    switch byte {
    case UInt8(ascii: "|"), UInt8(ascii: ">"): return block(below: parent)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted(below: parent)
    case UInt8(ascii: "["), UInt8(ascii: "{"): return flow()
    case UInt8(ascii: "*"): return alias()
    default:
      guard startsPlain(index) else {
        countError()
        return rest()
      }
      return plain(below: parent, isSingleLine: false)
    }
  }

  // MARK: Properties

  struct Properties {
    var anchor: String?
    var tag: String?
    var isEmpty: Bool { anchor == nil && tag == nil }
  }

  /// Accepts both in any order.
  mutating func properties() -> Properties {
    var found = Properties()
    while true {
      let start = index
      if byte == UInt8(ascii: "&"), found.anchor == nil {
        index += 1
        found.anchor = name()
      } else if byte == UInt8(ascii: "!"), found.tag == nil {
        while !isBlankOrEnd(index) { index += 1 }
        found.tag = source[start..<index]
      } else {
        return found
      }
      if found.anchor == "" { countError() }
      let end = index
      skipBlanks()
      if byte != UInt8(ascii: "&"), byte != UInt8(ascii: "!") {
        // A missing value directly follows the property.
        if isBlankOrEnd(index) || isComment { index = end }
        return found
      }
    }
  }

  mutating func alias() -> SyntaxNode {
    let start = index
    index += 1
    let name = name()
    if name.isEmpty { countError() }
    return SyntaxNode(.alias(name), start..<index)
  }

  private mutating func name() -> String {
    let start = index
    while let byte,
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "-")
    {
      index += 1
    }
    return source[start..<index]
  }

  // MARK: Brackets

  mutating func flow() -> SyntaxNode {
    depth += 1
    defer { depth -= 1 }
    let start = index
    guard depth <= Self.maximumDepth else {
      countError()
      index = bytes.count
      return .nothing(at: start)
    }
    let isMap = byte == UInt8(ascii: "{")
    let closer = isMap ? UInt8(ascii: "}") : UInt8(ascii: "]")
    let limit = isTolerant ? indentation(ofLineAt: start) : -1
    index += 1
    var items: [SyntaxNode] = []
    var pairs: [SyntaxNode.Pair] = []
    var end = index
    while true {
      skipInFlow()
      guard index < bytes.count, !isDocumentMarker(index), !isLeft(limit, since: start) else {
        countError()
        break
      }
      if byte == closer {
        index += 1
        end = index
        break
      }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        countError()
        if isTolerant { break }
        index += 1
        continue
      }
      if byte == UInt8(ascii: ",") {
        countError()
        index += 1
        continue
      }
      let begin = index
      let pair = flowPair(limit, start)
      end = max(end, pair.range.upperBound)
      if isMap {
        pairs.append(pair)
      } else if pair.colon != nil {
        items.append(
          SyntaxNode(.map([pair], isFlow: true), pair.range))
      } else {
        items.append(pair.key)
      }
      end = max(index, end)
      skipInFlow()
      if byte == UInt8(ascii: ",") {
        index += 1
        end = index
      } else if index < bytes.count, byte != closer {
        if !isLeft(limit, since: start), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") {
          countError()
        }
        if index == begin { index = source.next(index) }
      }
    }
    return SyntaxNode(
      isMap ? .map(pairs, isFlow: true) : .list(items, isFlow: true), start..<end)
  }

  /// Returns a single value as the key.
  private mutating func flowPair(_ limit: Int, _ opening: Int) -> SyntaxNode.Pair {
    let key = byte == UInt8(ascii: ":") ? SyntaxNode.nothing(at: index) : flowNode()
    let end = index
    skipInFlow()
    let isSameLine = source.startOfLine(at: end) == source.startOfLine(at: index)
    guard byte == UInt8(ascii: ":"), isSameLine || isTolerant, !isLeft(limit, since: opening) else {
      let place = index
      index = end
      return .init(key: key, colon: nil, value: .nothing(at: place))
    }
    let colon = index
    index += 1
    let after = index
    skipInFlow()
    if byte == nil || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
      || byte == UInt8(ascii: "]") || isLeft(limit, since: opening)
    {
      let place = byte == nil || isLeft(limit, since: opening) ? after : index
      if place == after { index = after }
      return .init(key: key, colon: colon, value: .nothing(at: place))
    }
    return .init(key: key, colon: colon, value: flowNode())
  }

  private mutating func flowNode() -> SyntaxNode {
    let start = index
    let properties = properties()
    skipInFlow()
    var node: SyntaxNode
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"): node = flow()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): node = quoted(below: -1, inFlow: true)
    case UInt8(ascii: "*"): node = alias()
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), nil:
      node = .nothing(at: index)
    default:
      if startsPlain(index) {
        node = plain(below: -1, isSingleLine: false, inFlow: true)
      } else {
        countError()
        let begin = index
        while index < bytes.count, !isBreak(index), !",]}".utf8.contains(bytes[index]) {
          index += 1
        }
        if index == begin { index = source.next(index) }
        node = SyntaxNode(.scalar(source[begin..<index], .plain), begin..<index)
      }
    }
    if !properties.isEmpty {
      node.start = start
      node.anchor = properties.anchor
      node.tag = properties.tag
    }
    return node
  }

  private mutating func skipInFlow() { skipToContent() }

  private func indentation(ofLineAt offset: Int) -> Int {
    var index = source.startOfLine(at: offset)
    let start = index
    while isBlank(index) { index += 1 }
    return index - start
  }

  /// Whether a later line begins with a key or an item at most as indented as the bracket's. Only
  /// tolerant parsing has a `limit`.
  private func isLeft(_ limit: Int, since opening: Int) -> Bool {
    guard isTolerant, limit >= 0, index < bytes.count else { return false }
    let line = source.startOfLine(at: index)
    guard line > opening, bytes[line..<index].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
      return false
    }
    return index - line <= limit && looksLikeBlock(index)
  }

  func looksLikeBlock(_ offset: Int) -> Bool {
    if isDash(offset) { return true }
    var index = offset
    while index < bytes.count, !isBreak(index), !"\"'{}[],#".utf8.contains(bytes[index]) {
      if bytes[index] == UInt8(ascii: ":"), isBlankOrEnd(index + 1) { return index > offset }
      index += 1
    }
    return false
  }
}
