// SPDX-License-Identifier: MIT

/// Something in a kiosk file that the author should change, and where.
public struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Severity: String, Sendable {
    /// The kiosk cannot be shown.
    case error
    /// The kiosk works, but not well.
    case warning
  }

  /// The path by which the file was read.
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int
  public var severity: Severity
  /// What is wrong, and in parentheses what would be right.
  public var message: String

  public init(
    file: String, line: Int, column: Int, severity: Severity = .error, message: String
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.severity = severity
    self.message = message
  }

  /// `FILE:LINE:COLUMN: error: WHAT (expected …; did you mean …?)`.
  public var description: String { "\(file):\(line):\(column): \(severity): \(message)" }
}

/// A place in the file, both numbers from 1.
struct Mark: Hashable, Comparable, Sendable {
  var line: Int
  var column: Int

  static let start = Mark(line: 1, column: 1)

  static func < (a: Mark, b: Mark) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

extension Mark {
  /// The place behind a text in UTF-8.
  init(after text: some BidirectionalCollection<UInt8>) {
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
  var quoted: String {
    let short = count > 60 ? prefix(57) + "…" : self[...]
    let safe = short.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\"": "\\\""
      case _ where scalar.properties.generalCategory == .control:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"\(safe.joined())\""
  }
}

extension [String] {
  static let mostAlternatives = 24

  /// `a, b or c`; a long list ends early.
  var alternatives: String {
    guard count <= Self.mostAlternatives else {
      return prefix(Self.mostAlternatives).joined(separator: ", ") + ", …"
    }
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
