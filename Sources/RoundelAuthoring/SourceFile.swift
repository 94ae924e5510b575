// SPDX-License-Identifier: MIT

package import RoundelDeclarations

/// An editor's position: the line, and the preceding UTF-16 units in the line, both from 0.
package struct TextPosition: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: TextPosition, b: TextPosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

package struct TextEdit: Hashable, Sendable {
  /// The range in bytes of the text before the edit.
  package var range: Range<Int>
  package var text: String

  package init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }
}

/// A file with conversions between byte offsets, marks, and editors' positions in O(log lines +
/// length of the line).
package struct SourceFile: Sendable {
  package private(set) var bytes: [UInt8]
  /// The start of each line for YAML, which also breaks lines at U+0085, U+2028 and U+2029.
  private var lines: [Int] = [0]
  /// The start of each line for editors, which break lines only at line feeds and carriage returns.
  private var editorLines: [Int] = [0]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    findLines()
  }

  private mutating func findLines() {
    lines = [start]
    editorLines = [0]
    var index = start
    while index < bytes.count {
      let length = lineBreak(at: index)
      guard length > 0 else {
        index += 1
        continue
      }
      lines.append(index + length)
      if bytes[index] == 10 || bytes[index] == 13 { editorLines.append(index + length) }
      index += length
    }
  }

  /// The offset after the byte order mark, if any.
  package var start: Int { bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

  /// Returns the size of a line break in bytes, or 0.
  package func lineBreak(at index: Int) -> Int {
    guard index < bytes.count else { return 0 }
    switch bytes[index] {
    case 10: return 1
    case 13: return index + 1 < bytes.count && bytes[index + 1] == 10 ? 2 : 1
    case 0xc2 where index + 1 < bytes.count && bytes[index + 1] == 0x85: return 2
    case 0xe2
    where index + 2 < bytes.count && bytes[index + 1] == 0x80
      && (bytes[index + 2] == 0xa8 || bytes[index + 2] == 0xa9):
      return 3
    default: return 0
    }
  }

  package subscript(range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Marks

  package var lineCount: Int { lines.count }

  package func startOfLine(at offset: Int) -> Int { lines[Self.line(of: offset, in: lines)] }

  /// Excludes the line break.
  package func endOfLine(at offset: Int) -> Int {
    var index = min(max(offset, 0), bytes.count)
    while index < bytes.count, lineBreak(at: index) == 0 { index += 1 }
    return index
  }

  package func mark(at offset: Int, file: Int = 0) -> Mark {
    let line = Self.line(of: offset, in: lines)
    let end = min(max(offset, lines[line]), bytes.count)
    return Mark(
      file: file, line: line + 1,
      column: bytes[lines[line]..<end].count { $0 & 0xc0 != 0x80 } + 1)
  }

  /// Clamps to the end of the line or the file.
  package func offset(of mark: Mark) -> Int {
    guard mark.line >= 1 else { return start }
    guard mark.line <= lines.count else { return bytes.count }
    var index = lines[mark.line - 1]
    let end = mark.line < lines.count ? lines[mark.line] : bytes.count
    var left = max(mark.column - 1, 0)
    while left > 0, index < end, lineBreak(at: index) == 0 {
      index = next(index)
      left -= 1
    }
    return index
  }

  /// Skips one character.
  package func next(_ index: Int) -> Int {
    var index = index + 1
    while index < bytes.count, bytes[index] & 0xc0 == 0x80 { index += 1 }
    return min(index, bytes.count)
  }

  // MARK: Positions

  package func position(at offset: Int) -> TextPosition {
    let line = Self.line(of: offset, in: editorLines)
    let end = min(max(offset, editorLines[line]), bytes.count)
    return TextPosition(line: line, column: Self.utf16Count(bytes[editorLines[line]..<end]))
  }

  package func offset(of position: TextPosition) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < editorLines.count else { return bytes.count }
    var index = editorLines[position.line]
    var left = position.column
    while left > 0, index < bytes.count, bytes[index] != 10, bytes[index] != 13 {
      let end = next(index)
      left -= Self.utf16Count(bytes[index..<end])
      // Don't split a surrogate pair.
      if left < 0 { break }
      index = end
    }
    return index
  }

  /// Counts like a decoder that replaces malformed sequences.
  private static func utf16Count(_ bytes: ArraySlice<UInt8>) -> Int {
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.count }
    return String(decoding: bytes, as: UTF8.self).utf16.count
  }

  private static func line(of offset: Int, in starts: [Int]) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  // MARK: Changes

  package mutating func replace(_ range: Range<Int>, with text: String) {
    bytes.replaceSubrange(range.clamped(to: 0..<bytes.count), with: Array(text.utf8))
    findLines()
  }

  /// The edits must not overlap.
  package func applying(_ edits: [TextEdit]) -> SourceFile {
    var new = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      new.replaceSubrange(edit.range.clamped(to: 0..<bytes.count), with: Array(edit.text.utf8))
    }
    return SourceFile(new)
  }
}
