// SPDX-License-Identifier: MIT

import Glibc

/// Lines to the standard output that never hold up a frame: what a slow reader does not take waits,
/// and beyond a bound is dropped and counted.
final class EventPrinter {
  private var waiting: [UInt8] = []
  private var dropped = 0
  private var isClosed = false

  /// Some ten thousand events: a reader that is further behind has stopped reading.
  private static let greatestBacklog = 1 << 20
  /// A pipe that has room at all takes this much at once (PIPE_BUF), so that the write cannot block.
  private static let chunk = 4096

  /// Whether something is left to be written when the reader has room.
  var isBehind: Bool { !waiting.isEmpty && !isClosed }

  func print(_ line: String) {
    guard !isClosed else { return }
    guard waiting.count < Self.greatestBacklog else {
      dropped += 1
      return
    }
    if dropped > 0 {
      waiting += "{\"event\":\"lost\",\"count\":\(dropped)}\n".utf8
      dropped = 0
    }
    waiting += line.utf8
    waiting.append(10)
    flush()
  }

  /// Writes as much as the reader takes now.
  func flush() {
    while isBehind {
      var poll = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
      guard unsafe Glibc.poll(&poll, 1, 0) == 1 else { return }
      let count = unsafe waiting.withUnsafeBytes {
        unsafe write(1, $0.baseAddress, min($0.count, Self.chunk))
      }
      if count > 0 {
        waiting.removeFirst(count)
      } else if errno != EINTR && errno != EAGAIN {
        // The reader has gone. The kiosk goes on: it has a panel to show.
        isClosed = true
      }
    }
  }
}
