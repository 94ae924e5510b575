// SPDX-License-Identifier: MIT

/// Splits a byte stream into lines. Scans each byte once.
package struct LineReader: Sendable {
  package enum Line: Hashable, Sendable {
    /// Excludes the line feed and optional carriage return.
    case text([UInt8])
    /// The line exceeds the limit. Nothing can be read after it.
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// The next byte to scan, or the end of the line if `hasLine`.
  private var scanned = 0
  private var isEnded = false

  /// `limit` is the maximum size of a line in bytes, without its line end.
  package init(limit: Int) {
    self.limit = limit
    precondition(limit > 0, "a line needs a byte")
  }

  package var count: Int { bytes.count - start }

  package var capacity: Int { bytes.capacity }

  package private(set) var hasLine = false

  package mutating func append(_ new: some Collection<UInt8>) {
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes.append(contentsOf: new)
    if !hasLine { scan() }
  }

  /// The rest is the last line.
  package mutating func end() {
    isEnded = true
    if !hasLine { scan() }
  }

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
