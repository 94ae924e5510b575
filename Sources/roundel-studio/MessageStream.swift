// SPDX-License-Identifier: MIT

import Glibc
import LanguageServer
import LinuxIO
import SystemPackage

/// An editor's messages on the standard input, and the answers on the standard output.
///
/// Also reads while an answer waits for room, because an editor that writes before it reads would
/// deadlock.
final class MessageStream {
  private let input = FileDescriptor.standardInput
  private let output = FileDescriptor.standardOutput
  private var reader: FrameReader
  private var isInputOpen = true
  /// Whether input was read, or ended, while an answer waited for room.
  private var hasInput = false

  /// The minimum in bytes.
  private static let chunkBytes = Int(PIPE_BUF)

  init(limit: Int) { reader = FrameReader(limit: limit) }

  /// Returns false on timeout. Nil means no limit.
  func wait(_ seconds: Double?) -> Bool {
    if hasInput || !isInputOpen { return true }
    var entry = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
    // A single entry.
    return unsafe poll(&entry, 1, seconds.map { CInt($0 * 1000) } ?? -1) > 0
  }

  /// Returns false at the end of the input.
  func receive() -> Bool {
    if !hasInput, isInputOpen { read() }
    hasInput = false
    return isInputOpen
  }

  private func read() {
    if let chunk = try? input.receive(upTo: 1 << 16), !chunk.isEmpty {
      reader.append(chunk)
    } else {
      isInputOpen = false
    }
    hasInput = true
  }

  func next() -> FrameReader.Frame? { reader.next() }

  func send(_ body: [UInt8]) {
    let bytes = Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    var sent = 0
    while sent < bytes.count {
      var entries = [
        pollfd(fd: output.rawValue, events: Int16(POLLOUT), revents: 0),
        pollfd(
          fd: isInputOpen && !reader.isFull ? input.rawValue : -1, events: Int16(POLLIN), revents: 0
        ),
      ]
      // The array's count.
      guard unsafe poll(&entries, 2, -1) > 0 else { continue }
      if entries[1].revents != 0 { read() }
      guard entries[0].revents != 0 else { continue }
      let chunk = bytes[sent...].prefix(Self.chunkBytes)
      // The slice lives until the call returns.
      let count = try? unsafe chunk.withUnsafeBytes { try unsafe output.write($0) }
      // The end of the input reports the editor's exit.
      guard let count else { return }
      sent += count
    }
  }
}
