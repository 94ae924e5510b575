// SPDX-License-Identifier: MIT

/// Splits a stream into messages of the Language Server Protocol: a header with `Content-Length`, an empty line, and
/// that many bytes. Skips anything else.
///
/// Source: the protocol's specification, 3.17, "Base Protocol".
package struct FrameReader: Sendable {
  package enum Frame: Hashable, Sendable {
    case content([UInt8])
    /// The length of a message whose bytes were dropped.
    case tooLong(Int)
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// The number of bytes still to drop.
  private var dropping = 0
  private var dropped = 0

  private static let maximumHeaderBytes = 4096
  private static let name = Array("content-length:".utf8)

  /// `limit` is the maximum size of a message in bytes.
  package init(limit: Int) { self.limit = limit }

  package var isFull: Bool { bytes.count - start >= limit }

  package mutating func append(_ new: some Collection<UInt8>) {
    let count = min(dropping, new.count)
    dropping -= count
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: new.dropFirst(count))
  }

  package mutating func next() -> Frame? {
    if dropping == 0, dropped > 0 {
      defer { dropped = 0 }
      return .tooLong(dropped)
    }
    while dropping == 0, let (length, end) = header() {
      guard let length else {
        start = end
        continue
      }
      guard length <= limit else {
        dropped = length
        dropping = length - min(length, bytes.count - end)
        start = end + (length - dropping)
        return next()
      }
      guard bytes.count - end >= length else { return nil }
      let content = Array(bytes[end..<(end + length)])
      start = end + length
      if start == bytes.count {
        bytes = []
        start = 0
      }
      return .content(content)
    }
    return nil
  }

  /// Returns nil if the header is incomplete. The length is nil if the text isn't a header.
  private mutating func header() -> (length: Int?, end: Int)? {
    var index = start
    while index + 3 < bytes.count {
      if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10
      {
        return (length(start..<index), index + 4)
      }
      index += 1
      // The last bytes of endless garbage may begin a header.
      if index - start > Self.maximumHeaderBytes {
        start = index - Self.name.count
      }
    }
    return nil
  }

  /// Returns the number after the last `Content-Length`.
  private func length(_ header: Range<Int>) -> Int? {
    let text = bytes[header].map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    guard text.count >= Self.name.count else { return nil }
    var found: Int?
    for place in 0...(text.count - Self.name.count)
    where text[place] == Self.name[0]
      && text[place..<(place + Self.name.count)].elementsEqual(Self.name)
    {
      let digits = text[(place + Self.name.count)...].drop { $0 == 0x20 || $0 == 0x09 }
        .prefix { (0x30...0x39).contains($0) }
      found = digits.count <= 12 ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
    return found
  }
}
