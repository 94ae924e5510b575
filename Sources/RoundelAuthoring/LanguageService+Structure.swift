// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
package import RoundelDrawing
internal import RoundelJSON
internal import KioskFile

package struct OutlineEntry: Sendable {
  package enum Kind: Sendable {
    case file, page, control, item, value, text, style, theme, test
  }

  package var name: String
  package var detail: String?
  package var kind: Kind
  package var range: Range<Int>
  package var nameRange: Range<Int>
  package var children: [OutlineEntry] = []
}

package struct ColorPlace: Hashable, Sendable {
  package var range: Range<Int>
  package var color: Color
}

extension LanguageService {
  // MARK: Outline

  package func outline(_ path: String) -> [OutlineEntry] {
    guard let document = workspace.document(path), document.kind != .recording else { return [] }
    let root = document.tree.root
    switch document.kind {
    case .suite: return tests(root)
    default:
      var found: [OutlineEntry] = []
      if root.isList { found += controls(root) }
      for pair in root.pairs {
        switch pair.key.text {
        case "pages":
          found += pair.value.items.compactMap { page in
            named("page", in: page, .page).map { entry in
              var entry = entry
              entry.children = page["controls"].map { self.controls($0) } ?? []
              return entry
            }
          }
        case "controls": found += controls(pair.value)
        case "values": found += entries(pair, .value)
        case "texts": found += entries(pair, .text)
        case "styles": found += entries(pair, .style)
        case "themes": found += entries(pair, .theme)
        default: break
        }
      }
      return found
    }
  }

  private func named(
    _ key: String, in map: SyntaxNode, _ kind: OutlineEntry.Kind, detail: String? = nil
  ) -> OutlineEntry? {
    guard let name = map[key], let text = name.text, !text.isEmpty else { return nil }
    return OutlineEntry(
      name: text, detail: detail, kind: kind, range: map.start..<map.range.upperBound,
      nameRange: name.range)
  }

  private func entries(_ pair: SyntaxNode.Pair, _ kind: OutlineEntry.Kind) -> [OutlineEntry] {
    let maps = pair.value.isList ? pair.value.items : [pair.value]
    let children = maps.flatMap(\.pairs).compactMap { pair -> OutlineEntry? in
      guard let name = pair.key.text, !name.isEmpty else { return nil }
      return OutlineEntry(name: name, kind: kind, range: pair.range, nameRange: pair.key.range)
    }
    guard let name = pair.key.text, !children.isEmpty else { return [] }
    return [
      OutlineEntry(
        name: name, kind: .file, range: pair.range, nameRange: pair.key.range, children: children)
    ]
  }

  private func controls(_ list: SyntaxNode) -> [OutlineEntry] {
    list.items.compactMap { control in
      guard let type = control.pairs.first?.key.text else { return nil }
      var entry = named(type, in: control, .control, detail: type)
      entry?.children = items(control)
      return entry
    }
  }

  private func items(_ node: SyntaxNode) -> [OutlineEntry] {
    node.pairs.filter { $0.key.text != "on" }.flatMap { pair in
      pair.value.items.compactMap { item in
        var entry = named("id", in: item, .item, detail: item["label"]?.text)
        entry?.children = items(item)
        return entry
      }
    }
  }

  private func tests(_ root: SyntaxNode) -> [OutlineEntry] {
    (root["tests"]?.items ?? []).compactMap { named("test", in: $0, .test) }
  }

  // MARK: Folding and selection

  /// Returns nodes with several lines, outer nodes first, and comments with several lines.
  package func foldings(_ path: String) -> [Range<Int>] {
    guard let document = workspace.document(path), document.kind != .recording else { return [] }
    var found: [Range<Int>] = []
    func add(_ range: Range<Int>) {
      let source = document.source
      if source.startOfLine(at: range.lowerBound) < source.startOfLine(at: range.upperBound) {
        found.append(range)
      }
    }
    func visit(_ node: SyntaxNode) {
      for item in node.items {
        add(item.start..<item.range.upperBound)
        visit(item)
      }
      for pair in node.pairs {
        add(pair.range)
        visit(pair.value)
      }
    }
    visit(document.tree.root)
    return found + comments(document)
  }

  private func comments(_ document: Document) -> [Range<Int>] {
    let bytes = document.source.bytes
    var found: [Range<Int>] = []
    var first: Int?
    var last = 0
    var index = 0
    while index < bytes.count {
      let end = document.source.endOfLine(at: index)
      let text = bytes[index..<end].first { $0 != 0x20 && $0 != 0x09 }
      if text == UInt8(ascii: "#") {
        first = first ?? index
        last = end
      } else if let begin = first {
        if document.source.startOfLine(at: last) > begin { found.append(begin..<last) }
        first = nil
      }
      index = max(end + document.source.lineBreak(at: end), index + 1)
    }
    return found
  }

  /// Returns nested ranges, starting with the innermost.
  package func selections(_ path: String, at offset: Int) -> [Range<Int>] {
    guard let document = workspace.document(path) else { return [] }
    var found: [Range<Int>] = [0..<document.source.bytes.count]
    func visit(_ node: SyntaxNode) {
      let range = node.start..<node.range.upperBound
      guard range.contains(offset) || range.upperBound == offset else { return }
      found.append(range)
      if node.text != nil, node.inner != node.range { found.append(node.inner) }
      for item in node.items { visit(item) }
      for pair in node.pairs
      where pair.range.contains(offset) || pair.range.upperBound == offset {
        found.append(pair.range)
        visit(pair.key)
        visit(pair.value)
      }
    }
    visit(document.tree.root)
    // An offset between two ranges may be in both.
    var nested: [Range<Int>] = []
    for range in found where nested.last.map({ $0 != range && $0.contains(range) }) ?? true {
      nested.append(range)
    }
    return nested.reversed()
  }

  // MARK: Colours

  /// The keys with colours as values, in addition to keys that end in `color`.
  private static let colorKeys: Set<String> = [
    "background", "accent", "surface", "muted", "track", "press", "highlight",
  ]

  package func colors(_ path: String) -> [ColorPlace] {
    guard let document = workspace.document(path), document.kind != .recording else { return [] }
    var found: [ColorPlace] = []
    func visit(_ node: SyntaxNode, _ key: String) {
      if let text = node.text {
        let isKey = key.hasSuffix("color") || Self.colorKeys.contains(key)
        if text.hasPrefix("#") || isKey, let color = Color(css: text),
          node.style != .plain || !text.hasPrefix("#")
        {
          found.append(ColorPlace(range: node.range, color: color))
        }
      }
      for item in node.items { visit(item, key) }
      for pair in node.pairs { visit(pair.value, pair.key.text ?? "") }
    }
    visit(document.tree.root, "")
    return found
  }

  package func presentations(_ path: String, of color: Color, at range: Range<Int>) -> [TextEdit] {
    guard let document = workspace.document(path) else { return [] }
    let quote: Character = document.source[range].first == "'" ? "'" : "\""
    var texts = ["\(quote)\(color.hex)\(quote)"]
    texts += Color.named.filter { $0.value == color }.keys.sorted().prefix(1)
    return texts.map { TextEdit(range, $0) }
  }

  // MARK: Format

  /// Removes trailing white space and empty lines, except in text with several lines.
  package func formatting(_ path: String) -> [TextEdit] {
    guard let document = workspace.document(path), document.kind != .recording else { return [] }
    let source = document.source
    var texts: [Range<Int>] = []
    for node in document.scalars.values
    where source.startOfLine(at: node.range.lowerBound)
      < source.startOfLine(at: node.range.upperBound)
    {
      texts.append(node.range)
    }
    var edits: [TextEdit] = []
    var index = 0
    while index < source.bytes.count {
      let end = source.endOfLine(at: index)
      var start = end
      while start > index, source.bytes[start - 1] == 0x20 || source.bytes[start - 1] == 0x09 {
        start -= 1
      }
      if start < end, !texts.contains(where: { $0.lowerBound < start && start <= $0.upperBound }) {
        edits.append(TextEdit(start..<end, ""))
      }
      index = end + max(source.lineBreak(at: end), 1)
    }
    return edits
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
