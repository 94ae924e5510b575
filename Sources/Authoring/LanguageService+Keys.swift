// SPDX-License-Identifier: MIT

internal import Declarations
internal import JSON
internal import KioskFile

/// A key of a control or of one of its items, as it may be changed.
package struct KeyState: Sendable {
  package enum Input: Hashable, Sendable {
    case number(minimum: Double?, maximum: Double?)
    case flag
    case choice([String])
    case color
    case text
    /// A list or a map, which is changed in the file.
    case structure
  }

  package var name: String
  package var input: Input
  /// The line of the reference.
  package var line: String?
  /// The bytes of its value as they stand in the file; nil where it is left out.
  package var written: String?
  /// Its text, where it is one.
  package var text: String?
  package var defaultText: String?
  package var isRequired: Bool
}

/// Why a key cannot be changed where it stands.
package struct EditRefusal: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension LanguageService {
  /// A control, or one of its items, and where it stands.
  private struct Owner {
    var document: Document
    var node: SyntaxNode
    var choices: [Schema.Choice]
  }

  /// The keys of a control, or of one of its items: those that the file has, and those that it may have.
  package func keys(
    ofControl id: String, item: String? = nil, in kiosk: String
  ) throws(EditRefusal) -> [KeyState] {
    let owner = try owner(id, item, kiosk)
    var seen: Set<String> = []
    return owner.choices.flatMap { choice in
      choice.keys.compactMap { key -> KeyState? in
        guard !["for", "as", "if", "on"].contains(key.name), seen.insert(key.name).inserted else {
          return nil
        }
        let value = owner.node[key.name]
        return KeyState(
          name: key.name, input: input(key.value, owner.document),
          line: line(about: key.name, choice, key.value, owner.document.kind),
          written: value.map { owner.document.source[$0.range] }, text: value?.text,
          defaultText: key.value["default"].flatMap {
            $0.string ?? ($0.number == nil && $0.bool == nil ? nil : $0.text)
          },
          isRequired: choice.required.contains(key.name))
      }
    }
  }

  private func input(_ schema: JSONValue, _ document: Document) -> KeyState.Input {
    let map = [Schema.Choice(schema: ["properties": .object([.init("probe", schema)])])]
    func choices(_ node: SyntaxNode) -> [Schema.Choice] {
      document.kind.schema.values(of: "probe", in: map, node)
    }
    let all = choices(SyntaxNode(.scalar("x", .plain), 0..<0))
    if all.contains(where: { $0.table == "color" || $0.table == "theme_color" }) { return .color }
    for choice in all {
      let types = choice.schema["type"]?.texts ?? []
      if let words = choice.schema["enum"]?.values {
        return .choice(words.map { $0.string ?? $0.text })
      }
      if types == ["boolean"] { return .flag }
      if types == ["number"] || types == ["integer"] {
        return .number(
          minimum: choice.schema["minimum"]?.number, maximum: choice.schema["maximum"]?.number)
      }
      if types.contains("string") { return .text }
    }
    return .structure
  }

  /// What a control's `cell` stands for.
  private static let placeKeys = ["at", "size", "radius"]

  /// The changes that give a key of a control, or of one of its items, another value, which is written as in YAML:
  /// only its bytes change, or it is added.
  package func edits(
    setting key: String, of id: String, item: String? = nil, to value: KeyValue, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let owner = try owner(id, item, kiosk)
    let source = owner.document.source
    if owner.node["cell"] != nil, Self.placeKeys.contains(key) {
      throw EditRefusal("\(id.quoted) stands in a cell of the page's grid, which gives its place")
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
      throw EditRefusal("\(key.quoted) is an alias of another value")
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

  private func addition(_ key: String, _ text: String, to owner: Owner) -> TextEdit {
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
    // Behind the last key of one line from the first on, so that what belongs together stays so.
    let plain = pairs.prefix { source.endOfLine(at: $0.key.start) >= $0.range.upperBound }
    let end = source.endOfLine(at: (plain.last ?? first).range.upperBound)
    let column = first.key.start - source.startOfLine(at: first.key.start)
    let lineBreak = end < source.bytes.count && source.bytes[end] == 13 ? "\r\n" : "\n"
    return TextEdit(
      end..<end, lineBreak + String(repeating: " ", count: column) + "\(key): \(text)")
  }

  /// Finds where a control is declared.
  private func owner(_ id: String, _ item: String?, _ kiosk: String) throws(EditRefusal) -> Owner {
    guard let index = workspace.index(kiosk),
      let place = index.occurrences[.control(id)]?.first(where: \.isDeclaration),
      let document = workspace.document(place.location.path)
    else { throw EditRefusal("there is no control \(id.quoted)") }
    guard !place.isGenerated else {
      let line = document.source.mark(at: place.location.range.lowerBound).line
      throw EditRefusal("\(id.quoted) is one of several that a \"for\" makes, in line \(line)")
    }
    let cursor = cursor(document, document.tree, at: place.location.range.lowerBound)
    guard let level = cursor.levels.last(where: \.node.isMap) else {
      throw EditRefusal("\(id.quoted) does not stand in a map")
    }
    guard let item else {
      return Owner(document: document, node: level.node, choices: level.choices)
    }
    guard let own = index.occurrences[.item(item, of: id)]?.first(where: \.isDeclaration),
      own.location.path == document.path, !own.isGenerated
    else { throw EditRefusal("\(item.quoted) is no item of \(id.quoted) that can be changed here") }
    let inner = self.cursor(document, document.tree, at: own.location.range.lowerBound)
    guard let part = inner.levels.last(where: \.node.isMap) else {
      throw EditRefusal("\(item.quoted) does not stand in a map")
    }
    return Owner(document: document, node: part.node, choices: part.choices)
  }

  /// The bytes of a control in the file; nil where there is none.
  package func place(ofControl id: String, in kiosk: String) -> Location? {
    workspace.index(kiosk)?.occurrences[.control(id)]?.first(where: \.isDeclaration)?.location
  }
}

/// A value that a key is given.
package enum KeyValue: Hashable, Sendable {
  case number(Double)
  case flag(Bool)
  case text(String)
  /// Two numbers, as of `at`.
  case point(Double, Double)

  /// As it stands in a file, in the quotes of the value that was there.
  func written(in style: SyntaxNode.Style?) -> String {
    switch self {
    case .number(let number): return JSONValue.number(number).text
    case .flag(let flag): return flag ? "true" : "false"
    case .point(let x, let y):
      return "[\(JSONValue.number(x).text), \(JSONValue.number(y).text)]"
    case .text(let text):
      if style == .singleQuoted, !text.contains(where: { $0 == "\n" || $0 == "\t" }) {
        let doubled = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(doubled.joined(separator: "''"))'"
      }
      if style != .doubleQuoted, LanguageService.isPlain(text) { return text }
      // JSON's texts are YAML's.
      return JSONValue.string(text).text
    }
  }
}
