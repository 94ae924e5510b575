// SPDX-License-Identifier: MIT

/// A recording that is read while it is still being written, in parts of whole lines.
package struct RecordingStream {
  /// Bytes of a piece to be taken. A part, which may have one line's beginning more, is still a message
  /// when its quotation marks are escaped.
  package static let maximumPieceBytes = 128 << 10
  private static let maximumLineBytes = 128 << 10

  /// Whole lines, as many as had come.
  package struct Part: Hashable, Sendable {
    package var text: String
    package var steps: [Recording.Step]
  }

  private let path: String
  private var waiting: [UInt8] = []
  private var lines = 0
  /// Whether nothing more will come.
  package private(set) var isEnded = false

  /// Mistakes call the recording `path`.
  package init(path: String) {
    self.path = path
  }

  /// Takes the next bytes, none at the end, and returns the next part; nil where no line is whole yet. At the
  /// end there always is a part. Mistakes have the line's number in the whole recording.
  package mutating func take(_ piece: [UInt8]) throws(Recording.Mistake) -> Part? {
    isEnded = piece.isEmpty
    waiting += piece
    let end = isEnded ? waiting.count : (waiting.lastIndex(of: 10).map { $0 + 1 } ?? 0)
    guard waiting.count - end <= Self.maximumLineBytes else {
      let before = waiting.count { $0 == 10 }
      throw Recording.Mistake(
        path: path, line: lines + before + 1,
        what: "a line of more than \(Self.maximumLineBytes >> 10) KiB")
    }
    guard isEnded || end > 0 else { return nil }
    let part = Array(waiting[..<end])
    waiting.removeFirst(end)
    do throws(Recording.Mistake) {
      let steps = try Recording(part, path: path).steps
      lines += part.count { $0 == 10 }
      return Part(text: String(decoding: part, as: UTF8.self), steps: steps)
    } catch {
      var mistake = error
      mistake.line += lines
      throw mistake
    }
  }
}
