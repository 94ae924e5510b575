// SPDX-License-Identifier: MIT

/// Cuts a stream of bytes into lines, without going over any byte twice.
package struct LineReader: Sendable {
  package enum Line: Hashable, Sendable {
    /// Without its end, which is a line feed, perhaps after a carriage return.
    case text([UInt8])
    /// It has more bytes than the limit. Nothing can be read after it.
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The first byte of the next line.
  private var start = 0
  /// The first byte that has not been looked at; a line feed where `hasLine`.
  private var scanned = 0
  private var isEnded = false

  /// `limit` is in bytes and does not count the line's end.
  package init(limit: Int) {
    self.limit = limit
    precondition(limit > 0, "a line needs a byte")
  }

  /// Bytes that are waiting to be cut.
  package var count: Int { bytes.count - start }

  /// Bytes of memory that it takes.
  package var capacity: Int { bytes.capacity }

  /// Whether `next` has something to give.
  package private(set) var hasLine = false

  /// Adds bytes that have come.
  package mutating func append(_ new: some Collection<UInt8>) {
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      scanned -= start
      start = 0
    }
    bytes.append(contentsOf: new)
    if !hasLine { scan() }
  }

  /// Marks the end of the stream: the rest is the last line.
  package mutating func end() {
    isEnded = true
    if !hasLine { scan() }
  }

  /// The next line; nil until all of it has come.
  package mutating func next() -> Line? {
    guard hasLine else { return nil }
    let line = bytes[start..<scanned]
    guard line.count <= limit else { return .tooLong }
    let text = Array(line.last == 13 ? line.dropLast() : line)
    start = min(scanned + 1, bytes.count)
    if start == bytes.count {
      // The memory of a long line is given back with the line.
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
