// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import Kiosk
internal import KioskFile

package enum Symbol: Hashable, Sendable {
  case page(String)
  case control(String)
  case item(String, of: String)
  case value(String)
  case text(String)
  case style(String)
  case theme(String)

  package var name: String {
    switch self {
    case .page(let name), .control(let name), .item(let name, _), .value(let name),
      .text(let name), .style(let name), .theme(let name):
      name
    }
  }

  package var kind: String {
    switch self {
    case .page: "page"
    case .control: "control"
    case .item: "item"
    case .value: "value"
    case .text: "text"
    case .style: "style"
    case .theme: "theme"
    }
  }

  func named(_ name: String) -> Symbol {
    switch self {
    case .page: .page(name)
    case .control: .control(name)
    case .item(_, let control): .item(name, of: control)
    case .value: .value(name)
    case .text: .text(name)
    case .style: .style(name)
    case .theme: .theme(name)
    }
  }
}

package struct Location: Hashable, Sendable {
  package var path: String
  /// The range in bytes.
  package var range: Range<Int>

  package init(path: String, range: Range<Int>) {
    self.path = path
    self.range = range
  }
}

/// A use or a declaration of a name.
struct Occurrence: Hashable {
  enum Notation: Hashable {
    case scalar(SyntaxNode.Style)
    /// A part such as the item in `menu/tea`.
    case part
    /// A part of an expression's name, optionally in backquotes.
    case expression(isQuoted: Bool)
  }

  var location: Location
  var isDeclaration: Bool
  var notation: Notation
  /// Whether the name contains a `$name`, which a `for` fills in.
  var isGenerated: Bool
}

/// The names of a kiosk in its file, in included files, and in the suites that test it.
final class NameIndex {
  private(set) var occurrences: [Symbol: [Occurrence]] = [:]
  private var seen: Set<Entry> = []
  private struct Entry: Hashable {
    var symbol: Symbol
    var occurrence: Occurrence
  }

  private unowned let workspace: Workspace
  private let paths: [String]
  private var pages: Set<String> = []
  private var controls: Set<String> = []
  private var items: [String: Set<String>] = [:]
  private var values: Set<String> = []
  private var texts: Set<String> = []
  private var themes: Set<String> = []

  init(_ draft: KioskDraft, in workspace: Workspace) {
    self.workspace = workspace
    paths = draft.filePaths
    pages = Set(draft.pageNames)
    values = Set(draft.valueNames)
    texts = Set(draft.textNames)
    themes = Set(draft.themeNames)
    if let root = draft.root {
      learn(root)
      kiosk(root)
    }
    for suite in paths.first.map(workspace.suites(of:)) ?? [] {
      guard let document = workspace.document(suite), let root = document.tree.node() else {
        continue
      }
      current = document
      steps(root)
      current = nil
    }
  }

  /// Returns the shortest occurrence.
  func symbol(at offset: Int, in path: String) -> (Symbol, Occurrence)? {
    var best: (Symbol, Occurrence)?
    for (symbol, all) in occurrences {
      for occurrence in all
      where occurrence.location.path == path
        && occurrence.location.range.lowerBound <= offset
        && offset <= occurrence.location.range.upperBound
        && (best.map {
          $0.1.location.range.count > occurrence.location.range.count
            || $0.1.location.range.count == occurrence.location.range.count
              && "\($0.0)" > "\(symbol)"
        } ?? true)
      {
        best = (symbol, occurrence)
      }
    }
    return best
  }

  // MARK: Locations

  /// The current suite, or nil for the kiosk.
  private var current: Document?

  private func document(_ mark: Mark) -> Document? {
    current ?? (paths.indices.contains(mark.file) ? workspace.document(paths[mark.file]) : nil)
  }

  private func scalar(at mark: Mark) -> (Document, SyntaxNode)? {
    guard let document = document(mark) else { return nil }
    return document.scalars[document.source.offset(of: mark)].map { (document, $0) }
  }

  private func add(
    _ symbol: Symbol, _ document: Document, _ range: Range<Int>, _ notation: Occurrence.Notation,
    isDeclaration: Bool = false, isGenerated: Bool = false
  ) {
    let occurrence = Occurrence(
      location: Location(path: document.path, range: range), isDeclaration: isDeclaration,
      notation: notation, isGenerated: isGenerated)
    if seen.insert(Entry(symbol: symbol, occurrence: occurrence)).inserted {
      occurrences[symbol, default: []].append(occurrence)
    }
  }

  private func whole(_ symbol: Symbol, at mark: Mark, isDeclaration: Bool = false) {
    guard let (document, node) = scalar(at: mark), let style = node.style else { return }
    add(
      symbol, document, node.inner, .scalar(style), isDeclaration: isDeclaration,
      isGenerated: node.text != symbol.name)
  }

  // MARK: Declarations

  /// Runs before any references are resolved.
  private func learn(_ root: Node) {
    for page in root["pages"]?.items ?? [] {
      for control in page["controls"]?.items ?? [] {
        guard let id = control.pairs.first?.value.text else { continue }
        controls.insert(id)
        learnItems(control, of: id)
      }
    }
  }

  private func learnItems(_ node: Node, of control: String) {
    for pair in node.pairs where pair.key != "on" {
      for item in pair.value.items {
        if let id = item["id"]?.text { items[control, default: []].insert(id) }
        learnItems(item, of: control)
      }
    }
  }

  // MARK: Kiosk

  private func kiosk(_ root: Node) {
    for pair in root.pairs {
      switch pair.key {
      case "pages": pair.value.items.forEach(page)
      case "values": declarations(pair.value) { .value($0) }
      case "texts": declarations(pair.value) { .text($0) }
      case "styles": declarations(pair.value) { .style($0) }
      case "themes": declarations(pair.value) { .theme($0) }
      case "theme":
        if let name = pair.value.text, !pair.value.hasBrace {
          whole(.theme(name), at: pair.value.mark)
        }
        literals(in: pair.value, themes) { .theme($0) }
        templates(pair.value)
      case "on", "keys": pair.value.pairs.forEach { actions($0.value) }
      case "reactions": reactions(pair.value)
      default: templates(pair.value)
      }
    }
  }

  private func declarations(_ node: Node, _ symbol: (String) -> Symbol) {
    let maps = node.kind == .list ? node.items : [node]
    for pair in maps.flatMap(\.pairs) {
      whole(symbol(pair.key), at: pair.keyMark, isDeclaration: true)
      templates(pair.value)
    }
  }

  private func page(_ node: Node) {
    for pair in node.pairs {
      switch pair.key {
      case "page":
        if let name = pair.value.text {
          whole(.page(name), at: pair.value.mark, isDeclaration: true)
        }
      case "controls": pair.value.items.forEach(control)
      case "swipe": pair.value.pairs.forEach { destination($0.value) }
      case "on", "keys": pair.value.pairs.forEach { actions($0.value) }
      case "focus", "encoder": controlName(pair.value)
      case "reactions": reactions(pair.value)
      default: templates(pair.value)
      }
    }
  }

  private func controlName(_ node: Node) {
    if let id = node.text, controls.contains(id) { whole(.control(id), at: node.mark) }
  }

  private func control(_ node: Node) {
    guard let first = node.pairs.first, let id = first.value.text else { return }
    whole(.control(id), at: first.value.mark, isDeclaration: true)
    object(Array(node.pairs.dropFirst()), of: id)
  }

  private func object(_ pairs: [Node.Pair], of control: String) {
    for pair in pairs {
      switch pair.key {
      case "style":
        if let name = pair.value.text { whole(.style(name), at: pair.value.mark) }
      case "on": pair.value.pairs.forEach { actions($0.value) }
      case "id":
        if let id = pair.value.text {
          whole(.item(id, of: control), at: pair.value.mark, isDeclaration: true)
        }
      default: value(pair.value, of: control)
      }
    }
  }

  private func value(_ node: Node, of control: String) {
    switch node.content {
    case .scalar: templates(node)
    case .list(let items): items.forEach { value($0, of: control) }
    case .map(let pairs): object(pairs, of: control)
    }
  }

  // MARK: Actions

  private func reactions(_ node: Node) {
    for reaction in node.items {
      if let condition = reaction["when"] { expression(condition) }
      if let list = reaction["do"] { actions(list) }
    }
  }

  private func actions(_ node: Node) {
    for action in node.items {
      for pair in action.pairs {
        if pair.key == "when" {
          expression(pair.value)
        } else {
          command(pair)
        }
      }
    }
  }

  /// Returns false if the key isn't a command.
  @discardableResult
  private func command(_ pair: Node.Pair) -> Bool {
    guard let kind = CommandKind.named(pair.key) else { return false }
    switch kind.notation {
    case .pairs: settings(pair.value)
    case .fields: templates(pair.value)
    case .plain:
      // The first argument may be alone.
      let isWhole = kind.parameters.count == 1 || pair.value.kind == .scalar
      for (index, parameter) in kind.parameters.enumerated() {
        let node = !isWhole ? pair.value[parameter.member] : index == 0 ? pair.value : nil
        guard let node else { continue }
        switch parameter.referent {
        case .page, .overPage: destination(node)
        case .control, .controls:
          controlName(node)
        case .nothing, .property, .program, .sound: templates(node)
        }
      }
    }
    return true
  }

  private func settings(_ node: Node) {
    for setting in node.pairs {
      if setting.key.contains("{") {
        names(
          in: Node(.scalar(setting.key, isPlain: false), at: setting.keyMark), isExpression: false)
      } else {
        property(setting.key, at: setting.keyMark)
      }
      if setting.key == "theme", let name = setting.value.text, themes.contains(name) {
        whole(.theme(name), at: setting.value.mark)
      }
      templates(setting.value)
    }
  }

  private func destination(_ node: Node) {
    if let name = node.text, pages.contains(name) { whole(.page(name), at: node.mark) }
    literals(in: node, pages) { .page($0) }
    templates(node)
  }

  /// Accepts names such as `cups`, `order.text` or `menu.tea.label`.
  private func property(_ name: String, at mark: Mark) {
    guard let (document, node) = scalar(at: mark), let style = node.style else { return }
    if values.contains(name) {
      return add(
        .value(name), document, node.inner, .scalar(style), isGenerated: node.text != name)
    }
    parts(name.split(separator: ".").map(String.init), UInt8(ascii: "."), document, node)
  }

  private func parts(
    _ parts: [String], _ separator: UInt8, _ document: Document, _ node: SyntaxNode
  ) {
    guard let control = parts.first, controls.contains(control), let style = node.style else {
      return
    }
    let bytes = document.source.bytes[node.inner]
    let end = bytes.firstIndex(of: separator) ?? bytes.endIndex
    let isWhole = end == bytes.endIndex
    let head = bytes.startIndex..<end
    add(
      .control(control), document, head, isWhole ? .scalar(style) : .part,
      isGenerated: document.source[head] != control)
    guard parts.count > 1, !isWhole, items[control]?.contains(parts[1]) == true else { return }
    let rest = bytes[(end + 1)...]
    let tail = (end + 1)..<(rest.firstIndex(of: separator) ?? bytes.endIndex)
    add(
      .item(parts[1], of: control), document, tail, .part,
      isGenerated: document.source[tail] != parts[1])
  }

  // MARK: Expressions

  private func templates(_ node: Node) {
    switch node.content {
    case .scalar:
      if node.hasBrace { names(in: node, isExpression: false) }
    case .list(let items): items.forEach(templates)
    case .map(let pairs): pairs.forEach { templates($0.value) }
    }
  }

  /// Finds names in string literals of expressions, such as `{late ? 'night' : 'day'}`.
  private func literals(in node: Node, _ names: Set<String>, _ symbol: (String) -> Symbol) {
    guard node.hasBrace, let (document, written) = scalar(at: node.mark) else { return }
    let bytes = document.source.bytes
    let isQuote = { (byte: UInt8) in byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }
    var quotes = written.inner.filter { isQuote(bytes[$0]) }
    while quotes.count > 1 {
      let start = quotes.removeFirst() + 1
      // A backslash before the closing quote belongs to the file's own quotes.
      let end = bytes[quotes[0] - 1] == UInt8(ascii: "\\") ? quotes[0] - 1 : quotes[0]
      guard start < end else { continue }
      let name = document.source[start..<end]
      if names.contains(name) { add(symbol(name), document, start..<end, .part) }
    }
  }

  private func expression(_ node: Node) {
    if node.kind == .scalar { names(in: node, isExpression: true) }
  }

  private func names(in node: Node, isExpression: Bool) {
    guard let (document, written) = scalar(at: node.mark), let style = written.style else { return }
    let tokens = NameScanner.names(
      in: document.source.bytes, written.inner, style: style, isExpression: isExpression,
      isProperty: isProperty)
    let actual =
      written.text == node.text
      ? nil
      : node.text.map { text in
        NameScanner.names(
          in: Array(text.utf8), 0..<text.utf8.count, style: .plain, isExpression: isExpression,
          isProperty: isProperty)
      }
    for token in tokens {
      guard let actual, token.parts.contains(where: { $0.text.contains("$") }) else {
        name(token.parts.map(\.text), token, document)
        continue
      }
      for candidate in actual where candidate.parts.count == token.parts.count {
        let fits = zip(candidate.parts, token.parts).allSatisfy {
          $0.text == $1.text || $1.text.contains("$")
        }
        if fits { name(candidate.parts.map(\.text), token, document) }
      }
    }
  }

  private func isProperty(_ parts: [String]) -> Bool {
    guard controls.contains(parts[0]), parts.last?.utf8.allSatisfy(NameScanner.isLetter) == true
    else { return false }
    return parts.count == 2 || items[parts[0]]?.contains(parts[1]) == true
  }

  private func name(_ parts: [String], _ token: NameToken, _ document: Document) {
    func record(_ symbol: Symbol, _ index: Int) {
      let part = token.parts[index]
      add(
        symbol, document, part.range, .expression(isQuoted: part.isQuoted),
        isGenerated: part.text != symbol.name)
    }
    let count = token.isCall ? parts.count - 1 : parts.count
    guard count > 0, token.root == .name else { return }
    if parts[0] == "texts", count > 1, texts.contains(parts[1]) {
      record(.text(parts[1]), 1)
    } else if count > 1, controls.contains(parts[0]) {
      record(.control(parts[0]), 0)
      if items[parts[0]]?.contains(parts[1]) == true { record(.item(parts[1], of: parts[0]), 1) }
    } else if values.contains(parts[0]) {
      record(.value(parts[0]), 0)
    }
  }

  // MARK: Suites

  private static let targets: Set<String> = ["tap", "press", "from", "to", "around", "region"]

  private func steps(_ node: Node) {
    for item in node.items { steps(item) }
    for pair in node.pairs {
      switch pair.key {
      case "for", "suite", "test", "tags", "kiosk": break
      case "control", "item", "event":
        if pair.key == "control", let id = pair.value.text, controls.contains(id) {
          whole(.control(id), at: pair.value.mark)
        } else if pair.key == "item", let id = pair.value.text,
          let control = node["control"]?.text, items[control]?.contains(id) == true
        {
          whole(.item(id, of: control), at: pair.value.mark)
        }
      case "page": destination(pair.value)
      case "that": expression(pair.value)
      case _ where Self.targets.contains(pair.key) && pair.value.kind == .scalar:
        guard let text = pair.value.text, let (document, written) = scalar(at: pair.value.mark)
        else { break }
        let names = text.split(separator: "/", maxSplits: 1).map(String.init)
        parts(names, UInt8(ascii: "/"), document, written)
      case _ where command(pair): break
      default:
        property(pair.key, at: pair.keyMark)
        steps(pair.value)
      }
    }
  }
}
