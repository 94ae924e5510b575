// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions

/// Finds the cause of a syntax error, which is often earlier than libyaml's location.
struct SyntaxDiagnosis {
  /// libyaml's message.
  var problem: String
  var mark: Mark
  var context: String
  var contextMark: Mark
  var open: [Opening]
  var last: Ending?
  var source: SourceText

  struct Opening {
    var mark: Mark
    /// Whether the collection has brackets or braces.
    var isFlow: Bool
  }

  struct Ending {
    enum Kind {
      case plain, quoted, flow
    }
    var begin: Mark
    var end: Mark
    var kind: Kind
  }

  typealias Finding = EventStream.SyntaxError

  var finding: Finding {
    if let tab = tab { return tab }
    switch problem {
    case _ where context.hasSuffix("a quoted scalar"): return quotes
    case "found character that cannot start any token": return badStart
    case _ where context.hasSuffix("a directive"), "found duplicate %YAML directive":
      return found(
        "\"%\" begins a YAML directive",
        expected: "no directive; a string that begins with % needs quotes",
        at: contextMark.column == 1 && source[contextMark] == "%" ? contextMark : mark)
    case _
    where ["an anchor", "an alias", "a tag", "a block scalar"].contains(where: context.hasSuffix):
      return needsQuotes(contextMark)
    case "mapping keys are not allowed in this context", "found undefined tag handle":
      return needsQuotes(mark)
    case "block sequence entries are not allowed in this context":
      return found(
        "a list begins on the same line as its key",
        expected: "its \"-\" on the next line, or quotes around a string", at: mark)
    case "mapping values are not allowed in this context": return colon
    case "could not find expected ':'": return missingColon(in: contextMark.line)
    case "did not find expected node content" where context.hasSuffix("a block node"):
      return needsQuotes(mark)
    default: break
    }
    if let flow = open.last, flow.isFlow { return brackets(flow.mark) }
    if isFirstInLine(mark) { return block }
    return afterEnd ?? misplaced
  }

  private func found(_ what: String, expected: String? = nil, at mark: Mark) -> Finding {
    Finding(what: expected.map { "\(what) (expected \($0))" } ?? what, mark: mark)
  }

  // MARK: Characters

  private var tab: Finding? {
    let indentation = source[mark.line].prefix { $0 == " " || $0 == "\t" }
    guard mark.column <= indentation.count + 1, let tab = indentation.firstIndex(of: "\t") else {
      return nil
    }
    return found(
      "a tab in the indentation", expected: "spaces", at: Mark(line: mark.line, column: tab + 1))
  }

  private var badStart: Finding {
    // A template whose brace looks like a map's.
    if let flow = open.last, flow.isFlow, flow.mark.line == mark.line,
      flow.mark.column + 1 == mark.column, source[flow.mark] == "{"
    {
      return needsQuotes(flow.mark)
    }
    return needsQuotes(mark)
  }

  private func needsQuotes(_ mark: Mark) -> Finding {
    guard let first = source[mark] else { return misplaced }
    return found("a string that begins with \(quoted(first)) needs quotes", at: mark)
  }

  private var misplaced: Finding {
    guard let character = source[mark] else {
      return found("unexpected end of the file", expected: "a value", at: mark)
    }
    if "]}".unicodeScalars.contains(character) {
      return found("unmatched \(quoted(character))", at: mark)
    }
    return found(
      "unexpected \(quoted(character))", expected: "quotes around the whole string", at: mark
    )
  }

  private func quoted(_ character: Unicode.Scalar) -> String { String(character).quoted }

  // MARK: Quotes

  private var quotes: Finding {
    guard context.hasPrefix("while scanning") else { return escape }
    return found(
      "the \(quote(at: contextMark)) is not closed", expected: "a closing quote", at: contextMark)
  }

  private func quote(at mark: Mark) -> String { source[mark].map { String($0) } ?? "quote" }

  private var escape: Finding {
    let escape = String(String.UnicodeScalarView(source.rest(from: mark).prefix(2)))
    return found(
      "\(escape.quoted) is not an escape sequence",
      expected: "\\\\ for a backslash, or '…' around the string",
      at: mark)
  }

  /// Text that continues after its end on the same line.
  private var afterEnd: Finding? {
    guard let last, last.end.line == mark.line, last.end <= mark, source[mark] != nil,
      source[mark] != "}", source[mark] != "]"
    else { return nil }
    switch last.kind {
    case .plain: return nil
    case .flow: return needsQuotes(last.begin)
    case .quoted where last.begin.line < last.end.line:
      return found(
        "the \(quote(at: last.begin)) is not closed until line \(last.end.line)",
        expected: "the closing quote on the same line", at: last.begin)
    case .quoted:
      let isSingle = source[last.begin] == "'"
      return found(
        "unexpected text after the closing quote",
        expected: "quotes around all of it" + (isSingle ? ", and '' for an apostrophe" : ""),
        at: mark)
    }
  }

  // MARK: Colons

  private var colon: Finding {
    let isFirst = source.colon(in: mark.line) == mark.column - 1
    guard isFirst, let last, last.begin.line < mark.line, let before = source.lineBefore(mark.line)
    else {
      guard let last, last.end.line == mark.line else { return misplaced }
      return found("a string that contains a colon needs quotes", at: last.begin)
    }
    guard source.colon(in: before) != nil else { return missingColon(in: before) }
    return indentation(of: mark.line)
  }

  private func missingColon(in line: Int) -> Finding {
    let text = source[line]
    let start = source.indentation(of: line) ?? 0
    if let colon = text.firstIndex(of: ":"), colon + 1 < text.count {
      return found(
        "a space is missing after the colon", at: Mark(line: line, column: colon + 1))
    }
    let end = text.lastIndex { $0 != " " && $0 != "\t" } ?? 0
    let key = String(String.UnicodeScalarView(text[start...max(start, end)]))
    return found(
      "a colon is missing after \(key.quoted)", at: Mark(line: line, column: end + 2))
  }

  // MARK: Blocks

  private func isFirstInLine(_ mark: Mark) -> Bool {
    source.indentation(of: mark.line).map { $0 + 1 == mark.column } ?? true
  }

  /// A line that doesn't continue its map or list.
  private var block: Finding {
    guard source[mark] != nil else { return misplaced }
    let column = mark.column - 1
    guard source.blockColumns(before: mark.line).contains(column) else {
      return indentation(of: mark.line)
    }
    let isItem = source[mark] == "-"
    switch problem {
    case "did not find expected '-' indicator":
      let key = source.colon(in: mark.line).map { source[mark.line][column..<max(column, $0)] }
      let name = key.map { String(String.UnicodeScalarView($0)).quoted } ?? "this"
      return found(
        "\(name) is not an item of the list", expected: "\"- \" before it, or more indentation",
        at: mark)
    case "did not find expected key" where isItem:
      return found(
        "a list item in a map", expected: "a key, or the list below a key", at: mark)
    default: return indentation(of: mark.line)
    }
  }

  private func indentation(of line: Int) -> Finding {
    let width = source.indentation(of: line) ?? 0
    let columns = source.blockColumns(before: line)
    let near = [columns.last { $0 < width }, columns.first { $0 > width }].compactMap(\.self)
    let expected = near.isEmpty ? "none" : "\(near.map(String.init).alternatives), as above"
    return found(
      "wrong indentation: \(width) \(width == 1 ? "space" : "spaces")", expected: expected,
      at: Mark(line: line, column: width + 1))
  }

  // MARK: Brackets

  private func brackets(_ begin: Mark) -> Finding {
    if let comment = comment(from: begin) { return comment }
    let opener = source[begin] == "{" ? "{" : "["
    let closer = opener == "{" ? "}" : "]"
    let notClosed = found(
      "\(opener.quoted) is not closed", expected: closer.quoted, at: begin)
    guard let character = source[mark], !"]}".unicodeScalars.contains(character) else {
      return notClosed
    }
    let limit = source.indentation(of: begin.line) ?? 0
    let isLeft = (begin.line + 1..<max(begin.line + 1, mark.line + 1)).contains { line in
      source.indentation(of: line).map { $0 <= limit } ?? false
    }
    if isLeft { return notClosed }
    if character == ":", let last, last.kind == .plain {
      guard last.begin.line < mark.line, let column = source.indentation(of: mark.line) else {
        return found("a string that contains a colon needs quotes", at: last.begin)
      }
      let start = Mark(line: mark.line, column: column + 1)
      return found(
        "a comma or \(closer.quoted) is missing before this line", at: start)
    }
    let rest = source.rest(from: mark)
    let isNext =
      "[{\"'".unicodeScalars.contains(character)
      || rest.prefix { !",{}[]".unicodeScalars.contains($0) }.contains(":")
    if !isNext, let afterEnd { return afterEnd }
    if character == "," { return found("a value is missing before the comma", at: mark) }
    return found(
      "a comma or \(closer.quoted) is missing before \(quoted(character))", at: mark)
  }

  /// A comment that hides the closing bracket.
  private func comment(from begin: Mark) -> Finding? {
    var quote: Unicode.Scalar?
    for number in begin.line...max(begin.line, min(mark.line, source.count)) {
      let line = source[number]
      for index in line.indices where number > begin.line || index >= begin.column {
        guard Mark(line: number, column: index + 1) < mark else { return nil }
        let character = line[index]
        if let open = quote {
          if character == open { quote = nil }
        } else if character == "\"" || character == "'" {
          let before = index > 0 ? line[index - 1] : " "
          if " \t[{,:".unicodeScalars.contains(before) { quote = character }
        } else if character == "#", index == 0 || line[index - 1] == " " || line[index - 1] == "\t"
        {
          let place = Mark(line: number, column: index + 1)
          if let color = source.color(at: place) { return .init(uncoloured: color.text, at: place) }
          if line[index...].contains(where: { $0 == "}" || $0 == "]" }) {
            return found(
              "\"#\" begins a comment up to the end of the line",
              expected: "quotes around a string that contains #", at: place)
          }
          break
        }
      }
    }
    return nil
  }
}

extension EventStream.SyntaxError {
  /// An unquoted colour is a comment.
  init(uncoloured text: String, at mark: Mark) {
    self.init(
      what: "\(text.quoted) needs quotes: without them \"#\" begins a comment", mark: mark)
  }
}
