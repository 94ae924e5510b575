// SPDX-License-Identifier: MIT

internal import RoundelJSON

package struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    case error
    /// The file is usable, but has a problem.
    case warning
  }

  /// The file's path, as given to the reader.
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// In characters, counted from 1.
  package var column: Int
  package var severity: Severity
  /// The error in words, with the correction in parentheses.
  package var message: String

  package init(file: String, line: Int, column: Int, severity: Severity = .error, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.severity = severity
    self.message = message
  }

  /// `FILE:LINE:COLUMN: error: WHAT (expected …; did you mean …?)`.
  package var description: String { "\(file):\(line):\(column): \(severity): \(message)" }

  static func message(_ what: String, expected: String?, suggestion: String?) -> String {
    let hints = [
      expected.map { "expected \($0)" }, suggestion.map { "did you mean \($0.quoted)?" },
    ]
    .compactMap(\.self)
    return hints.isEmpty ? what : "\(what) (\(hints.joined(separator: "; ")))"
  }
}

/// A location in a file. Lines and columns count from 1.
package struct Mark: Hashable, Comparable, Sendable {
  /// The index of the file. The main file is 0.
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

  package func inFile(_ file: Int) -> Mark { Mark(file: file, line: line, column: column) }
}

extension Mark {
  /// The location after a file's last character.
  package init(endOf text: [UInt8]) {
    // The final line break doesn't start another line.
    self.init(after: text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...])
  }

  package init(after text: some BidirectionalCollection<UInt8>) {
    let newline = UInt8(ascii: "\n")
    let begin = text.lastIndex(of: newline).map(text.index(after:)) ?? text.startIndex
    // Every character has one byte that isn't a continuation byte.
    self.init(
      line: text.count { $0 == newline } + 1,
      column: text[begin...].count { $0 & 0xc0 != 0x80 } + 1)
  }
}

extension String {
  /// The string in quotes on one line, shortened if it is long.
  package var quoted: String {
    "\"\(shortened.printable.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\""))\""
  }

  /// Truncates a long string. Counts scalars, because a character may have any length.
  package var shortened: String {
    guard unicodeScalars.dropFirst(60).first != nil else { return self }
    return String(unicodeScalars.prefix(57)) + "…"
  }
}
