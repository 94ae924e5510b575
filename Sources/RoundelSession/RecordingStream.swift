// SPDX-License-Identifier: MIT

package import RoundelJSON

/// Reads a recording while it is still being written, in parts of whole lines.
package struct RecordingStream {
  package static let maximumChunkBytes = 128 << 10

  package struct Part: Hashable, Sendable {
    package var lines: [JSONValue]
    package var steps: [Recording.Step]
  }

  /// The maximum size of a part in bytes, unless a single line is longer.
  private static let maximumPartBytes = 256 << 10

  private let path: String
  private var waiting: [UInt8] = []
  private var lines = 0
  package private(set) var isEnded = false

  package init(path: String) { self.path = path }

  /// Returns the next parts, at least one at the end, which an empty array marks. Line numbers
  /// count from the recording's beginning.
  package mutating func take(_ chunk: [UInt8]) throws(Recording.ParseError) -> [Part] {
    isEnded = chunk.isEmpty
    waiting += chunk
    let end = isEnded ? waiting.count : (waiting.lastIndex(of: 10).map { $0 + 1 } ?? 0)
    guard waiting.count - end <= Recording.maximumLineBytes else {
      let before = waiting.count { $0 == 10 }
      throw Recording.ParseError(
        path: path, line: lines + before + 1,
        what: "a line of more than \(Recording.maximumLineBytes) bytes")
    }
    var parts: [Part] = []
    var start = 0
    while start < end || (isEnded && parts.isEmpty) {
      let next = partEnd(from: start, to: end)
      parts.append(try part(waiting[start..<next]))
      start = next
    }
    waiting.removeFirst(end)
    return parts
  }

  private func partEnd(from start: Int, to end: Int) -> Int {
    let last = start + Self.maximumPartBytes
    guard end > last else { return end }
    if let before = waiting[start..<last].lastIndex(of: 10) { return before + 1 }
    return waiting[last..<end].firstIndex(of: 10).map { $0 + 1 } ?? end
  }

  private mutating func part(_ text: ArraySlice<UInt8>) throws(Recording.ParseError) -> Part {
    var read: [JSONValue] = []
    let recording = try Recording(text, path: path, firstLine: lines + 1) { read.append($0) }
    lines += text.count { $0 == 10 }
    return Part(lines: read, steps: recording.steps)
  }
}
