// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelJSON

extension LanguageServer {
  typealias Answer = (LanguageServer) -> (JSONValue) throws(Refusal) -> JSONValue

  static var methods: [String: Answer] {
    [
      "textDocument/completion": completion, "textDocument/hover": hover,
      "textDocument/definition": definition, "textDocument/references": references,
      "textDocument/documentHighlight": highlights, "textDocument/prepareRename": prepareRename,
      "textDocument/rename": rename, "textDocument/documentSymbol": symbols,
      "textDocument/foldingRange": foldings, "textDocument/selectionRange": selections,
      "textDocument/documentColor": colors, "textDocument/colorPresentation": presentations,
      "textDocument/codeAction": actions, "textDocument/formatting": formatting,
    ]
  }

  private func file(_ parameters: JSONValue) throws(Refusal) -> Document {
    guard let uri = parameters["textDocument"]?["uri"]?.string else {
      throw .invalidParameters("\"textDocument\" is missing (expected {\"uri\": …})")
    }
    guard let document = workspace.document(FileURI.path(of: uri)) else {
      throw .invalidParameters("\(uri.quoted) is not open")
    }
    return document
  }

  private func place(
    _ parameters: JSONValue
  ) throws(Refusal) -> (document: Document, offset: Int) {
    let document = try file(parameters)
    guard let position = parameters["position"].flatMap({ TextPosition($0) }) else {
      throw .invalidParameters("\"position\" is missing (expected {\"line\": …, \"character\": …})")
    }
    return (document, document.source.offset(of: position))
  }

  // MARK: Positions

  private func completion(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let (document, offset) = try place(parameters)
    let found = service.completions(document.path, at: offset)
    let span = TextSpan(found.range, in: document.source).json
    let items = found.items.enumerated().map { number, item in
      let digits = String(number)
      var members: [JSONValue.Member] = [
        .init("label", .string(item.label)), .init("kind", .number(item.kind.code)),
        .init(
          "sortText", .string(String(repeating: "0", count: 6 - min(digits.count, 6)) + digits)),
        .init("filterText", .string(item.label)),
        .init("textEdit", ["range": span, "newText": .string(item.text)]),
      ]
      if let detail = item.detail { members.append(.init("detail", .string(detail))) }
      if let text = item.documentation {
        members.append(.init("documentation", ["kind": "markdown", "value": .string(text)]))
      }
      return JSONValue.object(members)
    }
    return ["isIncomplete": false, "items": .array(items)]
  }

  private func hover(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let (document, offset) = try place(parameters)
    guard let found = service.hover(document.path, at: offset) else { return .null }
    return [
      "contents": [
        "kind": abilities.hasMarkdown ? "markdown" : "plaintext", "value": .string(found.text),
      ],
      "range": TextSpan(found.range, in: document.source).json,
    ]
  }

  private func location(_ location: Location) -> JSONValue {
    let span = workspace.document(location.path).map { TextSpan(location.range, in: $0.source) }
    let start = TextPosition(line: 0, column: 0)
    return [
      "uri": .string(uri(of: location.path)),
      "range": (span ?? TextSpan(start: start, end: start)).json,
    ]
  }

  private func definition(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let (document, offset) = try place(parameters)
    return .array(service.definitions(document.path, at: offset).map(location))
  }

  private func references(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let (document, offset) = try place(parameters)
    let withDeclarations = parameters["context"]?["includeDeclaration"]?.bool ?? true
    return .array(
      service.references(document.path, at: offset, withDeclarations: withDeclarations)
        .map(location))
  }

  private func highlights(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let (document, offset) = try place(parameters)
    return .array(
      service.references(document.path, at: offset).filter { $0.path == document.path }.map {
        ["range": TextSpan($0.range, in: document.source).json]
      })
  }

  private func prepareRename(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let (document, offset) = try place(parameters)
    guard let (symbol, range) = service.symbol(document.path, at: offset) else { return .null }
    return [
      "range": TextSpan(range, in: document.source).json, "placeholder": .string(symbol.name),
    ]
  }

  private func rename(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let (document, offset) = try place(parameters)
    guard let name = parameters["newName"]?.string else {
      throw .invalidParameters("\"newName\" is missing")
    }
    let edits: [String: [TextEdit]]
    do throws(RenameRefusal) {
      edits = try service.rename(document.path, at: offset, to: name)
    } catch {
      throw .failed(error.description)
    }
    return ["changes": .object(edits.sorted { $0.key < $1.key }.map { member($0.key, $0.value) })]
  }

  private func member(_ path: String, _ edits: [TextEdit]) -> JSONValue.Member {
    .init(uri(of: path), workspace.document(path).map { json(edits, in: $0) } ?? [])
  }

  private func json(_ edits: [TextEdit], in document: Document) -> JSONValue {
    .array(
      edits.map {
        [
          "range": TextSpan($0.range, in: document.source).json, "newText": .string($0.text),
        ]
      })
  }

  // MARK: Files

  private func symbols(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let document = try file(parameters)
    let entries = service.outline(document.path)
    guard abilities.nestsSymbols else {
      func flat(_ entry: OutlineEntry, _ container: String?) -> [JSONValue] {
        var members: [JSONValue.Member] = [
          .init("name", .string(entry.name)), .init("kind", .number(entry.kind.code)),
          .init("location", location(Location(path: document.path, range: entry.range))),
        ]
        if let container { members.append(.init("containerName", .string(container))) }
        return [.object(members)] + entry.children.flatMap { flat($0, entry.name) }
      }
      return .array(entries.flatMap { flat($0, nil) })
    }
    func nested(_ entry: OutlineEntry) -> JSONValue {
      var members: [JSONValue.Member] = [
        .init("name", .string(entry.name)), .init("kind", .number(entry.kind.code)),
        .init("range", TextSpan(entry.range, in: document.source).json),
        .init("selectionRange", TextSpan(entry.nameRange, in: document.source).json),
        .init("children", .array(entry.children.map(nested))),
      ]
      if let detail = entry.detail { members.append(.init("detail", .string(detail))) }
      return .object(members)
    }
    return .array(entries.map(nested))
  }

  private func foldings(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let document = try file(parameters)
    var lines: Set<Int> = []
    return .array(
      service.foldings(document.path).compactMap { range in
        let span = TextSpan(range, in: document.source)
        guard lines.insert(span.start.line).inserted else { return nil }
        return [
          "startLine": .number(Double(span.start.line)), "endLine": .number(Double(span.end.line)),
        ]
      })
  }

  private func selections(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let document = try file(parameters)
    guard case .array(let positions)? = parameters["positions"] else {
      throw .invalidParameters("\"positions\" is missing")
    }
    return .array(
      positions.compactMap { TextPosition($0) }.map { position in
        let ranges = service.selections(document.path, at: document.source.offset(of: position))
        return ranges.reversed().reduce(JSONValue.null) { outer, range in
          var members: [JSONValue.Member] = [
            .init("range", TextSpan(range, in: document.source).json)
          ]
          if outer != .null { members.append(.init("parent", outer)) }
          return .object(members)
        }
      })
  }

  private func colors(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let document = try file(parameters)
    return .array(
      service.colors(document.path).map { place in
        func share(_ value: UInt8) -> JSONValue { .number(Double(value) / 255) }
        let color = place.color
        return [
          "range": TextSpan(place.range, in: document.source).json,
          "color": [
            "red": share(color.red), "green": share(color.green), "blue": share(color.blue),
            "alpha": share(color.alpha),
          ],
        ]
      })
  }

  private func presentations(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let document = try file(parameters)
    guard let span = parameters["range"].flatMap({ TextSpan($0) }), let color = parameters["color"]
    else { throw .invalidParameters("\"color\" and \"range\" are missing") }
    func channel(_ name: String) -> UInt8 {
      UInt8((min(max(color[name]?.number ?? 0, 0), 1) * 255).rounded())
    }
    let new = Color(
      red: channel("red"), green: channel("green"), blue: channel("blue"),
      alpha: color["alpha"] == nil ? 255 : channel("alpha"))
    let edits = service.presentations(
      document.path, of: new, at: span.offsets(in: document.source))
    return .array(
      edits.map { edit in
        [
          "label": .string(edit.text),
          "textEdit": [
            "range": TextSpan(edit.range, in: document.source).json, "newText": .string(edit.text),
          ],
        ]
      })
  }

  private func actions(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let document = try file(parameters)
    guard let span = parameters["range"].flatMap({ TextSpan($0) }) else {
      throw .invalidParameters("\"range\" is missing")
    }
    if case .array(let only)? = parameters["context"]?["only"],
      !only.contains(where: { "quickfix".hasPrefix($0.string ?? "?") })
    {
      return []
    }
    var found: [JSONValue] = []
    for diagnostic in allDiagnostics(in: document.path) {
      let own = service.span(of: diagnostic, in: document.path)
      guard own.start <= span.end, span.start <= own.end else { continue }
      for repair in service.repairs(of: diagnostic, in: document.path) {
        found.append([
          "title": .string(repair.title), "kind": "quickfix",
          "diagnostics": [lspDiagnostic(diagnostic, in: document.path)],
          "edit": ["changes": .object([member(document.path, repair.edits)])],
        ])
      }
    }
    return .array(found)
  }

  private func formatting(_ parameters: JSONValue) throws(Refusal) -> JSONValue {
    let document = try file(parameters)
    return json(service.formatting(document.path), in: document)
  }
}

extension Completion.Kind {
  /// The protocol's `CompletionItemKind`.
  fileprivate var code: Double {
    switch self {
    case .key: 10
    case .word: 20
    case .color: 16
    case .file: 17
    case .function: 3
    case .event: 23
    case .name(let kind): ["page": 9, "control": 7, "item": 5, "style": 22][kind] ?? 6
    }
  }
}

extension OutlineEntry.Kind {
  /// The protocol's `SymbolKind`.
  fileprivate var code: Double {
    switch self {
    case .file: 3
    case .page: 2
    case .control: 5
    case .item: 8
    case .value: 13
    case .text: 15
    case .style: 23
    case .theme: 10
    case .test: 12
    }
  }
}
