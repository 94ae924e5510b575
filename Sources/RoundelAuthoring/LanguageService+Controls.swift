// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import KioskFile

extension LanguageService {
  /// The reference's example at `scale` times its size. If it shows a file, the file is `image`.
  package static func newControl(
    _ type: String, id: String, at center: (x: Double, y: Double), scale: Double = 1,
    image: String? = nil
  ) -> String? {
    guard let example = KioskReference.example(of: type),
      let old = example.split(separator: "\n").first?.split(separator: " ").last
    else { return nil }
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    return lines.map { number, line in
      if number == 0 { return "- \(type): \(id)" }
      let key = line.drop { $0 == " " }.prefix { $0 != ":" }
      if key == "at" { return "  at: [\(Int(center.x)), \(Int(center.y))]" }
      if key == "file", let image { return "  file: \(KeyValue.text(image).written(in: nil))" }
      if scale != 1, lengths.contains(key) { return scaled(line, by: scale) }
      return line.split(separator: "{\(old).", omittingEmptySubsequences: false)
        .joined(separator: "{\(id).")
    }.joined(separator: "\n")
  }

  /// The example's keys for a control's size.
  private static let lengths: Set<Substring> = ["radius", "size", "font_size", "row_height"]

  private static func scaled(_ line: Substring, by scale: Double) -> String {
    var text = ""
    var digits = ""
    for character in line + " " {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      if let number = Double(digits) { text += "\(Int(max((number * scale).rounded(), 1)))" }
      digits = ""
      text.append(character)
    }
    return String(text.dropLast())
  }

  package static func showsFile(_ type: String) -> Bool {
    KioskReference.example(of: type)?.contains("\n  file: ") == true
  }

  package func pictures(near kiosk: String) -> [String] {
    workspace.fileNames(near: kiosk, endings: [".png", ".jpg", ".jpeg"])
  }

  /// `control` is written as a list item.
  package func edits(
    adding control: String, toPage page: String, in kiosk: String
  ) throws(EditRefusal) -> (path: String, edits: [TextEdit]) {
    guard
      let place = workspace.index(kiosk)?.occurrences[.page(page)]?.first(where: \.isDeclaration),
      let document = workspace.document(place.location.path), !place.isGenerated
    else {
      throw EditRefusal("the page \(page.quoted) comes from a \"for\"; edit it in the source")
    }
    let cursor = cursor(document, document.tree, at: place.location.range.lowerBound)
    guard let map = cursor.levels.last(where: \.node.isMap)?.node, let list = map["controls"],
      case .list(let items, let isFlow) = list.content, !map.isFlow
    else {
      throw EditRefusal(
        "the controls of \(page.quoted) are not listed here; edit them in the source")
    }
    guard !isFlow || items.isEmpty else {
      throw EditRefusal(
        "the controls of \(page.quoted) are in brackets; add a control in the source")
    }
    let source = document.source
    guard isFlow, let colon = map.pair("controls")?.colon else {
      return (document.path, [Self.edit(adding: control, to: list, source)])
    }
    let outer = map.pairs[0].key.start
    let text = Self.lines(control, column: outer - source.startOfLine(at: outer) + 2, source)
    return (document.path, [TextEdit((colon + 1)..<list.range.upperBound, text)])
  }

  package func edits(
    addingTest test: String, to suite: String
  ) throws(EditRefusal) -> [TextEdit] {
    try edits(adding: test, toList: "tests", of: suite)
  }

  package func edits(
    addingPage page: String, to kiosk: String
  ) throws(EditRefusal) -> [TextEdit] {
    try edits(adding: page, toList: "pages", of: kiosk)
  }

  private func edits(
    adding item: String, toList key: String, of path: String
  ) throws(EditRefusal) -> [TextEdit] {
    guard let document = workspace.document(path), let list = document.tree.root[key],
      case .list(_, isFlow: false) = list.content
    else {
      throw EditRefusal(
        "the \(key) of \(path.quoted) are not on separate lines; edit them in the source")
    }
    return [Self.edit(adding: item, to: list, document.source)]
  }

  /// Appends to a list whose items begin on separate lines.
  static func edit(
    adding item: String, to list: SyntaxNode, _ source: SourceFile
  ) -> TextEdit {
    let end = source.endOfLine(at: list.range.upperBound)
    let column = list.start - source.startOfLine(at: list.start)
    return TextEdit(end..<end, lines(item, column: column, source))
  }

  /// Indents the lines, each after a line break.
  static func lines(_ item: String, column: Int, _ source: SourceFile) -> String {
    item.split(separator: "\n").map {
      source.lineBreakText + String(repeating: " ", count: column) + $0
    }.joined()
  }
}

extension SourceFile {
  package var lineBreakText: String {
    let index = bytes.firstIndex(of: 10) ?? 0
    return index > 0 && bytes[index - 1] == 13 ? "\r\n" : "\n"
  }
}
