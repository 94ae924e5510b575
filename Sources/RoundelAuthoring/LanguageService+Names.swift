// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk
internal import KioskFile

package struct RenameRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension LanguageService {
  package func symbol(_ path: String, at offset: Int) -> (symbol: Symbol, range: Range<Int>)? {
    found(path, at: offset).map { ($0.symbol, $0.occurrence.location.range) }
  }

  private func found(
    _ path: String, at offset: Int
  ) -> (index: NameIndex, symbol: Symbol, occurrence: Occurrence)? {
    guard let kiosk = workspace.kiosk(of: path), let index = workspace.index(kiosk),
      let (symbol, occurrence) = index.symbol(at: offset, in: path)
    else { return nil }
    return (index, symbol, occurrence)
  }

  /// Returns the declarations of a name, or the file named at the offset.
  package func definitions(_ path: String, at offset: Int) -> [Location] {
    if let file = file(path, at: offset) { return [Location(path: file, range: 0..<0)] }
    guard let (index, symbol, _) = found(path, at: offset) else { return [] }
    return (index.occurrences[symbol] ?? []).filter(\.isDeclaration).map(\.location)
  }

  /// Returns the uses of a name, optionally with its declarations.
  package func references(
    _ path: String, at offset: Int, withDeclarations: Bool = true
  ) -> [Location] {
    guard let (index, symbol, _) = found(path, at: offset) else { return [] }
    return (index.occurrences[symbol] ?? []).filter { withDeclarations || !$0.isDeclaration }
      .map(\.location).sorted { ($0.path, $0.range.lowerBound) < ($1.path, $1.range.lowerBound) }
  }

  private func file(_ path: String, at offset: Int) -> String? {
    guard let document = workspace.document(path), document.kind != .recording else { return nil }
    let cursor = cursor(document, document.tree, at: offset)
    guard let key = cursor.last.key, let name = cursor.scalar?.text, case .value = cursor.slot
    else { return nil }
    let isFile = key == "include" || key == "kiosk" && document.kind == .suite
    guard isFile else { return nil }
    let file = Workspace.resolve(name, from: path)
    return workspace.document(file) == nil ? nil : file
  }

  /// Returns edits by file.
  package func rename(
    _ path: String, at offset: Int, to name: String
  ) throws(RenameRefusal) -> [String: [TextEdit]] {
    guard let (index, symbol, _) = found(path, at: offset) else {
      throw RenameRefusal("there is no name here that can be renamed")
    }
    if case .theme(let theme) = symbol,
      !(index.occurrences[symbol]?.contains(where: \.isDeclaration) ?? false)
    {
      throw RenameRefusal("the theme \(theme.quoted) is built in")
    }
    if let reason = Self.refusal(name, for: symbol) { throw RenameRefusal(reason) }
    guard workspace.kiosk(of: path).flatMap({ workspace.draft($0) })?.isComplete == true else {
      throw RenameRefusal("an included file, or the list of a \"for\", is missing")
    }
    guard name != symbol.name else { return [:] }
    guard index.occurrences[symbol.named(name)]?.contains(where: \.isDeclaration) != true else {
      throw RenameRefusal("there is a \(symbol.kind) \(name.quoted) already")
    }
    let all = index.occurrences[symbol] ?? []
    if let generated = all.first(where: \.isGenerated),
      let document = workspace.document(generated.location.path)
    {
      let line = document.source.mark(at: generated.location.range.lowerBound).line
      throw RenameRefusal(
        "\(symbol.name.quoted) comes from a \"for\" on line \(line) of \(generated.location.path)")
    }
    return Dictionary(grouping: all, by: \.location.path).mapValues { places in
      places.map { Self.edit($0, to: name) }
        .sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
  }

  static func edit(_ place: Occurrence, to name: String) -> TextEdit {
    TextEdit(place.location.range, written(name, as: place.notation))
  }

  private static func refusal(_ name: String, for symbol: Symbol) -> String? {
    func isWord(_ name: String) -> Bool {
      guard let first = name.utf8.first, !first.isDigit else { return false }
      return name.utf8.allSatisfy(\.continuesIdentifier)
    }
    guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      return "a name needs at least one character, and must be on one line"
    }
    switch symbol {
    case .value, .text:
      if !isWord(name) {
        return "\(name.quoted) contains characters other than letters, digits and _"
      }
      if case .value = symbol, Names.reserved.contains(name) { return "\(name.quoted) is reserved" }
    case .control, .item:
      if name.contains(where: { "./{}=$`\"\\".contains($0) }) {
        return "an id cannot contain . / { } = $ ` \" \\"
      }
    case .page, .style, .theme:
      if name.contains(where: { "{}$\"\\".contains($0) }) {
        return "a name cannot contain { } $ \" \\"
      }
    }
    return nil
  }

  private static func written(_ name: String, as notation: Occurrence.Notation) -> String {
    switch notation {
    case .part: name
    case .expression(let isQuoted): isQuoted ? name : identifier(name)
    case .scalar(.plain): isPlain(name) ? name : "\"\(name)\""
    case .scalar(.singleQuoted):
      name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
    case .scalar: name
    }
  }

  /// Whether a string never needs quotes in a file.
  package static func isPlain(_ text: String) -> Bool {
    let words = ["true", "false", "yes", "no", "on", "off", "null"]
    guard let first = text.unicodeScalars.first, !words.contains(text.lowercased()),
      first.properties.isAlphabetic || first == "_"
    else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" || $0 == " "
    } && !text.hasSuffix(" ")
  }

  // MARK: Hover

  /// Returns Markdown and its range.
  package func hover(_ path: String, at offset: Int) -> (text: String, range: Range<Int>)? {
    guard let document = workspace.document(path) else { return nil }
    if document.kind == .recording { return recordingHover(document, offset) }
    if let function = function(document, at: offset) { return function }
    let cursor = cursor(document, document.tree, at: offset)
    // A declared key needs no slow lookup of names.
    if !isKey(cursor), let found = found(path, at: offset),
      let text = described(found.symbol, path)
    {
      return (text, found.occurrence.location.range)
    }
    guard let scalar = cursor.scalar,
      scalar.range.contains(offset)
        || scalar.range.upperBound == offset
    else { return nil }
    let level: Cursor.Level
    let key: String
    switch cursor.slot {
    case .key(let number):
      level = cursor.last
      guard let name = level.node.pairs[number].key.text else { return nil }
      key = name
    case .value:
      guard let place = cursor.levels.lastIndex(where: { $0.key != nil }), place > 0,
        let name = cursor.levels[place].key
      else { return nil }
      level = cursor.levels[place - 1]
      key = name
    }
    for choice in level.choices {
      guard let schema = choice.schema["properties"]?[key] else { continue }
      if choice.table == "control" || choice.table == key,
        let summary = document.kind.reference.summary(key)
      {
        return ("**\(key)**: \(summary)", scalar.range)
      }
      if let line = line(about: key, choice, schema, document.kind) {
        return (line, scalar.range)
      }
      if let line = document.kind.reference[sectionOfEvents(cursor), key] {
        return (line, scalar.range)
      }
    }
    return nil
  }

  private func sectionOfEvents(_ cursor: Cursor) -> String {
    cursor.levels.reversed().lazy.compactMap { $0.node.pairs.first?.key.text }
      .first { KioskDraft.controlTypes.contains($0) } ?? "kiosk"
  }

  /// Whether the cursor is on a declared key, not on a name such as in `texts`.
  private func isKey(_ cursor: Cursor) -> Bool {
    guard case .key(let number) = cursor.slot, let key = cursor.last.node.pairs[number].key.text
    else { return false }
    return cursor.last.choices.contains { $0.schema["properties"]?[key] != nil }
  }

  private func described(_ symbol: Symbol, _ path: String) -> String? {
    guard let kiosk = workspace.kiosk(of: path), let draft = workspace.draft(kiosk) else {
      return nil
    }
    let name = "`\(symbol.name)`"
    switch symbol {
    case .control(let id):
      let type = draft.controls.first { $0.id == id }?.type ?? ""
      let summary = FileKind.kiosk.reference.summary(type) ?? ""
      return "\(type.isEmpty ? "control" : type) \(name)\n\n\(summary)"
    case .item(_, let control): return "item \(name) of `\(control)`"
    case .value(let value):
      let kind = draft.kind(ofValue: value).map { ": \($0)" } ?? ""
      return "value \(name)\(kind)" + source(of: symbol, path)
    case .text: return "text \(name)" + source(of: symbol, path)
    case .page, .style, .theme: return "\(symbol.kind) \(name)" + source(of: symbol, path)
    }
  }

  private func source(of symbol: Symbol, _ path: String) -> String {
    guard let kiosk = workspace.kiosk(of: path), let index = workspace.index(kiosk),
      let place = index.occurrences[symbol]?.first(where: \.isDeclaration)?.location,
      let document = workspace.document(place.path)
    else { return "" }
    let start = document.source.startOfLine(at: place.range.lowerBound)
    let line = document.source[start..<document.source.endOfLine(at: start)]
    return "\n\n```yaml\n\(line.drop { $0 == " " })\n```"
  }

  private func function(_ document: Document, at offset: Int) -> (text: String, range: Range<Int>)?
  {
    let cursor = cursor(document, document.tree, at: offset)
    guard case .value = cursor.slot, let scalar = cursor.scalar, let style = scalar.style else {
      return nil
    }
    let isExpression = cursor.last.key == "when" || cursor.last.key == "that"
    let tokens = NameScanner.names(
      in: document.source.bytes, scalar.inner, style: style, isExpression: isExpression)
    for token in tokens {
      guard let part = token.parts.last, part.range.contains(offset) else { continue }
      let name = token.parts.map(\.text).joined(separator: ".")
      let functions = token.isCall ? FunctionSummary.all : []
      let summary =
        functions.first { $0.name == name } ?? functions.first { $0.name == part.text }
      if let summary { return ("`\(summary.signature)`: \(summary.summary)", part.range) }
      if token.root == .variable, token.parts.count == 1 {
        return ("`\(part.text)`: the variable of a macro", part.range)
      }
      if token.root != .name || token.parts.count > 1,
        let sample = sample(of: part.range.upperBound, document)
      {
        return ("member `\(part.text)`: \(sample.kind)", part.range)
      }
      let builtIn = [
        "now": "the wall clock", "uptime": "seconds since the start",
        "language": "the current language", "page": "the name of the current page",
      ]
      if token.parts.count == 1, let text = builtIn[part.text] {
        return ("`\(part.text)`: \(text)", part.range)
      }
    }
    return nil
  }

  private func recordingHover(
    _ document: Document, _ offset: Int
  ) -> (text: String, range: Range<Int>)? {
    let bytes = document.source.bytes
    var start = min(max(offset, 0), bytes.count)
    var end = start
    while start > 0, NameScanner.isLetter(bytes[start - 1]) { start -= 1 }
    while end < bytes.count, NameScanner.isLetter(bytes[end]) { end += 1 }
    return ReferenceText.recordings["recordings", document.source[start..<end]].map {
      ($0, start..<end)
    }
  }
}
