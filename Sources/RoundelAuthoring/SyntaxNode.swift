// SPDX-License-Identifier: MIT

package import RoundelDeclarations

/// A node of a file's syntax tree. Only white space, comments and punctuation are between nodes.
package struct SyntaxNode: Sendable {
  package enum Style: Hashable, Sendable {
    case plain, singleQuoted, doubleQuoted, block
  }

  package enum Content: Sendable {
    /// A missing value.
    case nothing
    case scalar(String, Style)
    case alias(String)
    case list([SyntaxNode], isFlow: Bool)
    case map([Pair], isFlow: Bool)
  }

  package struct Pair: Sendable {
    package var key: SyntaxNode
    /// The colon's offset, or nil if missing, for example while typing.
    package var colon: Int?
    package var value: SyntaxNode

    package var range: Range<Int> {
      key.start..<max(key.range.upperBound, colon.map { $0 + 1 } ?? 0, value.range.upperBound)
    }
  }

  package var content: Content
  /// Includes quotes and brackets, but not the anchor and the tag.
  package var range: Range<Int>
  /// Includes the anchor and the tag.
  package var start: Int
  package var anchor: String?
  package var tag: String?

  package init(
    _ content: Content, _ range: Range<Int>, start: Int? = nil, anchor: String? = nil,
    tag: String? = nil
  ) {
    self.content = content
    self.range = range
    self.start = start ?? range.lowerBound
    self.anchor = anchor
    self.tag = tag
  }

  package static func nothing(at place: Int) -> SyntaxNode { SyntaxNode(.nothing, place..<place) }

  package var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  package var style: Style? {
    if case .scalar(_, let style) = content { style } else { nil }
  }

  package var pairs: [Pair] {
    if case .map(let pairs, _) = content { pairs } else { [] }
  }

  package var items: [SyntaxNode] {
    if case .list(let items, _) = content { items } else { [] }
  }

  package var isMap: Bool { if case .map = content { true } else { false } }
  package var isList: Bool { if case .list = content { true } else { false } }

  package var isFlow: Bool {
    switch content {
    case .list(_, let isFlow), .map(_, let isFlow): isFlow
    default: false
    }
  }

  package subscript(key: String) -> SyntaxNode? { pairs.first { $0.key.text == key }?.value }

  package func pair(_ key: String) -> Pair? { pairs.first { $0.key.text == key } }
}

/// A file's syntax tree. If part of the text isn't YAML, the rest is still parsed.
package struct SyntaxTree: Sendable {
  package let source: SourceFile
  package let root: SyntaxNode
  /// Whether the whole file is in the subset of YAML that kiosk files use.
  package let isWellFormed: Bool

  package init(_ source: SourceFile) {
    self.source = source
    var parser = SyntaxParser(source, isTolerant: false)
    let strict = parser.document()
    if parser.errorCount == 0 {
      (root, isWellFormed) = (strict, true)
    } else {
      // An unclosed quote must not affect the rest of the file.
      parser = SyntaxParser(source, isTolerant: true)
      (root, isWellFormed) = (parser.document(), false)
    }
  }

  /// Converts the tree without aliases. Returns nil for an empty file.
  package func node(file: Int = 0) -> Node? {
    if case .nothing = root.content { return nil }
    var anchors: [String: Node] = [:]
    var weight = 0
    return convert(root, file, &anchors, &weight)
  }

  private func convert(
    _ node: SyntaxNode, _ file: Int, _ anchors: inout [String: Node], _ weight: inout Int
  ) -> Node {
    let mark = source.mark(at: node.start, file: file)
    weight += 1
    // The reader rejects larger files.
    guard weight <= Assembly.maximumNodes else { return .unknown(at: mark) }
    let made: Node
    switch node.content {
    case .nothing: made = Node(.scalar("", isPlain: node.tag != "!!str"), at: mark)
    case .scalar(let text, let style):
      made = Node(.scalar(text, isPlain: style == .plain && node.tag != "!!str"), at: mark)
    case .alias(let name):
      guard let known = anchors[name] else { return .unknown(at: mark) }
      weight += known.weight - 1
      return known
    case .list(let items, _):
      made = Node(.list(items.map { convert($0, file, &anchors, &weight) }), at: mark)
    case .map(let pairs, _):
      var seen: Set<String> = []
      var all: [Node.Pair] = []
      for pair in pairs {
        let key = convert(pair.key, file, &anchors, &weight)
        let value = convert(pair.value, file, &anchors, &weight)
        guard case .scalar(let name, let isPlain) = key.content, !(name == "<<" && isPlain),
          seen.insert(name).inserted
        else { continue }
        all.append(Node.Pair(key: name, keyMark: key.mark, value: value))
      }
      made = Node(.map(all), at: mark)
    }
    if let anchor = node.anchor { anchors[anchor] = made }
    return made
  }
}
