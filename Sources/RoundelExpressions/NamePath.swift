// SPDX-License-Identifier: MIT

/// A name in an expression, such as `cups`, `shows.label` or `texts.welcome`.
package struct NamePath: Hashable, Sendable {
  /// The parts without backquotes. At least one.
  package let parts: [String]

  package init(_ first: String, _ others: String...) { parts = [first] + others }

  init(parts: some Sequence<String>) { self.parts = Array(parts) }

  /// Splits at dots only: `stop-watch.value` has two parts. Nil if a part is empty.
  package init?(verbatim text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(parts: parts.map { String($0) })
  }
}

extension NamePath: CustomStringConvertible {
  /// Has backquotes around parts that are not identifiers.
  package var description: String {
    parts.indices.map { Self.quoted(parts[$0], first: $0 == 0) }.joined(separator: ".")
  }

  /// Returns the part, in backquotes unless it is an identifier.
  static func quoted(_ part: String, first: Bool) -> String {
    isIdentifier(part, first: first) ? part : "`\(part)`"
  }

  /// Words that are reserved at the start of a name. Keywords are reserved everywhere. Source: the language
  /// definition of CEL, "Syntax".
  private static let reserved: Set<String> = [
    "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop",
    "package", "namespace", "return", "var", "void", "while",
  ]
  private static let keywords: Set<String> = ["false", "in", "null", "true"]

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

  /// An ASCII letter, a digit or an underscore.
  package var continuesIdentifier: Bool { startsIdentifier || isDigit }
}
