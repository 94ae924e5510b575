// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import Motion
package import SystemPackage

/// Writes lines to a descriptor without ever waiting for its reader, who may be slow, stopped or
/// gone.
///
/// Lines that find no room wait in a backlog, which is written when the reader makes room; until
/// then they cost no wake-up. Where the backlog is full, lines are dropped and counted, and the
/// count is written as a line of its own once there is room. After an error, such as a full disk or
/// a closed pipe, the next line tries again.
package final class LineWriter {
  /// Some ten thousand lines: a reader that lags further has stopped reading.
  package static let defaultMaximumBacklogBytes = 1 << 20
  /// Writes in a turn of the loop, so that a slow way out does not hold up a frame.
  private static let maximumWritesPerFlush = 64
  private static let maximumWriteBytes = 1 << 16

  /// Keeps lines back while true, in the backlog.
  package var isHeld = false {
    didSet { if !isHeld { flush() } }
  }

  private let outlet: Outlet
  private let loop: EventLoop
  private let maximumBacklogBytes: Int
  private let lossLine: (Int) -> String
  /// Whole lines, and the rest of one that was written in part.
  private var backlog: [UInt8] = []
  /// How much of the backlog has been written.
  private var written = 0
  private var dropped = 0
  /// The wait for room.
  private var token: EventLoop.Token?

  private var waiting: Int { backlog.count - written }

  /// Writes to where `descriptor` leads now. From now on this process ignores SIGPIPE and SIGXFSZ,
  /// so that a reader that goes and a file that may not grow are errors of one write.
  ///
  /// - Parameter lossLine: the line to write for a number of dropped lines.
  package init(
    to descriptor: CInt, maximumBacklogBytes: Int = defaultMaximumBacklogBytes,
    on loop: EventLoop, lossLine: @escaping (_ count: Int) -> String
  ) throws(Errno) {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    outlet = try Outlet(descriptor)
    self.maximumBacklogBytes = maximumBacklogBytes
    self.loop = loop
    self.lossLine = lossLine
  }

  /// Writes a line, given without its end, now or as soon as there is room.
  package func write(_ line: String) {
    let count = line.utf8.count + 1
    if dropped == 0, waiting + count <= maximumBacklogBytes {
      append(line)
    } else {
      dropped += 1
    }
    if token == nil { flush() }
  }

  /// Writes as much as there is room for until `deadline`, before the process ends.
  package func finish(until deadline: Timestamp) {
    isHeld = false
    // Without a wait for room there is none to come: all is written, or writing fails.
    while token != nil, outlet.waitForRoom(until: deadline) { flush() }
  }

  private func append(_ line: String) {
    backlog += line.utf8
    backlog.append(UInt8(ascii: "\n"))
  }

  private func flush() {
    guard !isHeld else { return }
    defer { forgetWritten() }
    for _ in 0..<Self.maximumWritesPerFlush {
      // Sooner, the report of the loss would take the room of the next line.
      if dropped > 0, waiting <= maximumBacklogBytes / 2 {
        append(lossLine(dropped))
        dropped = 0
      }
      guard waiting > 0 else { return stopWaiting() }
      do throws(Errno) {
        written += try outlet.write(backlog[written...].prefix(Self.maximumWriteBytes))
      } catch .wouldBlock {
        return waitForRoom()
      } catch {
        return stopWaiting()
      }
    }
    // More than the share of one turn.
    waitForRoom()
  }

  private func forgetWritten() {
    if waiting == 0 {
      backlog.removeAll(keepingCapacity: backlog.capacity <= 1 << 14)
      written = 0
    } else if written >= max(Self.maximumWriteBytes, waiting) {
      // So that each byte of a long backlog is moved once.
      backlog.removeFirst(written)
      written = 0
    }
  }

  private func waitForRoom() {
    guard token == nil else { return }
    // Files and devices that never wait cannot be watched, and need not be.
    token = try? loop.watch(outlet.rawValue, for: .writable) { [unowned self] _ in flush() }
  }

  private func stopWaiting() { token = nil }
}

/// A way to write to a descriptor without waiting, wherever it leads.
///
/// O_NONBLOCK belongs to the open file description, which an inherited descriptor shares with other
/// processes, whose writes would fail by it. So pipes and terminals are opened a second time, by
/// their names in /proc, and sockets are given the flag with each call.
private struct Outlet: ~Copyable {
  private enum Kind {
    /// A file never waits for a reader; a pipe or terminal of our own says that it would.
    case direct
    case socket
    /// A pipe or terminal of another user, which cannot be opened a second time. It is asked whether
    /// it has room, and then given no more than is sure to fit.
    case shared(maximumPieceBytes: Int)
  }

  private let descriptor: OwnedDescriptor
  private let kind: Kind

  var rawValue: CInt { descriptor.rawValue }

  init(_ number: CInt) throws(Errno) {
    var information = stat()
    // Writes into a local.
    try retryingOnInterrupt { unsafe fstat(number, &information) }
    let type = information.st_mode & S_IFMT
    let isReopenable = type == S_IFIFO || type == S_IFCHR
    if isReopenable,
      let opened = try? OwnedDescriptor(
        opening: "/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK | O_NOCTTY)
    {
      descriptor = opened
      kind = .direct
      return
    }
    descriptor = OwnedDescriptor(
      adopting: try retryingOnInterrupt { fcntl(number, F_DUPFD_CLOEXEC, 3) })
    kind =
      switch type {
      case S_IFSOCK: .socket
      // A pipe that can be written to has room for PIPE_BUF bytes.
      case S_IFIFO: .shared(maximumPieceBytes: Int(PIPE_BUF))
      // A terminal that can be written to has room for one.
      case S_IFCHR: .shared(maximumPieceBytes: 1)
      default: .direct
      }
  }

  /// Writes as much as there is room for; the error is `wouldBlock` where there is none.
  borrowing func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    switch kind {
    case .direct: return try writeDirectly(bytes)
    case .socket:
      let count = try LocalSocket.send(bytes, to: rawValue)
      if count == 0 { throw .wouldBlock }
      return count
    case .shared(let maximumPieceBytes):
      guard hasRoom(within: 0) else { throw .wouldBlock }
      return try writeDirectly(bytes.prefix(maximumPieceBytes))
    }
  }

  private borrowing func writeDirectly(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    let number = rawValue
    return try retryingOnInterrupt {
      // The slice lives until the call returns.
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
    }
  }

  /// Waits until there is room or an error to report; false where neither comes before `deadline`.
  borrowing func waitForRoom(until deadline: Timestamp) -> Bool {
    let left = (deadline.seconds - MonotonicClock.now.seconds) * 1000
    return left > 0 && hasRoom(within: CInt(min(left.rounded(.up), 60_000)))
  }

  private borrowing func hasRoom(within milliseconds: CInt) -> Bool {
    var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    // One entry, a local.
    return unsafe poll(&entry, 1, milliseconds) > 0
  }
}
