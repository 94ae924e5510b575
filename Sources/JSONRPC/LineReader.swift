// SPDX-License-Identifier: MIT

/// Splits a byte stream into lines. Scans each byte once.
package struct LineReader: Sendable {
  package enum Line: Hashable, Sendable {
    /// The line without its line feed and optional carriage return.
    case text([UInt8])
    /// The line exceeds the limit. Nothing can be read after it.
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The index of the next line's first byte.
  private var start = 0
  /// The index of the next byte to scan. If `hasLine` is true, the index of a line feed or the end.
  private var scanned = 0
  private var isEnded = false

  /// Creates a reader. `limit` is the maximum length of a line in bytes, without its end.
  package init(limit: Int) {
    self.limit = limit
    precondition(limit > 0, "a line needs a byte")
  }

  /// The number of unread bytes.
  package var count: Int { bytes.count - start }

  /// The size of the buffer in bytes.
  package var capacity: Int { bytes.capacity }

  /// Whether `next` returns a line.
  package private(set) var hasLine = false

  /// Appends received bytes.
  package mutating func append(_ new: some Collection<UInt8>) {
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes.append(contentsOf: new)
    if !hasLine { scan() }
  }

  /// Marks the end of the stream. The rest is the last line.
  package mutating func end() {
    isEnded = true
    if !hasLine { scan() }
  }

  /// Returns the next line, or nil if no line is complete.
  package mutating func next() -> Line? {
    guard hasLine else { return nil }
    let line = bytes[start..<scanned]
    guard line.count <= limit else { return .tooLong }
    let text = Array(line.last == 13 ? line.dropLast() : line)
    start = min(scanned + 1, bytes.count)
    if start == bytes.count {
      // Release the buffer, which a long line may have grown.
      bytes = []
      start = 0
    }
    scanned = start
    scan()
    return .text(text)
  }

  private mutating func scan() {
    while scanned < bytes.count, bytes[scanned] != 10, scanned - start <= limit { scanned += 1 }
    hasLine =
      scanned < bytes.count || scanned - start > limit || (isEnded && scanned > start)
  }
}
