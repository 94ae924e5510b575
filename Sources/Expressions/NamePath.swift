// SPDX-License-Identifier: MIT

/// A name in an expression: one or more parts with dots between them, such as `cups`,
/// `shows.label` or `texts.welcome`.
package struct NamePath: Hashable, Sendable {
  /// The parts in order, without backquotes; at least one.
  package let parts: [String]

  /// A name by its parts.
  package init(_ first: String, _ others: String...) { parts = [first] + others }

  init(parts: [String]) { self.parts = parts }

  /// The parts of a text between its dots, unchanged: `stop-watch.value` has two. Nil where one
  /// of them is empty.
  package init?(verbatim text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(parts: parts.map { String($0) })
  }
}

extension NamePath: CustomStringConvertible {
  /// The name as an expression writes it, with backquotes around parts that are not identifiers.
  package var description: String {
    parts.indices.map { index in
      Self.isIdentifier(parts[index], first: index == 0) ? parts[index] : "`\(parts[index])`"
    }.joined(separator: ".")
  }

  /// Words that are reserved at the beginning of a name; keywords are reserved everywhere in it. Source: the
  /// language definition of CEL, "Syntax".
  private static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
  ]
  private static let keywords: Set<String> = ["false", "in", "null", "true"]

  /// Whether a word cannot be a name in expressions, or not the first of one.
  package static func isReserved(_ word: String, first: Bool) -> Bool {
    keywords.contains(word) || first && reserved.contains(word)
  }

  private static func isIdentifier(_ word: String, first: Bool) -> Bool {
    guard let start = word.utf8.first, start.startsIdentifier else { return false }
    return word.utf8.allSatisfy(\.continuesIdentifier) && !isReserved(word, first: first)
  }
}

extension UInt8 {
  var startsIdentifier: Bool {
    self == UInt8(ascii: "_") || (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self)
  }

  package var isDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether an identifier may go on with it: a letter of ASCII, a digit or an underscore.
  package var continuesIdentifier: Bool { startsIdentifier || isDigit }
}
