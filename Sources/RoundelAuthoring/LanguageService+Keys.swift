// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
internal import KioskFile

package indirect enum KeyOwner: Hashable, Sendable {
  case kiosk
  case page(String)
  case control(String)
  case item(String, of: String)
  /// A map below another owner's keys, such as an action.
  case part(of: KeyOwner, path: [Step])

  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }
}

package struct KeyState: Sendable {
  package enum Input: Hashable, Sendable {
    case number(minimum: Double?, maximum: Double?, isWhole: Bool = false)
    case flag
    case choice([String])
    /// Hexadecimal digits, or one of these names.
    case color([String])
    case text([String] = [])
    case any
    /// A list or a map in YAML.
    case structure
  }

  package var name: String
  package var input: Input
  package var line: String?
  /// The source of the value, or nil if the key is missing.
  package var written: String?
  /// The value, or nil if it isn't a string.
  package var text: String?
  package var defaultText: String?
  package var isRequired: Bool
}

package struct EditRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension LanguageService {
  struct Owner {
    var name: String
    var document: Document
    var node: SyntaxNode
    var choices: [Schema.Choice]
    /// The list that contains the owner, or nil for a key's value or a file.
    var list: SyntaxNode?
  }

  private static let ownKeys: Set = ["for", "as", "if", "pages", "controls"]

  package func keys(of owner: KeyOwner, in kiosk: String) throws(EditRefusal) -> [KeyState] {
    let owner = try found(owner, kiosk)
    var seen: Set<String> = []
    return owner.choices.flatMap { choice in
      choice.keys.compactMap { key -> KeyState? in
        guard !Self.ownKeys.contains(key.name), seen.insert(key.name).inserted else { return nil }
        return state(of: key, choice, owner)
      }
    }
  }

  func state(of key: JSONValue.Member, _ choice: Schema.Choice, _ owner: Owner) -> KeyState {
    let value = owner.node[key.name]
    return KeyState(
      name: key.name, input: input(key.name, key.value, owner.document),
      line: line(about: key.name, choice, key.value, owner.document.kind),
      written: value.map { Self.dedented($0, owner.document.source) }, text: value?.text,
      defaultText: key.value["default"].flatMap {
        $0.string ?? ($0.number == nil && $0.bool == nil ? nil : $0.text)
      },
      isRequired: choice.required.contains(key.name))
  }

  /// The source of a value, whose lines begin at the column of the first one.
  private static func dedented(_ node: SyntaxNode, _ source: SourceFile) -> String {
    let text = source[node.range]
    guard node.isMap || node.isList, !node.isFlow, text.contains(where: \.isNewline) else {
      return text
    }
    let column = node.start - source.startOfLine(at: node.start)
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated().map { number, line in
        let indentation = line.prefix { $0 == " " }.count
        return String(line.dropFirst(number == 0 ? 0 : min(column, indentation)))
      }.joined(separator: "\n")
  }

  private func input(
    _ key: String, _ schema: JSONValue, _ document: Document
  ) -> KeyState.Input {
    let map = [Schema.Choice(schema: ["properties": .object([.init("probe", schema)])])]
    func choices(_ node: SyntaxNode) -> [Schema.Choice] {
      document.kind.schema.values(of: "probe", in: map, node)
    }
    let all = choices(SyntaxNode(.scalar("x", .plain), 0..<0))
    // The theme's colours come first.
    let colors = ["theme_color", "css_color"].flatMap { table in all.filter { $0.table == table } }
    if !colors.isEmpty {
      return .color(
        colors.flatMap { $0.schema["enum"]?.values ?? [] }.compactMap(\.string))
    }
    for choice in all {
      let types = choice.schema["type"]?.texts ?? []
      if let words = choice.schema["enum"]?.values {
        return .choice(words.map { $0.string ?? $0.text })
      }
      if types == ["boolean"] { return .flag }
      if types == ["number"] || types == ["integer"] {
        return .number(
          minimum: choice.schema["minimum"]?.number, maximum: choice.schema["maximum"]?.number,
          isWhole: types == ["integer"])
      }
      if types.contains("string") { return .text(likely(for: key, of: document)) }
    }
    return .structure
  }

  /// Returns files next to the kiosk, and its names.
  private func likely(for key: String, of document: Document) -> [String] {
    switch key {
    case "style": draft(document)?.styleNames ?? []
    case "theme": draft(document)?.themeNames ?? []
    default: files(for: key, of: document)
    }
  }

  private static let placeKeys = ["at", "size", "radius"]

  /// Sets or adds a key. Only the value's bytes change.
  package func edits(
    setting key: String, of owner: KeyOwner, to value: KeyValue, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let owner = try found(owner, kiosk)
    let source = owner.document.source
    if owner.node["cell"] != nil, Self.placeKeys.contains(key) {
      throw EditRefusal(
        "\(owner.name.quoted) is in a cell of the page's grid, which determines its position")
    }
    if case .source(let text) = value {
      if text.contains(where: \.isNewline) {
        return (owner.document.path, [try block(text, of: key, in: owner)])
      }
      guard Self.isOneValue(text) else {
        throw EditRefusal("\(text.quoted) is not a single value such as {key: value} or [1, 2]")
      }
    }
    guard let pair = owner.node.pair(key) else {
      return (owner.document.path, [addition(key, value.written(in: nil), to: owner)])
    }
    if case .point(let x, let y) = value, pair.value.items.count == 2 {
      let edits = zip(pair.value.items, [x, y]).compactMap { item, number -> TextEdit? in
        let text = JSONValue.number(number).text
        return source[item.range] == text ? nil : TextEdit(item.range, text)
      }
      return (owner.document.path, edits)
    }
    if case .alias = pair.value.content {
      throw EditRefusal("\(key.quoted) is an alias of another value; edit it in the source")
    }
    if pair.value.isMap || pair.value.isList, !pair.value.isFlow {
      guard case .source(let text) = value, let colon = pair.colon else {
        throw EditRefusal("\(key.quoted) spans several lines; edit it in the source")
      }
      return (
        owner.document.path, [TextEdit((colon + 1)..<pair.value.range.upperBound, " \(text)")]
      )
    }
    let text = value.written(in: pair.value.style)
    if case .nothing = pair.value.content {
      let place = pair.value.range.lowerBound
      return (owner.document.path, [TextEdit(place..<place, " \(text)")])
    }
    return (
      owner.document.path,
      source[pair.value.range] == text ? [] : [TextEdit(pair.value.range, text)]
    )
  }

  /// Writes a value of several lines below its key, and keeps the indentation of a former one.
  private func block(
    _ text: String, of key: String, in owner: Owner
  ) throws(EditRefusal) -> TextEdit {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    let tree = SyntaxTree(SourceFile(Array(lines.joined(separator: "\n").utf8)))
    guard tree.isWellFormed, tree.root.isMap || tree.root.isList, tree.root.anchor == nil else {
      throw EditRefusal("the lines are not a list or a map; indent related lines equally")
    }
    guard !owner.node.isFlow, let first = owner.node.pairs.first else {
      throw EditRefusal("\(owner.name.quoted) is in brackets; edit \(key.quoted) in the source")
    }
    let source = owner.document.source
    func column(_ node: SyntaxNode) -> Int { node.start - source.startOfLine(at: node.start) }
    let pair = owner.node.pair(key)
    if let node = pair?.value, node.isFlow, tree.root.isFlow {
      return Self.difference(source, node.range, lines.joined(separator: source.lineBreakText))
    }
    if let node = pair?.value, node.isMap || node.isList, !node.isFlow {
      let indent = source.lineBreakText + String(repeating: " ", count: column(node))
      let text = lines.enumerated().map { number, line in
        number == 0 ? "\(line)" : line.isEmpty ? source.lineBreakText : "\(indent)\(line)"
      }.joined()
      return Self.difference(source, node.range, text)
    }
    let indent =
      source.lineBreakText + String(repeating: " ", count: column(first.key) + 2)
    let new = lines.map { $0.isEmpty ? source.lineBreakText : "\(indent)\($0)" }.joined()
    guard let pair, let colon = pair.colon else {
      var edit = addition(key, "", to: owner)
      edit.text = edit.text.hasSuffix(" ") ? String(edit.text.dropLast()) : edit.text
      edit.text += new
      return edit
    }
    return TextEdit((colon + 1)..<max(colon + 1, pair.value.range.upperBound), new)
  }

  /// Replaces only the bytes of a range that differ from a text.
  package static func difference(_ source: SourceFile, _ range: Range<Int>, _ text: String)
    -> TextEdit
  {
    let (old, new) = (Array(source.bytes[range]), Array(text.utf8))
    var start = 0
    while start < min(old.count, new.count), old[start] == new[start] { start += 1 }
    var end = 0
    while end < min(old.count, new.count) - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
    }
    // Don't split a character.
    while start > 0, new[start...].first.map({ $0 & 0xc0 == 0x80 }) ?? false { start -= 1 }
    while start > 0, old[start...].first.map({ $0 & 0xc0 == 0x80 }) ?? false { start -= 1 }
    while end > 0, new[new.count - end] & 0xc0 == 0x80 { end -= 1 }
    return TextEdit(
      (range.lowerBound + start)..<(range.upperBound - end),
      String(decoding: new[start..<(new.count - end)], as: UTF8.self))
  }

  /// Whether one line is a single value, even within brackets.
  private static func isOneValue(_ text: String) -> Bool {
    let tree = SyntaxTree(SourceFile(Array("[\(text)]".utf8)))
    guard tree.isWellFormed, !text.contains(where: \.isNewline), tree.root.items.count == 1 else {
      return false
    }
    let value = tree.root.items[0]
    return value.start == 1 && value.range.upperBound == 1 + text.utf8.count
      && (value.text != nil || value.isFlow && (text.hasPrefix("[") || text.hasPrefix("{")))
  }

  package func edits(
    removing key: String, of owner: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let owner = try found(owner, kiosk)
    let pairs = owner.node.pairs
    guard let index = pairs.firstIndex(where: { $0.key.text == key }) else {
      return (owner.document.path, [])
    }
    guard !owner.choices.contains(where: { $0.required.contains(key) }), pairs.count > 1 else {
      throw EditRefusal("\(owner.name.quoted) needs \(key.quoted)")
    }
    let source = owner.document.source
    let pair = pairs[index]
    let range: Range<Int>
    if index == 0 {
      range = pair.key.start..<pairs[1].key.start
    } else if owner.node.isFlow {
      range = pairs[index - 1].range.upperBound..<pair.range.upperBound
    } else {
      // Includes the line break or, at the end of the file, the previous one.
      let (start, end) = (
        source.startOfLine(at: pair.key.start), source.endOfLine(at: pair.range.upperBound)
      )
      range =
        end < source.bytes.count
        ? start..<(end + source.lineBreak(at: end))
        : source.endOfLine(at: pairs[index - 1].range.upperBound)..<end
    }
    return (owner.document.path, [TextEdit(range, "")])
  }

  func addition(_ key: String, _ text: String, to owner: Owner) -> TextEdit {
    let source = owner.document.source
    let pairs = owner.node.pairs
    if owner.node.isFlow, let last = pairs.last {
      let end = last.range.upperBound
      return TextEdit(end..<end, ", \(key): \(text)")
    }
    guard let first = pairs.first else {
      let end = owner.node.range.upperBound
      return TextEdit(end..<end, "\(key): \(text)")
    }
    // After the leading keys that fit on a line, so that related keys stay together.
    let plain = pairs.prefix { source.endOfLine(at: $0.key.start) >= $0.range.upperBound }
    let end = source.endOfLine(at: (plain.last ?? first).range.upperBound)
    let column = first.key.start - source.startOfLine(at: first.key.start)
    let lineBreak = end < source.bytes.count && source.bytes[end] == 13 ? "\r\n" : "\n"
    return TextEdit(
      end..<end, lineBreak + String(repeating: " ", count: column) + "\(key): \(text)")
  }

  func found(_ owner: KeyOwner, _ kiosk: String) throws(EditRefusal) -> Owner {
    switch owner {
    case .kiosk:
      guard let document = workspace.document(kiosk), document.tree.root.isMap else {
        throw EditRefusal("the kiosk has no keys")
      }
      let level = cursor(document, document.tree, at: 0).levels[0]
      return Owner(name: "kiosk", document: document, node: level.node, choices: level.choices)
    case .page(let name): return try map(of: .page(name), kiosk)
    case .control(let id): return try map(of: .control(id), kiosk)
    case .item(let item, let id):
      let control = try map(of: .control(id), kiosk)
      guard let part = try? map(of: .item(item, of: id), kiosk),
        part.document.path == control.document.path
      else {
        throw EditRefusal("\(item.quoted) is not an editable item of \(id.quoted)")
      }
      return part
    case .part(let outer, let path):
      var owner = try found(outer, kiosk)
      for step in path { owner = try part(step, of: owner) }
      return owner
    }
  }

  private func part(_ step: KeyOwner.Step, of owner: Owner) throws(EditRefusal) -> Owner {
    let schema = owner.document.kind.schema
    var part = owner
    switch step {
    case .key(let key):
      guard let value = owner.node[key] else {
        throw EditRefusal("\(owner.name.quoted) has no \(key.quoted)")
      }
      part.node = value
      part.choices = schema.values(of: key, in: owner.choices, value)
      part.name = key
      part.list = nil
    case .index(let index):
      guard owner.node.items.indices.contains(index) else {
        throw EditRefusal("\(owner.name.quoted) has fewer elements")
      }
      part.node = owner.node.items[index]
      part.choices = schema.items(of: owner.choices, part.node)
      part.list = owner.node
    }
    if case .alias(let name) = part.node.content {
      throw EditRefusal("\(part.name.quoted) is an alias of &\(name); edit it in the source")
    }
    return part
  }

  private func map(of symbol: Symbol, _ kiosk: String) throws(EditRefusal) -> Owner {
    guard let place = workspace.index(kiosk)?.occurrences[symbol]?.first(where: \.isDeclaration),
      let document = workspace.document(place.location.path)
    else { throw EditRefusal("there is no \(symbol.kind) \(symbol.name.quoted)") }
    guard !place.isGenerated else {
      let line = document.source.mark(at: place.location.range.lowerBound).line
      throw EditRefusal(
        "\(symbol.name.quoted) is repeated by the \"for\" on line \(line); edit it in the source")
    }
    let cursor = cursor(document, document.tree, at: place.location.range.lowerBound)
    guard let index = cursor.levels.lastIndex(where: \.node.isMap) else {
      throw EditRefusal("\(symbol.name.quoted) is not in a map")
    }
    let level = cursor.levels[index]
    let outer = index > 0 ? cursor.levels[index - 1].node : nil
    return Owner(
      name: symbol.name, document: document, node: level.node, choices: level.choices,
      list: outer?.isList == true ? outer : nil)
  }

  package func place(of symbol: Symbol, in kiosk: String) -> Location? {
    workspace.index(kiosk)?.occurrences[symbol]?.first(where: \.isDeclaration)?.location
  }
}

package enum KeyValue: Hashable, Sendable {
  case number(Double)
  case flag(Bool)
  case text(String)
  /// The source of a value on one line.
  case source(String)
  /// Two numbers, as in `at`.
  case point(Double, Double)

  /// Writes YAML with the quotes of the replaced value.
  package func written(in style: SyntaxNode.Style?) -> String {
    switch self {
    case .number(let number): return JSONValue.number(number).text
    case .source(let text): return text
    case .flag(let flag): return flag ? "true" : "false"
    case .point(let x, let y):
      return "[\(JSONValue.number(x).text), \(JSONValue.number(y).text)]"
    case .text(let text):
      if style == .singleQuoted, !text.contains(where: { $0 == "\n" || $0 == "\t" }) {
        let doubled = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(doubled.joined(separator: "''"))'"
      }
      if style != .doubleQuoted, LanguageService.isPlain(text) { return text }
      // JSON strings are also YAML strings.
      return JSONValue.string(text).text
    }
  }
}
