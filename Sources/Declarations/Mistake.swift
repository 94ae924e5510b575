// SPDX-License-Identifier: MIT

internal import JSON

/// Something in a file that the author should change, and where.
package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    /// The file cannot be used.
    case error
    /// It can, but not well.
    case warning
  }

  /// The path by which the file was read.
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in characters.
  package var column: Int
  package var severity: Severity
  /// The mistake in words, and in parentheses the correction.
  package var message: String

  package init(
    file: String, line: Int, column: Int, severity: Severity = .error, message: String
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.severity = severity
    self.message = message
  }

  /// `FILE:LINE:COLUMN: error: WHAT (expected …; did you mean …?)`.
  package var description: String { "\(file):\(line):\(column): \(severity): \(message)" }

  /// A mistake in words, the values that are `expected`, and the word that was probably meant.
  static func message(_ what: String, expected: String?, near: String?) -> String {
    let hints = [expected.map { "expected \($0)" }, near.map { "did you mean \($0.quoted)?" }]
      .compactMap(\.self)
    return hints.isEmpty ? what : "\(what) (\(hints.joined(separator: "; ")))"
  }
}

/// A place in a file, line and column from 1.
package struct Mark: Hashable, Comparable, Sendable {
  /// The number of the file that it is in, among a reader's files: 0 for the first one, then the included ones.
  package var file: Int
  package var line: Int
  package var column: Int

  package init(file: Int = 0, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package static let start = Mark(line: 1, column: 1)

  package static func < (a: Mark, b: Mark) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }

  /// The same place in another file.
  package func inFile(_ file: Int) -> Mark { Mark(file: file, line: line, column: column) }
}

extension Mark {
  /// The place after a file's last character.
  package init(endOf text: [UInt8]) {
    // The line break that ends the last line does not begin another one.
    self.init(after: text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...])
  }

  /// The place after a text in UTF-8.
  package init(after text: some BidirectionalCollection<UInt8>) {
    let newline = UInt8(ascii: "\n")
    let begin = text.lastIndex(of: newline).map(text.index(after:)) ?? text.startIndex
    // Every character has one byte that does not continue another.
    self.init(
      line: text.count { $0 == newline } + 1,
      column: text[begin...].count { $0 & 0xc0 != 0x80 } + 1)
  }
}

extension String {
  /// The text in quotes and on one line, shortened where it is long.
  package var quoted: String {
    "\"\(shortened.printable.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
  }

  /// Its beginning, where it is long. One character may be of any length, a scalar is not.
  package var shortened: String {
    guard unicodeScalars.dropFirst(60).first != nil else { return self }
    return String(unicodeScalars.prefix(57)) + "…"
  }
}
