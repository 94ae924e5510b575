// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk
internal import KioskFile
internal import RoundelSession

package struct Completion: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case key, word, color, file, function, event, name(String)
  }

  package var label: String
  package var kind: Kind
  package var detail: String?
  /// The text in Markdown.
  package var documentation: String?
  package var text: String
}

/// The completions for a range of bytes.
package struct Completions: Sendable {
  package var range: Range<Int>
  package var items: [Completion] = []
}

extension LanguageService {
  /// A word inserted at the cursor. No file contains it.
  private static let placeholder = "ROUNDEL_PLACE"

  package func completions(_ path: String, at offset: Int) -> Completions {
    guard let document = workspace.document(path) else { return Completions(range: 0..<0) }
    let bytes = document.source.bytes
    let offset = min(max(offset, 0), bytes.count)
    if document.kind == .recording { return recordingCompletions(document, offset) }
    var marked = document.source
    marked.replace(offset..<offset, with: Self.placeholder)
    let tree = SyntaxTree(marked)
    let cursor = cursor(document, tree, at: offset)
    guard let scalar = cursor.scalar, let text = scalar.text,
      text.contains(Self.placeholder)
    else { return Completions(range: offset..<offset) }
    // The placeholder moves later columns.
    let start = scalar.range.lowerBound
    let place = CompletionPlace(
      document: document, offset: offset, cursor: cursor, scalar: scalar,
      start: scalar.style == .plain ? start : start + 1,
      head: document.source[start..<offset])
    var found = items(place)
    found.items = found.items.map { item in
      var item = item
      item.text = quoted(item, place)
      return item
    }
    return found
  }

  private struct CompletionPlace {
    var document: Document
    var offset: Int
    var cursor: Cursor
    var scalar: SyntaxNode
    /// The scalar's beginning, after the quote.
    var start: Int
    /// The scalar's text before the cursor, including a quote.
    var head: String
  }

  private func items(_ place: CompletionPlace) -> Completions {
    let bytes = place.document.source.bytes
    if let name = parameterStart(place) {
      return Completions(
        range: name..<wordEnd(bytes, place.offset), items: parameters(place))
    }
    if let scanner = expression(place) { return expression(scanner, place) }
    let end = scalarEnd(place)
    switch place.cursor.slot {
    case .key(let number):
      return Completions(range: place.start..<end, items: keys(place, number))
    case .value:
      var found = Completions(range: place.start..<end, items: values(place))
      // A new map may begin here.
      if found.items.isEmpty || place.cursor.last.choices.contains(where: { !$0.keys.isEmpty }) {
        found.items += keys(place, nil)
      }
      return found
    }
  }

  private func scalarEnd(_ place: CompletionPlace) -> Int {
    let bytes = place.document.source.bytes
    if place.scalar.style == .plain { return wordEnd(bytes, place.offset) }
    let quote = bytes[min(place.start - 1, bytes.count - 1)]
    var end = place.offset
    while end < bytes.count, bytes[end] != 10, bytes[end] != 13, bytes[end] != quote { end += 1 }
    return bytes[place.offset..<end].contains(UInt8(ascii: ":")) || end == bytes.count
      || bytes[end] != quote ? wordEnd(bytes, place.offset) : end
  }

  private func wordEnd(_ bytes: [UInt8], _ offset: Int) -> Int {
    var end = offset
    while end < bytes.count,
      NameScanner.isPartOfWord(bytes[end]) || bytes[end] == UInt8(ascii: "-")
    {
      end += 1
    }
    return end
  }

  private func quoted(_ item: Completion, _ place: CompletionPlace) -> String {
    guard place.scalar.style == .plain, case .value = place.cursor.slot, item.kind != .key,
      place.start < place.offset || !place.head.contains("{")
    else { return item.text }
    switch item.kind {
    case .color, .word, .file: return item.text.hasPrefix("#") ? "\"\(item.text)\"" : item.text
    default: return item.text
    }
  }

  // MARK: Keys

  private func keys(_ place: CompletionPlace, _ number: Int?) -> [Completion] {
    let level = place.cursor.last
    let node = level.node
    let present = Set(
      node.pairs.enumerated().filter { $0.offset != number }.compactMap { $0.element.key.text })
    let hasColon = number.map { node.pairs[$0].colon != nil } ?? false
    let isInString = place.scalar.style != .plain
    func written(_ name: String) -> String { hasColon || isInString ? name : "\(name): " }
    var found: [Completion] = []
    var seen = present
    if let names = namedKeys(place) {
      found += names.map {
        var item = $0
        item.text = written(item.text)
        return item
      }
    }
    for choice in level.choices {
      for key in choice.keys where seen.insert(key.name).inserted {
        let isType = choice.table == "control"
        found.append(
          Completion(
            label: key.name, kind: choice.isEvents ? .event : .key,
            detail: choice.required.contains(key.name) ? "required" : nil,
            documentation: isType
              ? place.document.kind.reference.summary(key.name)
              : line(about: key.name, choice, key.value, place.document.kind),
            text: written(key.name)))
      }
    }
    return found
  }

  /// Completes a map without declared keys, such as `set`, `expect` or `texts`.
  private func namedKeys(_ place: CompletionPlace) -> [Completion]? {
    guard let key = place.cursor.key, let draft = draft(place.document) else { return nil }
    let isSuite = place.document.kind == .suite
    if key == "set" || isSuite && (key == "expect" || key == "wait") {
      return settable(draft, behind: place.document.source[place.start..<place.offset])
    }
    let keys = place.cursor.keys
    if keys.first == "texts", keys.count == 2 {
      return draft.languages.map {
        Completion(label: $0, kind: .name("language"), text: $0)
      }
    }
    return nil
  }

  /// Settable values and properties that may continue `head`.
  func settable(_ draft: KioskDraft, behind head: String) -> [Completion] {
    if let dot = head.firstIndex(of: ".") {
      let id = String(head[..<dot])
      return draft.properties(of: id).map {
        Completion(label: "\(id).\($0)", kind: .name("property"), text: "\(id).\($0)")
      }
    }
    return draft.valueNames.map { value($0, draft) }
      + ["language"].map { Completion(label: $0, kind: .name("value"), text: $0) }
      + draft.controls.map { control($0) }
  }

  private func control(_ control: KioskDraft.ControlSummary) -> Completion {
    Completion(
      label: control.id, kind: .name("control"), detail: control.type.isEmpty ? nil : control.type,
      text: control.id)
  }

  private func value(_ name: String, _ draft: KioskDraft) -> Completion {
    Completion(label: name, kind: .name("value"), detail: draft.kind(ofValue: name), text: name)
  }

  // MARK: Values

  private func values(_ place: CompletionPlace) -> [Completion] {
    let cursor = place.cursor
    let draft = draft(place.document)
    var found: [Completion] = []
    if let draft { found += names(place, draft) }
    found += files(place)
    var seen = Set(found.map(\.label))
    for choice in cursor.last.choices {
      let words = choice.schema["enum"]?.values ?? choice.schema["const"].map { [$0] } ?? []
      let isColor = choice.table == "css_color" || choice.table == "theme_color"
      let isDefault = choice.schema["default"]
      for word in words {
        let text = word.string ?? word.text
        guard seen.insert(text).inserted else { continue }
        found.append(
          Completion(
            label: text, kind: isColor ? .color : .word,
            detail: isColor ? Color.named[text].map { "\($0.hex)" } ?? "of the theme" : nil,
            text: text))
      }
      if choice.schema["type"]?.texts == ["boolean"] {
        for word in ["true", "false"] where seen.insert(word).inserted {
          found.append(Completion(label: word, kind: .word, text: word))
        }
      }
      if let value = isDefault, value.string != nil || value.number != nil, words.isEmpty,
        seen.insert(value.string ?? value.text).inserted
      {
        let text = value.string ?? value.text
        found.append(Completion(label: text, kind: .word, detail: "default", text: text))
      }
    }
    return found
  }

  private func names(_ place: CompletionPlace, _ draft: KioskDraft) -> [Completion] {
    let cursor = place.cursor
    guard let key = cursor.last.key ?? cursor.key else { return [] }
    func all(_ names: [String], _ kind: String) -> [Completion] {
      names.map { Completion(label: $0, kind: .name(kind), text: $0) }
    }
    switch key {
    case "style" where cursor.last.key != nil: return all(draft.styleNames, "style")
    case "theme" where cursor.levels.count == 2: return all(draft.themeNames, "theme")
    case "page" where place.document.kind == .suite: return all(draft.pageNames, "page")
    case "event", "no_event":
      return place.document.kind == .suite
        ? KioskVocabulary.events.map { Completion(label: $0, kind: .event, text: $0) } : []
    case "control" where place.document.kind == .suite: return draft.controls.map(control)
    case "tap", "press", "from", "to", "around":
      return place.document.kind == .suite
        ? draft.controls.flatMap { own in
          [control(own)]
            + own.items.map {
              Completion(
                label: "\(own.id)/\($0)", kind: .name("item"), text: "\(own.id)/\($0)")
            }
        } : []
    case "focus", "encoder": return place.document.kind == .kiosk ? draft.controls.map(control) : []
    case _ where cursor.keys.dropLast().last == "swipe": return destinations(draft)
    case _ where cursor.keys.dropLast().last == "set":
      return []
    default: break
    }
    let isCommand = cursor.levels.dropLast().last.map {
      $0.choices.contains { $0.table == "action" || $0.table == "step" }
    }
    guard isCommand == true, let kind = CommandKind.named(key) else { return [] }
    return arguments(of: kind, draft)
  }

  func arguments(of kind: CommandKind, _ draft: KioskDraft) -> [Completion] {
    kind.parameters.flatMap { parameter -> [Completion] in
      switch parameter.referent {
      case .page: return destinations(draft)
      case .overPage: return draft.overPageNames.map(page)
      case .control:
        let ids = Set(draft.controlIDs(knowing: kind.controlCommand))
        return draft.controls.filter { ids.contains($0.id) }.map(control)
      case .controls:
        let everything = CommandKind.everything
        return draft.controls.map(control)
          + [Completion(label: everything, kind: .name("control"), text: everything)]
      case .nothing, .property, .program, .sound: return []
      }
    }
  }

  private func page(_ name: String) -> Completion {
    Completion(label: name, kind: .name("page"), text: name)
  }

  private func destinations(_ draft: KioskDraft) -> [Completion] {
    let words = Destination.words.filter { !draft.pageNames.contains($0) }
    let over = draft.overPageNames
    return draft.pageNames.filter { !over.contains($0) }.map(page)
      + words.map { Completion(label: $0, kind: .word, text: $0) }
  }

  private static let images = [".png", ".jpg", ".jpeg"]

  private func files(_ place: CompletionPlace) -> [Completion] {
    guard let key = place.cursor.key else { return [] }
    return files(for: key, of: place.document).map {
      Completion(label: $0, kind: .file, text: $0)
    }
  }

  func files(for key: String, of document: Document) -> [String] {
    let endings: [String]
    switch key {
    case "include": endings = [".yaml", ".yml"]
    case "kiosk" where document.kind == .suite: endings = [".yaml", ".yml", ".json"]
    case "play": endings = [".wav"]
    case "font", "icon_font": endings = [".ttf", ".otf", ".ttc"]
    case "image", "press_image", "photo", "icon", "file": endings = Self.images
    default: return []
    }
    return workspace.fileNames(near: document.path, endings: endings)
  }

  // MARK: Parameters

  private func parameterStart(_ place: CompletionPlace) -> Int? {
    let bytes = place.document.source.bytes
    var start = place.offset
    while start > 0,
      NameScanner.isLetter(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "{")
        || bytes[start - 1] == UInt8(ascii: ".")
    {
      start -= 1
      if bytes[start] == UInt8(ascii: "{"), start > 0, bytes[start - 1] != UInt8(ascii: "$") {
        return nil
      }
    }
    return start > 0 && bytes[start - 1] == UInt8(ascii: "$") ? start - 1 : nil
  }

  private func parameters(_ place: CompletionPlace) -> [Completion] {
    var found = ["$index"]
    for level in place.cursor.levels {
      guard let cases = level.node["for"] else { continue }
      let name = level.node["as"]?.text
      if let name { found.append("$\(name)") }
      let maps = cases.items.isEmpty ? [cases] : cases.items
      for key in maps.flatMap(\.pairs).compactMap(\.key.text) {
        let written = name.map { "$\($0).\(key)" } ?? "$\(key)"
        if !found.contains(written) { found.append(written) }
      }
    }
    return found.count == 1
      ? []
      : found.map {
        Completion(label: $0, kind: .name("parameter"), text: $0)
      }
  }

  // MARK: Expressions

  /// Returns nil outside of an expression.
  private func expression(_ place: CompletionPlace) -> NameScanner? {
    var isExpression = false
    if case .value = place.cursor.slot {
      isExpression = place.cursor.last.key == "when" || place.cursor.last.key == "that"
    }
    let scanner = NameScanner.scan(
      place.document.source.bytes, place.start..<place.offset, style: place.scalar.style ?? .plain,
      isExpression: isExpression)
    return scanner.start == nil ? nil : scanner
  }

  private func expression(_ scanner: NameScanner, _ place: CompletionPlace) -> Completions {
    let bytes = place.document.source.bytes
    var start = place.offset
    while start > place.start, NameScanner.isPartOfWord(bytes[start - 1]) { start -= 1 }
    var found = Completions(range: start..<wordEnd(bytes, place.offset))
    guard let draft = draft(place.document) else { return found }
    guard start > place.start, bytes[start - 1] == UInt8(ascii: ".") else {
      found.items =
        scanner.variables.map { Completion(label: $0.name, kind: .name("variable"), text: $0.name) }
        + roots(draft, place)
      return found
    }
    let sample = ExpressionSample(place.document, place.start, scanner.variables, draft).value(
      before: start - 1)
    var left = start
    while left > place.start,
      NameScanner.isPartOfWord(bytes[left - 1]) || ".`-".utf8.contains(bytes[left - 1])
    {
      left -= 1
    }
    let parts = place.document.source[left..<(start - 1)].split(separator: "`").joined()
      .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    found.items = members(parts, sample, draft, place)
    return found
  }

  private func roots(_ draft: KioskDraft, _ place: CompletionPlace) -> [Completion] {
    var items = draft.valueNames.map { value($0, draft) }
    items += draft.controls.map { own in
      var item = control(own)
      item.text = Self.identifier(own.id)
      return item
    }
    for name in Names.reserved where name != "event" || event(place) != nil {
      items.append(Completion(label: name, kind: .name("value"), text: name))
    }
    for function in FunctionSummary.all where !function.isMethod {
      items.append(
        Completion(
          label: function.name, kind: .function, detail: function.signature,
          documentation: function.summary, text: "\(function.name)("))
    }
    return items
  }

  /// An owner is an expression such as `orders[0]`, with `sample` as a possible value.
  private func members(
    _ owner: [String], _ sample: Value?, _ draft: KioskDraft, _ place: CompletionPlace
  ) -> [Completion] {
    let path = owner.joined(separator: ".")
    func all(_ names: [String], _ kind: String) -> [Completion] {
      names.map { Completion(label: $0, kind: .name(kind), text: Self.identifier($0)) }
    }
    switch path {
    case "texts": return all(draft.textNames, "text")
    case "screen": return all(["width", "height"], "constant")
    case "event": return all(event(place)?.fields ?? [], "field")
    case "math", "lists": return functions(of: path)
    default: break
    }
    let prefix = owner.dropFirst().map { "\($0)." }.joined()
    var seen: Set<String> = []
    let properties = draft.properties(of: owner[0]).filter { $0.hasPrefix(prefix) }
      .compactMap { $0.dropFirst(prefix.count).split(separator: ".").first.map(String.init) }
      .filter { seen.insert($0).inserted }
    let receiver: String? =
      switch sample?.kind {
      case .list, .record: "list"
      case .text: "text"
      case .time: "now"
      case .number, .flag: ""
      case nil, .any: owner == ["now"] ? "now" : nil
      }
    let methods = FunctionSummary.all.filter { summary in
      summary.isMethod && (receiver.map { $0 == summary.receiver } ?? (summary.receiver != "now"))
    }
    var names: [String] = []
    if case .record(let fields)? = sample { names = fields.map(\.name) }
    return all(names, "member") + all(properties, "property")
      + methods.map { method in
        Completion(
          label: method.name, kind: .function, detail: method.signature,
          documentation: method.summary, text: "\(method.name)(")
      }
  }

  /// Returns functions such as `math.greatest` without their first word.
  private func functions(of word: String) -> [Completion] {
    let own = FunctionSummary.all.map { ($0.name, $0) }
    let others = FunctionSummary.aliases.sorted { $0.key < $1.key }.compactMap { alias in
      FunctionSummary.all.first { $0.name == alias.value }.map { (alias.key, $0) }
    }
    return (own + others).filter { $0.0.hasPrefix("\(word).") }.map { whole, function in
      let name = String(whole.dropFirst(word.count + 1))
      return Completion(
        label: name, kind: .function, detail: function.signature, documentation: function.summary,
        text: "\(name)(")
    }
  }

  /// A possible value of the expression that ends at `end`, or nil.
  func sample(of end: Int, _ document: Document) -> Value? {
    let cursor = cursor(document, document.tree, at: end)
    guard let scalar = cursor.scalar, let style = scalar.style, let draft = draft(document) else {
      return nil
    }
    let isExpression = cursor.last.key == "when" || cursor.last.key == "that"
    let scanner = NameScanner.scan(
      document.source.bytes, scalar.inner.lowerBound..<end, style: style,
      isExpression: isExpression)
    return ExpressionSample(document, scalar.inner.lowerBound, scanner.variables, draft).value(
      before: end)
  }

  /// Returns the event whose actions contain the cursor.
  private func event(_ place: CompletionPlace) -> KioskDraft.EventSummary? {
    let levels = place.cursor.levels
    guard let on = levels.lastIndex(where: { $0.key == "on" }), on + 1 < levels.count,
      let name = levels[on + 1].key
    else { return nil }
    // The control is the innermost enclosing map whose first key is a type of control.
    for level in levels[..<on].reversed() {
      guard let first = level.node.pairs.first, let type = first.key.text,
        KioskDraft.controlTypes.contains(type), let id = first.value.text
      else { continue }
      return draft(place.document)?.controls.first { $0.id == id }?.events.first { $0.name == name }
    }
    return .init(name: name, fields: EventField.all.map(\.name))
  }

  /// Writes part of a name in the syntax of expressions.
  static func identifier(_ name: String) -> String {
    NamePath(name).description
  }

  // MARK: Shared

  func draft(_ document: Document) -> KioskDraft? {
    workspace.kiosk(of: document.path).flatMap { workspace.lastDraft($0) }
  }

  /// Returns the key's line in the reference, or its description in the schema.
  func line(
    about key: String, _ choice: Schema.Choice, _ schema: JSONValue?, _ kind: FileKind
  ) -> String? {
    let reference = kind.reference
    if let table = choice.table {
      let section = ["action": "actions", "step": "steps"][table] ?? table
      if let line = reference[section, key] { return line }
    }
    return schema?["description"]?.string
  }
}

extension Schema.Choice {
  fileprivate var isEvents: Bool {
    table == nil && !keys.isEmpty
      && keys.allSatisfy {
        KioskVocabulary.events.contains($0.name) || $0.name == "shown" || $0.name == "hidden"
      }
  }
}

extension Color {
  /// Digits as `#rrggbb`, or as `#rrggbbaa` if not opaque.
  package var hex: String {
    func digits(_ value: UInt8) -> String {
      (value < 16 ? "0" : "") + String(value, radix: 16)
    }
    return "#" + [red, green, blue].map(digits).joined() + (alpha == 255 ? "" : digits(alpha))
  }
}
