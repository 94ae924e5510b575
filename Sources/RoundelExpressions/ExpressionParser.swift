// SPDX-License-Identifier: MIT

/// Stops at the first byte that can't continue the expression. Source of the grammar: the language
/// definition of CEL, "Syntax".
struct ExpressionParser {
  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  private(set) var index: Int

  private var tree = Tree()
  private var depth = 0
  /// The height of the tree below each node.
  private var heights: [Int] = []
  private var indices: [NamePath: Int] = [:]
  /// The variables of the enclosing macros, with their ranges.
  private var variables: [(name: String, range: Int)] = []

  init(_ bytes: [UInt8], from start: Int = 0) {
    self.bytes = bytes
    self.start = start
    end = min(bytes.count, start + Expression.maximumBytes)
    index = start
  }

  mutating func parse() throws(ExpressionError) -> Tree {
    _ = try expression()
    skipSpace()
    return tree
  }

  /// The next byte, or nil at the end of the text.
  var next: UInt8? { index < end ? bytes[index] : nil }

  private func byte(after count: Int) -> UInt8? {
    index + count < end ? bytes[index + count] : nil
  }

  /// Skips spaces, and comments from `//` to the end of the line.
  mutating func skipSpace() {
    while let byte = next {
      if byte == 0x20 || (0x09...0x0d).contains(byte) && byte != 0x0b {
        index += 1
      } else if byte == UInt8(ascii: "/"), self.byte(after: 1) == byte {
        while let byte = next, byte != 0x0a { index += 1 }
      } else {
        return
      }
    }
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: scalar) else { return false }
    index += 1
    return true
  }

  // MARK: Errors

  private func error(
    _ what: String, at place: Int? = nil, expected: String? = nil, suggestion: String? = nil
  ) -> ExpressionError {
    ExpressionError(
      offset: (place ?? index) - start, what, expected: expected, suggestion: suggestion)
  }

  func unexpected(expected: String) -> ExpressionError {
    guard next != nil else {
      let isCut = end < bytes.count
      return error(
        isCut
          ? "an expression is longer than \(Expression.maximumBytes) bytes"
          : "unexpected end of the expression", expected: isCut ? nil : expected)
    }
    if next == UInt8(ascii: "{") { return strayBrace(expected: expected) }
    let word = String(decoding: bytes[index..<end].prefix { $0.continuesIdentifier }, as: UTF8.self)
    // A character takes up to four bytes.
    let scalar = String(decoding: bytes[index..<end].prefix(4), as: UTF8.self).unicodeScalars.first
    let found = word.isEmpty ? scalar.map { String($0) } ?? "" : word
    if let scalar, !scalar.isASCII {
      return error(
        "\"\(found)\" outside a string", expected: "names with such characters in backquotes")
    }
    let suggestion = ["and": "&&", "or": "||", "=": "==", "&": "&&", "|": "||"][found]
    return error("unexpected \"\(found)\"", expected: expected, suggestion: suggestion)
  }

  private func strayBrace(at place: Int? = nil, expected: String) -> ExpressionError {
    // `texts.alarm_{n}` computes a name.
    let head = bytes[start..<(place ?? index)].reversed()
      .prefix { $0.continuesIdentifier || $0 == UInt8(ascii: ".") }.reversed()
    let name = String(decoding: head, as: UTF8.self)
    return error(
      "a brace inside an expression", at: place,
      expected: "\(expected); write names without braces",
      suggestion: name.hasPrefix("texts.") ? "texts[\"\(name.dropFirst(6))\" + …]" : nil)
  }

  // MARK: Nodes

  private mutating func add(_ node: Tree.Node, at place: Int) throws(ExpressionError) -> Int {
    let height = 1 + (tree.operands(of: node).map { heights[$0] }.max() ?? 0)
    guard height <= Expression.maximumDepth else { throw tooDeep(at: place) }
    tree.nodes.append(node)
    tree.offsets.append(place - start)
    heights.append(height)
    return tree.root
  }

  private mutating func add(_ literal: Value, at place: Int) throws(ExpressionError) -> Int {
    tree.literals.append(literal)
    return try add(.literal(tree.literals.count - 1), at: place)
  }

  private mutating func add(operands: [Int]) -> Range<Int> {
    tree.operands += operands
    return (tree.operands.count - operands.count)..<tree.operands.count
  }

  private mutating func add(word: String) -> Int {
    tree.words.append(word)
    return tree.words.count - 1
  }

  private func tooDeep(at place: Int) -> ExpressionError {
    error("an expression has more than \(Expression.maximumDepth) levels", at: place)
  }

  // MARK: Operators

  private mutating func expression() throws(ExpressionError) -> Int {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.maximumDepth else { throw tooDeep(at: index) }

    let condition = try operand(.or)
    let place = index
    guard take("?") else { return condition }
    let first = try operand(.or)
    if next == UInt8(ascii: "?") {
      throw error("a choice before \":\" needs parentheses")
    }
    guard take(":") else { throw unexpected(expected: "\":\"") }
    let second = try expression()
    return try add(.ternary(.choice, condition, first, second), at: place)
  }

  /// Includes the operators that bind at least as strongly as `minimum`, and space.
  private mutating func operand(_ minimum: Precedence) throws(ExpressionError) -> Int {
    var left = try prefixed()
    skipSpace()
    while let (operation, precedence) = infix, precedence >= minimum {
      let place = index
      index += operation.rawValue.utf8.count
      let right = try operand(precedence.next)
      left = try add(.binary(operation, left, right), at: place)
    }
    return left
  }

  private var infix: (BinaryOperation, Precedence)? {
    guard let first = next else { return nil }
    let two = byte(after: 1).flatMap { Self.infixes[[first, $0]] }
    if two?.0 == .isIn, byte(after: 2)?.continuesIdentifier == true { return nil }
    return two ?? Self.infixes[[first]]
  }

  private static let infixes: [[UInt8]: (BinaryOperation, Precedence)] = {
    var infixes: [[UInt8]: (BinaryOperation, Precedence)] = [:]
    for operation in BinaryOperation.allCases {
      if case .infix(let precedence) = operation.notation {
        infixes[Array(operation.rawValue.utf8)] = (operation, precedence)
      }
    }
    return infixes
  }()

  private mutating func prefixed() throws(ExpressionError) -> Int {
    skipSpace()
    let place = index
    let operation: UnaryOperation? = take("!") ? .not : take("-") ? .negate : nil
    guard let operation else { return try member() }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.maximumDepth else { throw tooDeep(at: place) }
    return try add(.unary(operation, try prefixed()), at: place)
  }

  // MARK: Operands

  /// Parses a literal, a name, a call or parentheses, with methods, members and brackets.
  private mutating func member() throws(ExpressionError) -> Int {
    let place = index
    var parts: [String] = []
    var node = try primary(&parts)
    while true {
      skipSpace()
      let bracket = index
      if take("[") {
        if node == nil { node = try name(parts, at: place) }
        guard let base = node else { break }
        let key = try expression()
        guard take("]") else { throw unexpected(expected: "\"]\"") }
        node = try add(.index(base, key), at: bracket)
        continue
      }
      guard take(".") else { break }
      skipSpace()
      let partPlace = index
      let word = try word(first: false, expected: "a name after \".\"")
      skipSpace()
      if next == UInt8(ascii: "("), !word.isQuoted {
        let qualified = parts.count == 1 ? "\(parts[0]).\(word.text)" : ""
        if node == nil, Self.functions.contains(qualified) {
          node = try call(qualified, on: nil, at: place)
          continue
        }
        if node == nil { node = try name(parts, at: place) }
        node = try call(word.text, on: node, at: partPlace)
        continue
      }
      try checkReserved(word, first: false, at: partPlace)
      if let base = node {
        node = try add(.member(base, word: add(word: word.text)), at: partPlace)
      } else {
        parts.append(word.text)
      }
    }
    if let node { return node }
    return try name(parts, at: place)
  }

  /// Returns nil after the first part of a name.
  private mutating func primary(_ parts: inout [String]) throws(ExpressionError) -> Int? {
    let place = index
    switch next {
    case UInt8(ascii: "("):
      index += 1
      let node = try expression()
      guard take(")") else { throw unexpected(expected: "\")\"") }
      return node
    case UInt8(ascii: "["):
      index += 1
      return try add(.list(add(operands: try operands(until: "]"))), at: place)
    case UInt8(ascii: "{"): return try record()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try add(.text(try text()), at: place)
    case UInt8(ascii: "r"), UInt8(ascii: "R"):
      guard let quote = byte(after: 1), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else { break }
      index += 1
      return try add(.text(try text(isRaw: true)), at: place)
    case UInt8(ascii: ".") where byte(after: 1)?.startsIdentifier == true:
      // A name, even if a variable has the same name.
      index += 1
      let word = try word(first: true, expected: "a name")
      try checkReserved(word, first: true, at: place)
      parts = [word.text]
      return nil
    case .some(let byte) where byte.isDigit || byte == UInt8(ascii: "."):
      return try add(.number(try number()), at: place)
    default: break
    }
    let word = try word(first: true, expected: "a value or a name")
    skipSpace()
    if next == UInt8(ascii: "("), !word.isQuoted { return try call(word.text, on: nil, at: place) }
    if word.text == "true" || word.text == "false", !word.isQuoted {
      return try add(.flag(word.text == "true"), at: place)
    }
    try checkReserved(word, first: true, at: place)
    if let slot = variables.lastIndex(where: { $0.name == word.text }) {
      return try add(
        .local(slot, range: variables[slot].range, word: add(word: word.text)), at: place)
    }
    parts = [word.text]
    return nil
  }

  /// Parses a record, starting at the opening brace.
  private mutating func record() throws(ExpressionError) -> Int {
    let place = index
    index += 1
    var operands: [Int] = []
    var names: Set<[UInt8]> = []
    skipSpace()
    while next != UInt8(ascii: "}") {
      let keyPlace = index
      let key = try expression()
      if case .text(let text) = tree.literal(key), !names.insert(Array(text.utf8)).inserted {
        throw error("a record has a member twice", at: keyPlace)
      }
      guard take(":") else {
        if next == UInt8(ascii: "}") { throw strayBrace(at: place, expected: "a value or a name") }
        throw unexpected(expected: "\":\" after the name of a member")
      }
      operands += [key, try expression()]
      guard take(",") else { break }
      skipSpace()
    }
    guard take("}") else { throw unexpected(expected: "\",\" or \"}\"") }
    return try add(.record(add(operands: operands)), at: place)
  }

  /// Parses values and the closing bracket. A comma may follow the last value of a list.
  private mutating func operands(until closer: Unicode.Scalar) throws(ExpressionError) -> [Int] {
    var operands: [Int] = []
    skipSpace()
    guard !take(closer) else { return [] }
    repeat {
      operands.append(try expression())
      guard take(",") else { break }
      skipSpace()
    } while closer == ")" || next != UInt8(ascii: closer)
    guard take(closer) else { throw unexpected(expected: "\",\" or \"\(closer)\"") }
    return operands
  }

  private mutating func name(_ parts: [String], at place: Int) throws(ExpressionError) -> Int {
    let path = NamePath(parts: parts)
    let number = indices[path] ?? tree.names.count
    if number == tree.names.count {
      tree.names.append(path)
      indices[path] = number
    }
    return try add(.name(number), at: place)
  }

  private typealias Word = (text: String, isQuoted: Bool)

  private mutating func word(first: Bool, expected: String) throws(ExpressionError) -> Word {
    let place = index
    if take("`") {
      while let byte = next, byte != UInt8(ascii: "`") { index += 1 }
      guard next != nil else { throw error("a backquote is missing", at: place) }
      let text = String(decoding: bytes[(place + 1)..<index], as: UTF8.self)
      index += 1
      guard !text.isEmpty else { throw error("an empty name", at: place) }
      return (text, true)
    }
    guard let start = next, start.startsIdentifier else { throw unexpected(expected: expected) }
    while let byte = next, byte.continuesIdentifier { index += 1 }
    return (String(decoding: bytes[place..<index], as: UTF8.self), false)
  }

  private func checkReserved(_ word: Word, first: Bool, at place: Int) throws(ExpressionError) {
    guard !word.isQuoted, NamePath.isReserved(word.text, first: first) else { return }
    throw error("\"\(word.text)\" is a reserved word", at: place, expected: "`\(word.text)`")
  }

  // MARK: Calls

  /// Parses a call, starting at the opening parenthesis.
  private mutating func call(
    _ function: String, on receiver: Int?, at place: Int
  ) throws(ExpressionError) -> Int {
    index += 1
    if let receiver, let macro = Macro(rawValue: function) {
      return try each(macro, receiver, at: place)
    }
    let operands = (receiver.map { [$0] } ?? []) + (try self.operands(until: ")"))
    if receiver == nil {
      if function == Self.format { return try formatted(operands, at: place) }
      if function == Self.has { return try has(operands, at: place) }
    }
    let function = receiver == nil ? FunctionSummary.aliases[function] ?? function : function
    let notation = receiver == nil ? Notation.function : .method
    let count: String
    if let operation = Self.variadic[function], receiver == nil, operands.count > 1 {
      var node = operands[0]
      for operand in operands.dropFirst() {
        node = try add(.binary(operation, node, operand), at: place)
      }
      return node
    } else if let operation = UnaryOperation(rawValue: function),
      operation.notation == notation || operation == .size
    {
      if operands.count == 1 { return try add(.unary(operation, operands[0]), at: place) }
      count = notation == .method ? "no arguments" : "one argument"
    } else if let operation = BinaryOperation(rawValue: function), operation.notation == notation {
      if operands.count == 2 {
        return try add(.binary(operation, operands[0], operands[1]), at: place)
      }
      count = notation == .function ? "two or more arguments" : "one argument"
    } else if let operation = TernaryOperation(rawValue: function), operation.notation == notation {
      if operands.count == 3 {
        return try add(.ternary(operation, operands[0], operands[1], operands[2]), at: place)
      }
      count = "three arguments"
    } else if let method = Method(rawValue: function), receiver != nil {
      let most = method.parameters.count
      if (method.required...most).contains(operands.count - 1) {
        return try add(.call(method, add(operands: operands)), at: place)
      }
      let values = most == 1 ? "argument" : "arguments"
      count = (method.required == most ? "" : "\(method.required) to ") + "\(most) \(values)"
    } else {
      let (kind, known) =
        notation == .function ? ("function", Self.functions) : ("method", Self.methods)
      throw error(
        "unknown \(kind) \"\(function)\"", at: place,
        expected: "one of \(known.joined(separator: " "))")
    }
    throw error("\"\(function)\" takes \(count)", at: place)
  }

  /// Parses a macro after its opening parenthesis.
  private mutating func each(
    _ macro: Macro, _ range: Int, at place: Int
  ) throws(ExpressionError) -> Int {
    skipSpace()
    let wordPlace = index
    let word = try word(first: true, expected: "the name of a variable")
    guard !word.isQuoted else { throw error("a variable has no backquotes", at: wordPlace) }
    try checkReserved(word, first: true, at: wordPlace)
    skipSpace()
    guard take(",") else { throw unexpected(expected: "\",\" after a variable") }
    guard variables.count < Expression.maximumLoops else {
      throw error(
        "more than two nested macros", at: place, expected: "a computed value for one")
    }
    variables.append((word.text, range))
    defer { variables.removeLast() }
    let slot = variables.count - 1
    let variable = add(word: word.text)
    var (macro, range) = (macro, range)
    var body = try expression()
    if macro == .map, take(",") {
      // `map(x, condition, value)` is `filter(x, condition).map(x, value)`.
      range = try add(.each(.filter, range, slot: slot, word: variable, body: body), at: place)
      variables[slot].range = range
      body = try expression()
    }
    guard take(")") else { throw unexpected(expected: "\")\"") }
    return try add(.each(macro, range, slot: slot, word: variable, body: body), at: place)
  }

  private mutating func has(_ operands: [Int], at place: Int) throws(ExpressionError) -> Int {
    switch operands.first.map({ tree.nodes[$0] }) {
    case .name, .member, .index, .local:
      if operands.count == 1 { return try add(.has(operands[0]), at: place) }
    default: break
    }
    throw error("\"\(Self.has)\" takes a name, a member or an item", at: place)
  }

  /// Parses `format(x, f)`.
  private mutating func formatted(_ operands: [Int], at place: Int) throws(ExpressionError) -> Int {
    guard operands.count == 2 else {
      throw error("\"\(Self.format)\" takes a value and a format", at: place)
    }
    var text: String?
    if case .text(let format) = tree.literal(operands[1]) { text = format }
    tree.formats.append(
      Tree.Format(offset: tree.offsets[operands[1]], text: text, operand: operands[0]))
    return try add(
      .formatted(operands[0], operands[1], format: tree.formats.count - 1), at: place)
  }

  private static let format = "format"
  private static let has = "has"
  /// Functions of two values or more.
  private static let variadic: [String: BinaryOperation] = [
    "min": .min, "max": .max, "math.least": .min, "math.greatest": .max,
  ]
  private static let functions =
    names(.function) + [format, has] + FunctionSummary.aliases.keys.sorted()
  private static let methods =
    names(.method) + [UnaryOperation.size.rawValue] + Method.allCases.map(\.rawValue)
    + Macro.allCases.map(\.rawValue)

  private static func names(_ notation: Notation) -> [String] {
    UnaryOperation.allCases.filter { $0.notation == notation }.map(\.rawValue)
      + BinaryOperation.allCases.filter { $0.notation == notation }.map(\.rawValue)
      + TernaryOperation.allCases.filter { $0.notation == notation }.map(\.rawValue)
  }

  // MARK: Literals

  private mutating func number() throws(ExpressionError) -> Double {
    let place = index
    if next == UInt8(ascii: "0"), let x = byte(after: 1), x == 0x78 || x == 0x58 {
      return try hexadecimal()
    }
    while let byte = next, byte.isDigit { index += 1 }
    if next == UInt8(ascii: "."), byte(after: 1)?.isDigit == true {
      index += 1
      while let byte = next, byte.isDigit { index += 1 }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      let hasSign = byte(after: 1) == UInt8(ascii: "+") || byte(after: 1) == UInt8(ascii: "-")
      if byte(after: hasSign ? 2 : 1)?.isDigit == true {
        index += hasSign ? 2 : 1
        while let byte = next, byte.isDigit { index += 1 }
      }
    }
    guard index > place else { throw unexpected(expected: "a value or a name") }
    if let byte = next, byte.startsIdentifier {
      throw unexpected(expected: "an operator after a number")
    }
    let digits = String(decoding: bytes[place..<index], as: UTF8.self)
    guard let number = Double(digits), number.isFinite else {
      throw error("a number is too large", at: place)
    }
    return number
  }

  private mutating func hexadecimal() throws(ExpressionError) -> Double {
    let place = index
    index += 2
    while let byte = next, byte.continuesIdentifier { index += 1 }
    let digits = bytes[(place + 2)..<index]
    guard let number = UInt64(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw error("a hexadecimal number has 1 to 16 digits", at: place)
    }
    return Double(number)
  }

  /// Rejects text that looks like a template, because it would not be filled in.
  private func checkForTemplate(from place: Int) throws(ExpressionError) {
    let content = bytes[place..<index]
    guard let brace = content.firstIndex(of: UInt8(ascii: "{")) else { return }
    let expected = "\"+\" between strings, and format(x, \".2f\") for a format"
    if brace + 1 < index, bytes[brace + 1] == UInt8(ascii: "{") {
      throw error("\"{{\" inside a string of an expression", at: brace, expected: "one brace")
    }
    let template = try? Template(String(decoding: content, as: UTF8.self))
    if template?.names.isEmpty == false {
      throw error("a template inside a string of an expression", at: brace, expected: expected)
    }
  }

  /// Parses a string, starting at the first quotation mark. Three of them enclose several lines. A
  /// raw string has no escapes.
  private mutating func text(isRaw: Bool = false) throws(ExpressionError) -> String {
    let place = index
    let quote = next
    let isLong = byte(after: 1) == quote && byte(after: 2) == quote
    let marks = isLong ? 3 : 1
    index += marks
    var content: [UInt8] = []
    while let byte = next {
      switch byte {
      case quote where !isLong || self.byte(after: 1) == quote && self.byte(after: 2) == quote:
        try checkForTemplate(from: place + marks)
        index += marks
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\") where !isRaw:
        content.append(contentsOf: String(try escape()).utf8)
      case 0x0a where !isLong, 0x0d where !isLong:
        throw error("a line break in a string", expected: "\"\\n\"")
      default:
        content.append(byte)
        index += 1
      }
    }
    // The expression is too long.
    guard end == bytes.count else { throw unexpected(expected: "") }
    throw error("a string without a closing quotation mark", at: place)
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{c}",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    UInt8(ascii: "v"): "\u{b}", UInt8(ascii: "\\"): "\\", UInt8(ascii: "?"): "?",
    UInt8(ascii: "\""): "\"", UInt8(ascii: "'"): "'", UInt8(ascii: "`"): "`",
  ]

  /// Parses an escape sequence, starting at the backslash.
  private mutating func escape() throws(ExpressionError) -> Unicode.Scalar {
    let place = index
    index += 1
    guard let letter = next else { throw unexpected(expected: "an escape sequence") }
    if let scalar = Self.escapes[letter] {
      index += 1
      return scalar
    }
    if letter.isDigit {
      let code = digits(3, radix: 8)
      if let scalar = code.flatMap(Unicode.Scalar.init), scalar.value <= 0o377 { return scalar }
    } else if let count = [0x78: 2, 0x58: 2, 0x75: 4, 0x55: 8][letter] {
      index += 1
      if let code = digits(count, radix: 16) {
        if let scalar = Unicode.Scalar(code) { return scalar }
        // CEL has no surrogate pairs.
        if (0xd800..<0xe000).contains(code) {
          throw error(
            "an escape sequence for an unpaired surrogate", at: place,
            expected:
              #"an escape sequence for the whole character, such as \U0001f600, or the character itself"#
          )
        }
      }
    }
    throw error("an unknown escape sequence", at: place, expected: #"\n \t \" \' \\ \x41 \u0041 …"#)
  }

  private mutating func digits(_ count: Int, radix: UInt32) -> UInt32? {
    var code: UInt32 = 0
    for _ in 0..<count {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }),
        digit < radix
      else { return nil }
      let (product, overflow) = code.multipliedReportingOverflow(by: radix)
      if overflow { return nil }
      code = product + UInt32(digit)
      index += 1
    }
    return code
  }
}
