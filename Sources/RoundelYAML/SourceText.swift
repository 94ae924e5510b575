// SPDX-License-Identifier: MIT

internal import RoundelDeclarations

/// The lines of a file, found on first use.
final class SourceText {
  private let bytes: ArraySlice<UInt8>
  private lazy var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  /// The starts, and the index after the last line break, if any.
  private lazy var starts = findStarts()

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// Finds lines like libyaml.
  private func findStarts() -> [Int] {
    var starts = [0]
    for (index, scalar) in scalars.enumerated() where Self.isBreak(scalar) {
      if scalar == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
      starts.append(index + 1)
    }
    return starts
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  var count: Int { starts.count }

  /// The line from 1, without its break. Empty if it doesn't exist.
  subscript(line: Int) -> [Unicode.Scalar] {
    guard starts.indices.contains(line - 1) else { return [] }
    let end = line < starts.count ? starts[line] : scalars.count
    return Array(scalars[starts[line - 1]..<end].prefix { !Self.isBreak($0) })
  }

  /// The character, or nil at the end of a line.
  subscript(mark: Mark) -> Unicode.Scalar? {
    let line = self[mark.line]
    return line.indices.contains(mark.column - 1) ? line[mark.column - 1] : nil
  }

  func rest(from mark: Mark) -> ArraySlice<Unicode.Scalar> {
    self[mark.line].dropFirst(mark.column - 1)
  }

  /// Spaces and tabs, or nil for an empty line or a comment.
  func indentation(of line: Int) -> Int? {
    let line = self[line]
    guard let first = line.firstIndex(where: { $0 != " " && $0 != "\t" }), line[first] != "#"
    else { return nil }
    return first
  }

  func lineBefore(_ line: Int) -> Int? {
    stride(from: line - 1, to: 0, by: -1).first { indentation(of: $0) != nil }
  }

  /// The columns, from 0, of the open maps and lists.
  func blockColumns(before end: Int) -> [Int] {
    var columns: [Int] = []
    for number in 1..<max(1, end) {
      guard var column = indentation(of: number) else { continue }
      let line = self[number]
      let isItem = line[column] == "-" && (column + 1 == line.count || line[column + 1] == " ")
      guard isItem || colon(in: number) != nil else { continue }
      columns.removeAll { $0 > column }
      if columns.last != column { columns.append(column) }
      while column < line.count, line[column] == "-" {
        guard let next = line[(column + 1)...].firstIndex(where: { $0 != " " }), next > column + 1
        else { break }
        column = next
        columns.append(column)
      }
    }
    return columns
  }

  /// The first colon that ends a key.
  func colon(in number: Int) -> Int? {
    let line = self[number]
    return line.indices.first {
      line[$0] == ":" && ($0 + 1 == line.count || line[$0 + 1] == " " || line[$0 + 1] == "\t")
    }
  }

  /// An unquoted colour after a key, which is a comment.
  func commentedColor(behindKey end: Mark) -> (text: String, mark: Mark)? {
    let rest = rest(from: end).drop { $0 == " " }
    guard rest.first == ":" else { return nil }
    let value = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
    guard value.first == "#" else { return nil }
    return color(at: Mark(line: end.line, column: value.startIndex + 1))
  }

  /// A `#` and its digits.
  func color(at mark: Mark) -> (text: String, mark: Mark)? {
    let digits = rest(from: mark).dropFirst().prefix {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
    guard [3, 4, 6, 8].contains(digits.count), digits.allSatisfy(\.properties.isASCIIHexDigit)
    else { return nil }
    return ("#" + String(String.UnicodeScalarView(digits)), mark)
  }
}
