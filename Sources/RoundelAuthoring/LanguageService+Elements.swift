// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
internal import KioskFile

// Edits of list elements: pages, controls, items and actions.

extension LanguageService {
  private struct Element {
    var owner: Owner
    var list: SyntaxNode
    var index: Int

    var source: SourceFile { owner.document.source }
    var path: String { owner.document.path }

    func range(of index: Int) -> Range<Int> {
      list.items[index].start..<list.items[index].range.upperBound
    }

    /// Returns nil if the element isn't the first on its line.
    func startOfLine(of index: Int) -> Int? {
      let place = list.items[index].start
      let start = source.startOfLine(at: place)
      var before = source.bytes[start..<place].drop { $0 == UInt8(ascii: " ") }
      if !list.isFlow {
        guard before.first == UInt8(ascii: "-") else { return nil }
        before = before.dropFirst()
      }
      return before.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ? start : nil
    }

    /// Excludes the last line break.
    func lines(of index: Int) -> Range<Int>? {
      startOfLine(of: index).map { $0..<source.endOfLine(at: list.items[index].range.upperBound) }
    }

    /// Includes comments directly above with the indentation of the dash.
    func startOfComments(of index: Int, _ start: Int) -> Int {
      let indentation = source.bytes[start...].prefix { $0 == UInt8(ascii: " ") }
      var first = start
      while first > 0 {
        let above = source.startOfLine(at: first - 1)
        let line = source.bytes[above..<first]
        guard above < first, line.starts(with: indentation + [UInt8(ascii: "#")]) else { break }
        first = above
      }
      return first
    }

    func isAlone(in lines: Range<Int>) -> Bool {
      let rest = source.bytes[range(of: index).upperBound..<lines.upperBound]
      let tail = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
      return (tail.isEmpty || tail.first == UInt8(ascii: "#"))
        && (tail.count < rest.count || index == list.items.count - 1)
    }
  }

  private func element(_ owner: KeyOwner, _ kiosk: String) throws(EditRefusal) -> Element {
    let owner = try found(owner, kiosk)
    guard let list = owner.list,
      let index = list.items.firstIndex(where: { $0.start == owner.node.start })
    else { throw EditRefusal("\(owner.name.quoted) is not in a list") }
    return Element(owner: owner, list: list, index: index)
  }

  /// Throws for an anchor, because aliases might precede the moved anchor.
  private func refuseAnchors(in nodes: [SyntaxNode]) throws(EditRefusal) {
    func anchor(_ node: SyntaxNode) -> String? {
      if let name = node.anchor { return name }
      for item in node.items { if let name = anchor(item) { return name } }
      for pair in node.pairs { if let name = anchor(pair.value) { return name } }
      return nil
    }
    for node in nodes {
      if let name = anchor(node) {
        throw EditRefusal(
          "it contains the anchor &\(name), which is used elsewhere; edit it in the source")
      }
    }
  }

  private static let inBrackets = EditRefusal(
    "the list is in brackets on several lines; edit it in the source")
  private static let notFirst = EditRefusal(
    "the element does not begin on its own line; edit it in the source")

  // MARK: Removing

  /// Removes the element's lines. Comments above them stay.
  package func edits(
    removing owner: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let element = try element(owner, kiosk)
    let (source, list, index) = (element.source, element.list, element.index)
    guard list.items.count > 1 else {
      // A list of actions may be removed completely.
      if case .part(let outer, let path) = owner, case .key(let key)? = path.dropLast().last {
        let map = path.dropLast(2)
        // Without actions, the condition is removed, too.
        if case .index? = map.last {
          return try edits(removing: .part(of: outer, path: Array(map)), in: kiosk)
        }
        let rest = map.isEmpty ? outer : .part(of: outer, path: Array(map))
        return try edits(removingList: key, of: rest, in: kiosk)
      }
      if case .control = owner {
        let last = try lastControl(element)
        return (element.path, [last])
      }
      throw EditRefusal(
        "\(element.owner.name.quoted) is the only element of its list, which must not be empty")
    }
    try refuseAnchors(in: [list.items[index]])
    if let lines = element.lines(of: index), !list.isFlow || element.isAlone(in: lines) {
      let end = lines.upperBound
      if end < source.bytes.count {
        return (element.path, [TextEdit(lines.lowerBound..<(end + source.lineBreak(at: end)), "")])
      }
      // At the end of the file, the previous line break is removed.
      let before = source.endOfLine(at: element.range(of: max(index - 1, 0)).upperBound)
      return (element.path, [TextEdit(before..<end, "")])
    }
    guard list.isFlow else { throw Self.notFirst }
    let gap =
      index > 0
      ? element.range(of: index - 1).upperBound..<element.range(of: index).upperBound
      : element.range(of: 0).lowerBound..<element.range(of: 1).lowerBound
    let between =
      index > 0
      ? gap.lowerBound..<element.range(of: index).lowerBound
      : element.range(of: 0).upperBound..<gap.upperBound
    guard source.endOfLine(at: between.lowerBound) >= between.upperBound else {
      throw Self.inBrackets
    }
    return (element.path, [TextEdit(gap, "")])
  }

  /// Leaves an empty list.
  private func lastControl(_ element: Element) throws(EditRefusal) -> TextEdit {
    try refuseAnchors(in: element.list.items)
    if element.list.isFlow { return TextEdit(element.list.range, "[]") }
    guard let lines = element.lines(of: 0), lines.lowerBound > 0 else { throw Self.notFirst }
    let above = element.source.endOfLine(at: element.source.startOfLine(at: lines.lowerBound - 1))
    let gap = element.source[element.source.startOfLine(at: above)..<above]
    guard gap.hasSuffix(":") else {
      throw EditRefusal(
        "a comment is next to \(element.owner.name.quoted), the last control; remove it in the source"
      )
    }
    return TextEdit(above..<lines.upperBound, " []")
  }

  /// Removes the list, and its map if the list is the only value.
  private func edits(
    removingList key: String, of owner: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    if case .part(let outer, let path) = owner, case .key(let name)? = path.last,
      try found(owner, kiosk).node.pairs.count == 1
    {
      let rest = path.dropLast()
      return try edits(
        removing: name, of: rest.isEmpty ? outer : .part(of: outer, path: Array(rest)), in: kiosk)
    }
    return try edits(removing: key, of: owner, in: kiosk)
  }

  // MARK: Order

  /// Swaps an element with a neighbour. In block lists, comments directly above also move.
  package func edits(
    moving owner: KeyOwner, forward isForward: Bool, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let element = try element(owner, kiosk)
    let (source, list) = (element.source, element.list)
    let other = element.index + (isForward ? 1 : -1)
    guard list.items.indices.contains(other) else { return (element.path, []) }
    let (first, second) = (min(element.index, other), max(element.index, other))
    try refuseAnchors(in: [list.items[first], list.items[second]])
    if list.isFlow {
      let (a, b) = (element.range(of: first), element.range(of: second))
      return (element.path, [TextEdit(a, source[b]), TextEdit(b, source[a])])
    }
    guard let a = element.lines(of: first), let b = element.lines(of: second) else {
      throw Self.notFirst
    }
    let start = element.startOfComments(of: first, a.lowerBound)
    let middle = element.startOfComments(of: second, b.lowerBound)
    guard a.upperBound <= middle else { throw Self.notFirst }
    let text =
      source[middle..<b.upperBound] + source[a.upperBound..<middle] + source[start..<a.upperBound]
    return (element.path, [TextEdit(start..<b.upperBound, text)])
  }

  /// Returns an element's index in its list, and the list's length.
  package func position(
    of owner: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (index: Int, count: Int) {
    let element = try element(owner, kiosk)
    return (element.index, element.list.items.count)
  }

  package func page(of control: String, in kiosk: String) -> String? {
    outline(kiosk).first { page in
      page.kind == .page && page.children.contains { $0.name == control }
    }?.name
  }

  // MARK: Copies

  /// Returns a list element's lines without the list's indentation.
  package func source(of owner: KeyOwner, in kiosk: String) throws(EditRefusal) -> String {
    let element = try element(owner, kiosk)
    try refuseAnchors(in: [element.list.items[element.index]])
    guard !element.list.isFlow, let lines = element.lines(of: element.index) else {
      throw Self.notFirst
    }
    let dash = element.source.bytes[lines].firstIndex(of: UInt8(ascii: "-")) ?? lines.lowerBound
    let indentation = dash - lines.lowerBound
    return element.source[lines].split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    )
    .map { line in
      "\(line.dropFirst(min(indentation, line.prefix { $0 == " " }.count)))\n"
    }.joined()
  }

  /// Reads a clipboard's controls, with ids that the kiosk doesn't use.
  package func controls(
    in text: String, for kiosk: String
  ) throws(EditRefusal) -> [(id: String, text: String)] {
    let other = "\(kiosk).clipboard"
    let head = "kiosk: clipboard\npages:\n- page: clipboard\n  controls:\n"
    let lines = text.split(whereSeparator: \.isNewline).map { "  \($0)\n" }.joined()
    workspace.put(Array((head + lines).utf8), at: other)
    defer { workspace.close(other) }
    guard let first = workspace.document(other), first.tree.isWellFormed,
      let ids = outline(other).first?.children, !ids.isEmpty,
      ids.count == first.tree.root["pages"]?.items.first?["controls"]?.items.count
    else { throw EditRefusal("the clipboard has no controls; copy controls first") }
    var known = Set(workspace.index(kiosk)?.occurrences.keys.map { $0 } ?? [])
    for entry in ids where known.contains(.control(entry.name)) {
      let digits = entry.name.reversed().prefix { $0.isASCII && $0.isNumber }.count
      let base = String(entry.name.dropLast(digits))
      let own = Set(ids.map { Symbol.control($0.name) })
      var number = 2
      while known.union(own).contains(.control("\(base)\(number)")) { number += 1 }
      known.insert(.control("\(base)\(number)"))
      guard let document = workspace.document(other),
        let place = workspace.index(other)?.occurrences[.control(entry.name)]
      else { throw EditRefusal("the id \(entry.name.quoted) is used and cannot be changed") }
      let edits = place.filter { !$0.isGenerated && $0.location.path == other }
        .map { Self.edit($0, to: "\(base)\(number)") }
      workspace.put(document.source.applying(edits).bytes, at: other)
    }
    return try outline(other).first?.children.map { entry throws(EditRefusal) in
      (entry.name, try source(of: .control(entry.name), in: other))
    } ?? []
  }

  /// Inserts a copy after an element, with new names for all declarations. Returns its name.
  package func edits(
    duplicating owner: KeyOwner, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit], name: String?) {
    let element = try element(owner, kiosk)
    let (source, list, index) = (element.source, element.list, element.index)
    try refuseAnchors(in: [list.items[index]])
    let range: Range<Int>
    if list.isFlow {
      range = element.range(of: index)
    } else {
      guard let lines = element.lines(of: index) else { throw Self.notFirst }
      range = lines
    }
    var (changes, name) = try renaming(owner, within: range, of: element.owner, kiosk)
    if case .control = owner, let place = element.owner.node["at"]?.items, place.count == 2 {
      // Otherwise the copy would hide the original.
      changes += place.compactMap { item in
        item.text.flatMap(Double.init).map {
          TextEdit(item.range, KeyValue.number($0 + 20).written(in: nil))
        }
      }
    }
    let copy = SourceFile(Array(source[range].utf8)).applying(
      changes.map {
        TextEdit(
          ($0.range.lowerBound - range.lowerBound)..<($0.range.upperBound - range.lowerBound),
          $0.text)
      }
    ).text
    let end = range.upperBound
    guard list.isFlow else {
      return (element.path, [TextEdit(end..<end, source.lineBreakText + copy)], name)
    }
    let gap =
      element.startOfLine(of: index).map { start in
        source.lineBreakText + source[start..<list.items[index].start]
      } ?? " "
    return (element.path, [TextEdit(end..<end, ",\(gap)\(copy)")], name)
  }

  /// Assigns unused names to declarations in a range. Returns the owner's new name.
  private func renaming(
    _ owner: KeyOwner, within range: Range<Int>, of place: Owner, _ kiosk: String
  ) throws(EditRefusal) -> (changes: [TextEdit], name: String?) {
    if case .part = owner { return ([], nil) }
    guard let index = workspace.index(kiosk) else { throw EditRefusal("the kiosk has errors") }
    if case .page = owner, place.node["controls"]?.includesFiles ?? true {
      throw EditRefusal(
        "\(place.name.quoted) contains controls from another file, whose ids are already used")
    }
    func isWithin(_ occurrence: Occurrence) -> Bool {
      occurrence.location.path == place.document.path
        && range.contains(occurrence.location.range.lowerBound)
    }
    // A name that contains a `$name` can't be changed.
    var known = Set(index.occurrences.keys)
    var changes: [TextEdit] = []
    var own: String?
    let inner = index.occurrences.filter { symbol, places in
      switch (owner, symbol) {
      case (.item(_, let control), .item(_, let other)) where control != other: false
      case (.item, .item), (.page, .page), (.page, .control), (.control, .control):
        places.contains { $0.isDeclaration && isWithin($0) }
      default: false
      }
    }.sorted { $0.key.name < $1.key.name }
    for (symbol, places) in inner {
      guard !places.contains(where: { $0.isDeclaration && $0.isGenerated && isWithin($0) }) else {
        throw EditRefusal("\(symbol.name.quoted) is repeated by a \"for\"; edit it in the source")
      }
      let digits = symbol.name.reversed().prefix { $0.isASCII && $0.isNumber }.count
      let base = String(symbol.name.dropLast(digits))
      var number = 2
      while known.contains(symbol.named("\(base)\(number)")) { number += 1 }
      let name = "\(base)\(number)"
      known.insert(symbol.named(name))
      changes += places.filter { isWithin($0) && !$0.isGenerated }
        .map { Self.edit($0, to: name) }
      if symbol.name == place.name { own = own ?? name }
    }
    return (changes, own)
  }

  // MARK: Items

  /// Adds an item from the reference's example, and returns the item's id.
  package func edits(
    addingItemTo control: String, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit], name: String) {
    let owner = try found(.control(control), kiosk)
    guard let key = itemKey(of: owner), let type = owner.node.pairs.first?.key.text,
      let example = KioskReference.example(of: type)
    else { throw EditRefusal("\(control.quoted) has no items") }
    let sample = SyntaxTree(SourceFile(Array(example.utf8)))
    guard let item = sample.root.items.first?[key]?.items.first, let id = item["id"] else {
      throw EditRefusal("\(control.quoted) has no items")
    }
    let known = workspace.index(kiosk)?.occurrences ?? [:]
    var number = 1
    while known[.item("item\(number)", of: control)] != nil { number += 1 }
    let name = "item\(number)"
    let start = item.start
    var changes = [TextEdit(id.range, name)]
    // A repeated label or colour would look unintended.
    if let label = item["label"] { changes.append(TextEdit(label.range, "Item \(number)")) }
    if item.isFlow {
      changes += zip(item.pairs, item.pairs.dropFirst()).filter { $1.key.text == "color" }
        .map { TextEdit($0.range.upperBound..<$1.range.upperBound, "") }
    }
    let text = SourceFile(Array(sample.source[start..<item.range.upperBound].utf8)).applying(
      changes.map {
        TextEdit(($0.range.lowerBound - start)..<($0.range.upperBound - start), $0.text)
      }
    ).text
    let (path, edits) = try edits(adding: text, to: key, of: owner)
    return (path, edits, name)
  }

  package func mayHaveItems(_ control: String, in kiosk: String) -> Bool {
    (try? found(.control(control), kiosk)).flatMap { itemKey(of: $0) } != nil
  }

  private func itemKey(of owner: Owner) -> String? {
    let schema = owner.document.kind.schema
    for choice in owner.choices {
      for key in choice.keys {
        let list = owner.node[key.name] ?? SyntaxNode(.list([], isFlow: true), 0..<0)
        let lists = schema.values(of: key.name, in: [choice], list)
        let items = schema.items(of: lists, SyntaxNode(.map([], isFlow: true), 0..<0))
        if items.contains(where: { $0.required.contains("id") }) { return key.name }
      }
    }
    return nil
  }

  /// Appends an element on one line, or creates the list.
  func edits(
    adding element: String, to key: String, of owner: Owner
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    let (path, source) = (owner.document.path, owner.document.source)
    guard let pair = owner.node.pair(key) else {
      return (path, [addition(key, "[\(element)]", to: owner)])
    }
    switch pair.value.content {
    case .nothing:
      let place = pair.value.range.lowerBound
      return (path, [TextEdit(place..<place, " [\(element)]")])
    case .list(_, isFlow: false):
      return (path, [Self.edit(adding: "- \(element)", to: pair.value, source)])
    case .list(let items, isFlow: true):
      guard let last = items.last else {
        return (path, [TextEdit(pair.value.range, "[\(element)]")])
      }
      let list = Element(owner: owner, list: pair.value, index: items.count - 1)
      let gap =
        list.startOfLine(of: list.index).map { source.lineBreakText + source[$0..<last.start] }
        ?? " "
      let end = last.range.upperBound
      return (path, [TextEdit(end..<end, ",\(gap)\(element)")])
    default: throw EditRefusal("\(key.quoted) is not listed here; edit it in the source")
    }
  }
}

extension SyntaxNode {
  fileprivate var includesFiles: Bool {
    if case .alias = content { return true }
    return self["include"] != nil || items.contains(where: \.includesFiles)
  }
}
