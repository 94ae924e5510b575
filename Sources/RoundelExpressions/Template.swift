// SPDX-License-Identifier: MIT

/// Text containing `{expression}` or `{expression:format}`, parsed but not yet checked. `{{` and `}}` are literal
/// braces.
///
/// Numbers and text have Python's formats (`.1f`, `02d`, `,d`, `.0%`, `>8`). Times have formats of strftime
/// (`%H:%M`).
package struct Template: Hashable, Sendable {
  package static let maximumExpressions = 1000
  static let maximumFormatBytes = 256

  enum Part: Hashable, Sendable {
    case literal(String)
    case placeholder(Placeholder)
  }

  struct Placeholder: Hashable, Sendable {
    /// The start of the expression in the text.
    var offset: Int
    /// The text between the braces, if it may be a property's name: `stop-watch` isn't an
    /// identifier, but `{stop-watch.value}` refers to that control if it exists.
    var verbatim: NamePath?
    var expression: Result<Expression, ExpressionError>
    var format: Format?
  }

  struct Format: Hashable, Sendable {
    var offset: Int
    var text: String
  }

  let parts: [Part]

  /// The offset of an error is relative to the whole text.
  package init(_ text: String) throws(ExpressionError) {
    let bytes = Array(text.utf8)
    var parts: [Part] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
    }
    var index = 0
    var count = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}"), index < bytes.count,
        bytes[index] == byte
      {
        index += 1
        literal.append(byte)
      } else if byte == UInt8(ascii: "{") {
        flush()
        count += 1
        guard count <= Self.maximumExpressions else {
          throw ExpressionError(
            offset: index - 1, "a string has more than \(Self.maximumExpressions) expressions")
        }
        let (placeholder, end) = try Placeholder.parse(bytes, from: index)
        parts.append(.placeholder(placeholder))
        index = end
      } else {
        literal.append(byte)
      }
    }
    flush()
    self.parts = parts
  }

  /// Braces are literal.
  package init(literal text: String) { parts = text.isEmpty ? [] : [.literal(text)] }

  /// Includes text that is a name only if such a property exists.
  package var names: [NamePath] {
    placeholders.flatMap { placeholder in
      ((try? placeholder.expression.get())?.names ?? [])
        + [placeholder.verbatim].compactMap(\.self)
    }
  }

  package var icons: [String] {
    placeholders.flatMap { (try? $0.expression.get())?.icons ?? [] }
  }

  private var placeholders: [Placeholder] {
    parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
  }

  /// The text before the first expression, and the text after the last one.
  package var literalEnds: (start: String, end: String) {
    func text(_ part: Part?) -> String { if case .literal(let text)? = part { text } else { "" } }
    return (text(parts.first), text(parts.last))
  }

  package var expressionCount: Int { placeholders.count }

  /// The text, or nil if the template contains expressions.
  package var literal: String? { placeholders.isEmpty ? literalEnds.start : nil }

  /// The expression of a single `{expression}` without a format.
  package var singleExpression: Expression? {
    guard parts.count == 1, case .placeholder(let placeholder) = parts[0],
      placeholder.format == nil
    else { return nil }
    return try? placeholder.expression.get()
  }

  /// Names of days and months are `texts.monday`, `texts.january` etc. if `space` contains them,
  /// and `texts.mon` and `texts.jan` for abbreviations.
  package func resolved<S: NameSpace>(
    in space: S
  ) throws(ExpressionError) -> ResolvedTemplate<S.Name> {
    let parts = try parts.map { (part) throws(ExpressionError) -> ResolvedTemplate<S.Name>.Part in
      switch part {
      case .literal(let text): .literal(text)
      case .placeholder(let placeholder): try placeholder.resolved(in: space)
      }
    }
    return ResolvedTemplate(parts: parts)
  }
}

extension Template.Placeholder {
  /// Starts after the opening brace. `end` is the index after the closing one.
  fileprivate static func parse(
    _ bytes: [UInt8], from start: Int
  ) throws(ExpressionError) -> (Self, end: Int) {
    let closing = bytes[start...].prefix(Expression.maximumBytes + 1)
      .firstIndex(of: UInt8(ascii: "}"))
    let verbatim = closing.flatMap { closing -> NamePath? in
      let path = NamePath(verbatim: String(decoding: bytes[start..<closing], as: UTF8.self))
      return path.flatMap { $0.parts.count > 1 ? $0 : nil }
    }
    var placeholder: Self
    let end: Int
    do throws(ExpressionError) {
      var parser = ExpressionParser(bytes, from: start)
      let tree = try parser.parse()
      let text = String(decoding: bytes[start..<parser.index], as: UTF8.self)
      placeholder = Self(offset: start, expression: .success(Expression(tree: tree, text: text)))
      if parser.take(":") {
        let offset = parser.index
        let format = bytes[offset...].prefix(Template.maximumFormatBytes + 1)
          .prefix { $0 != UInt8(ascii: "}") }
        guard format.endIndex < bytes.count, format.count <= Template.maximumFormatBytes else {
          throw ExpressionError(
            offset: offset - start, "a format without its closing brace", expected: "\"}\"")
        }
        guard !format.isEmpty else {
          throw ExpressionError(offset: offset - start, "a format is missing after \":\"")
        }
        placeholder.format = Template.Format(
          offset: offset, text: String(decoding: format, as: UTF8.self))
        end = format.endIndex + 1
      } else if parser.take("}") {
        end = parser.index
      } else {
        throw parser.unexpected(expected: "\"}\" or \":\" and a format")
      }
      if end - 1 == closing { placeholder.verbatim = verbatim }
    } catch {
      var error = error
      error.offset += start
      guard let closing, let verbatim else { throw error }
      // The text may still be a property.
      placeholder = Self(offset: start, verbatim: verbatim, expression: .failure(error))
      end = closing + 1
    }
    return (placeholder, end)
  }

  fileprivate func resolved<S: NameSpace>(
    in space: S
  ) throws(ExpressionError) -> ResolvedTemplate<S.Name>.Part {
    if let verbatim, let found = space.find(verbatim) {
      var tree = Tree()
      tree.nodes = [.name(0)]
      tree.offsets = [0]
      tree.names = [verbatim]
      return .expression(
        ResolvedExpression(
          tree: tree, names: [found.name], kinds: [found.kind],
          shape: Shape(found.kind, of: space.elementKind(of: found.name))), nil)
    }
    let expression: ResolvedExpression<S.Name>
    do throws(ExpressionError) {
      expression = try self.expression.get().resolved(in: space)
    } catch {
      // A mistyped property is more likely than a nonsensical expression.
      if let verbatim, let suggestion = space.problem(in: verbatim).suggestion {
        throw ExpressionError(
          offset: offset, space.problem(in: verbatim).what, suggestion: suggestion)
      }
      // A syntax error's offset is already relative to the whole text.
      guard case .success = self.expression else { throw error }
      var error = error
      error.offset += offset
      throw error
    }
    guard let format else { return .expression(expression, nil) }
    do throws(FormatError) {
      return .expression(
        expression, try ResolvedFormat(format.text, for: expression.kind, in: space))
    } catch {
      throw ExpressionError(offset: format.offset, error.what, expected: error.expected)
    }
  }
}
