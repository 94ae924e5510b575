// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import RoundelJSON
package import LinuxIO
package import RoundelMotion
package import SystemPackage

/// JSON values in both directions, one per line, as in Roundel's and QEMU's sockets. Calls block.
package final class JSONLines {
  private let input: OwnedDescriptor
  private let output: OwnedDescriptor
  private var reader: LineReader
  /// The output's writer, or nil if `send` blocks.
  private var writer: LineWriter?

  /// A line that isn't JSON.
  package struct Garbled: Error, Hashable, Sendable {
    package var text: String

    package init(text: String) {
      self.text = text
    }
  }

  /// A line of more than `limit` bytes is an error.
  package init(
    reading input: consuming OwnedDescriptor, writing output: consuming OwnedDescriptor,
    limit: Int = 256 << 20
  ) {
    self.input = input
    self.output = output
    reader = LineReader(limit: limit)
  }

  package convenience init(at path: String) throws(Errno) {
    let socket = try LocalSocket.connect(to: path)
    let copy = OwnedDescriptor(
      adopting: try retryingOnInterrupt { fcntl(socket.rawValue, F_DUPFD_CLOEXEC, 3) })
    self.init(reading: socket, writing: copy)
  }

  package var descriptor: CInt { input.rawValue }

  /// Makes `send` non-blocking. Only `receive` reports a disconnection.
  package func sendWithoutWaiting(on loop: EventLoop) throws(Errno) {
    writer = try LineWriter(
      to: output.rawValue, maximumBacklogBytes: Self.maximumBacklogBytes, on: loop
    ) { _ in Request("lost").json.text }
  }

  /// Twice the size of the largest message.
  private static let maximumBacklogBytes = 256 << 20

  package func send(_ json: JSONValue) throws(Errno) {
    if let writer { return writer.write(json.text) }
    do {
      try FileDescriptor(rawValue: output.rawValue).writeAll((json.text + "\n").utf8)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Returns nil if no line is complete.
  package func next() throws(Garbled) -> JSONValue? {
    switch reader.next() {
    case .text(let line)?:
      guard let json = try? JSONValue(parsing: line) else {
        throw Garbled(text: String(decoding: line.prefix(100), as: UTF8.self))
      }
      return json
    case .tooLong?: throw Garbled(text: "a line without an end")
    case nil: return nil
    }
  }

  /// Waits forever if `deadline` is nil. Returns false on timeout.
  package func wait(until deadline: Timestamp?) -> Bool {
    guard let deadline else { return true }
    while true {
      let left = max(0, deadline - MonotonicClock.now)
      var entry = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
      // A single entry.
      let count = unsafe poll(&entry, 1, CInt(min(left * 1000 + 1, 1e9)))
      if count > 0 { return true }
      if count == 0, MonotonicClock.now >= deadline { return false }
    }
  }

  package func receive() -> Bool {
    guard let chunk = try? input.receive(upTo: 1 << 16), !chunk.isEmpty else { return false }
    reader.append(chunk)
    return true
  }
}
