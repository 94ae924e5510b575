// SPDX-License-Identifier: MIT

package import RoundelDeclarations
internal import RoundelJSON
internal import KioskFile

package struct Repair: Hashable, Sendable {
  package var title: String
  package var edits: [TextEdit]
}

extension LanguageService {
  package func repairs(of diagnostic: Diagnostic, in path: String) -> [Repair] {
    guard let document = workspace.document(path) else { return [] }
    let place = document.source.offset(of: Mark(line: diagnostic.line, column: diagnostic.column))
    let (what, meant) = Self.parts(of: diagnostic.message)
    if let meant { return replacement(what, meant, document, place).map { [$0] } ?? [] }
    if diagnostic.message.hasPrefix("missing key "), let key = Self.quotes(in: what).first {
      return missing(key, document, place).map { [$0] } ?? []
    }
    if what.contains("needs quotes") || diagnostic.message.contains("needs quotes") {
      return [quotes(document, place)].compactMap(\.self)
    }
    return []
  }

  private static func parts(of message: String) -> (what: String, meant: String?) {
    guard let range = message.firstRange(of: "did you mean \"") else {
      return (String(message.split(separator: " (expected").first ?? ""), nil)
    }
    let what = message[..<range.lowerBound].split(separator: " (").first.map(String.init) ?? ""
    let meant = message[range.upperBound...].prefix { $0 != "\"" }
    return (what, meant.contains("…") || meant.contains("\\") ? nil : String(meant))
  }

  private static func quotes(in text: String) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private func replacement(
    _ what: String, _ meant: String, _ document: Document, _ place: Int
  ) -> Repair? {
    guard let node = document.scalars[place] else { return nil }
    let text = document.source[node.inner]
    for wrong in Self.quotes(in: what).reversed() where !wrong.isEmpty {
      guard let found = text.utf8.firstRange(of: wrong.utf8) else { continue }
      let start =
        node.inner.lowerBound + text.utf8.distance(from: text.startIndex, to: found.lowerBound)
      return Repair(
        title: "Change \(wrong.quoted) to \(meant.quoted)",
        edits: [TextEdit(start..<(start + wrong.utf8.count), meant)])
    }
    // The message mentions the key and not the value, such as `cotain`.
    guard !text.isEmpty, !text.contains("{") else { return nil }
    return Repair(
      title: "Change \(text.quoted) to \(meant.quoted)", edits: [TextEdit(node.inner, meant)])
  }

  /// Adds a missing key, with a value to edit.
  private func missing(_ key: String, _ document: Document, _ place: Int) -> Repair? {
    let cursor = cursor(document, document.tree, at: place)
    guard
      let level = cursor.levels.last(where: { $0.node.start == place && $0.node.isMap })
        ?? cursor.levels.last(where: { $0.node.isMap }),
      let last = level.node.pairs.last, let first = level.node.pairs.first
    else { return nil }
    let schema = level.choices.lazy.compactMap { $0.schema["properties"]?[key] }.first
    let value = schema.map { sample($0, document) } ?? "\"\""
    let title = "Add \(key.quoted)"
    if level.node.isFlow {
      return Repair(
        title: title,
        edits: [TextEdit(last.range.upperBound..<last.range.upperBound, ", \(key): \(value)")])
    }
    let source = document.source
    let column = first.key.start - source.startOfLine(at: first.key.start)
    // The first key identifies the map's type.
    let end = source.endOfLine(at: first.range.upperBound)
    let isLastOfLine = first.range.upperBound <= end
    guard isLastOfLine else { return nil }
    let place =
      first.value.isMap || first.value.isList ? source.endOfLine(at: last.range.upperBound) : end
    return Repair(
      title: title,
      edits: [
        TextEdit(place..<place, "\n\(String(repeating: " ", count: column))\(key): \(value)")
      ])
  }

  private func sample(_ schema: JSONValue, _ document: Document) -> String {
    let nodes: [(SyntaxNode, String)] = [
      (SyntaxNode(.list([], isFlow: true), 0..<0), "[]"),
      (SyntaxNode(.map([], isFlow: true), 0..<0), "{}"),
    ]
    let probe: JSONValue = ["properties": .object([.init("probe", schema)])]
    let map = [Schema.Choice(schema: probe)]
    let scalars = document.kind.schema.values(
      of: "probe", in: map, SyntaxNode(.scalar("", .plain), 0..<0))
    for choice in scalars {
      if let word = choice.schema["enum"]?.values.first { return word.string ?? word.text }
      let types = choice.schema["type"]?.texts ?? []
      if types.contains("string") { return choice.schema["minLength"] == nil ? "\"\"" : "name" }
      if types.contains("number") || types.contains("integer") {
        return JSONValue.number(choice.schema["minimum"]?.number ?? 0).text
      }
      if types.contains("boolean") { return "true" }
    }
    for (node, text) in nodes {
      for choice in document.kind.schema.values(of: "probe", in: map, node)
      where choice.schema["type"]?.string == (text == "[]" ? "array" : "object") {
        guard text == "[]", choice.schema["maxItems"]?.number == 2 else { return text }
        return "[100, 100]"
      }
    }
    return "\"\""
  }

  private func quotes(_ document: Document, _ place: Int) -> Repair? {
    let bytes = document.source.bytes
    let line = document.source.endOfLine(at: place)
    let start = document.source.startOfLine(at: place)
    // Within brackets, the text ends before a closing bracket or a comma.
    var depth = 0
    for byte in bytes[start..<place] {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
    }
    var end = place
    var inner = 0
    while end < line {
      let byte = bytes[end]
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { inner += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        if depth > 0, inner == 0 { break }
        inner -= 1
      }
      if depth > 0, inner <= 0, byte == UInt8(ascii: ",") { break }
      if byte == UInt8(ascii: "#"), end > place, bytes[end - 1] == 0x20 { break }
      end += 1
    }
    while end > place, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    guard end > place else { return nil }
    let text = document.source[place..<end]
    let escaped = text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : String($1) }
    return Repair(
      title: "Put quotes around it", edits: [TextEdit(place..<end, "\"\(escaped)\"")])
  }
}

extension LanguageService {
  /// Returns the scalar at an error's position, or the word, or one character.
  package func place(of diagnostic: Diagnostic, in document: Document) -> Range<Int> {
    let source = document.source
    let start = source.offset(of: Mark(line: diagnostic.line, column: diagnostic.column))
    let line = source.endOfLine(at: start)
    if document.kind == .recording { return source.startOfLine(at: start)..<line }
    if let node = document.scalars[start], node.range.upperBound <= line, !node.range.isEmpty {
      return node.range
    }
    var end = start
    while end < line, NameScanner.isPartOfWord(source.bytes[end]) { end += 1 }
    return start..<(end > start ? end : min(source.next(start), max(line, start)))
  }
}
