// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import RoundelMotion
package import SystemPackage

/// Writes lines to a descriptor without waiting for its reader, which may be slow, stopped or gone.
///
/// A backlog keeps unwritten lines without wake-ups. If it is full, lines are dropped, and a line
/// reports their number as soon as possible. After an error, such as a full disk, the next line
/// tries again.
package final class LineWriter {
  /// A limit of about ten thousand lines. A reader further behind has stopped reading.
  package static let defaultMaximumBacklogBytes = 1 << 20
  /// A limit, so that slow output doesn't delay a frame.
  private static let maximumWritesPerFlush = 64
  private static let maximumWriteBytes = 1 << 16

  package var isHeld = false {
    didSet { if !isHeld { flush() } }
  }

  private let outlet: Outlet
  private let loop: EventLoop
  private let maximumBacklogBytes: Int
  private let lossLine: (Int) -> String
  private var backlog: [UInt8] = []
  private var written = 0
  private var dropped = 0
  private var token: EventLoop.Token?

  private var waiting: Int { backlog.count - written }

  /// Makes this process ignore SIGPIPE and SIGXFSZ, so that writes fail instead.
  ///
  /// - Parameter lossLine: Returns the line to write for a number of dropped lines.
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

  /// Writes a line, without its line break, as soon as there is space.
  package func write(_ line: String) {
    let count = line.utf8.count + 1
    if dropped == 0, waiting + count <= maximumBacklogBytes {
      append(line)
    } else {
      dropped += 1
    }
    if token == nil { flush() }
  }

  package func finish(until deadline: Timestamp) {
    isHeld = false
    // If nothing waits, everything was written, or writing failed.
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
      // Earlier, this line would take the space of the next one.
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
    waitForRoom()
  }

  private func forgetWritten() {
    if waiting == 0 {
      backlog.removeAll(keepingCapacity: backlog.capacity <= 1 << 14)
      written = 0
    } else if written >= max(Self.maximumWriteBytes, waiting) {
      // Remove only large parts, so that each byte is moved only once.
      backlog.removeFirst(written)
      written = 0
    }
  }

  private func waitForRoom() {
    guard token == nil else { return }
    // Files and devices that never block can't be watched.
    token = try? loop.watch(outlet.rawValue, for: .writable) { [unowned self] _ in flush() }
  }

  private func stopWaiting() { token = nil }
}

/// Writes to any descriptor without blocking.
///
/// O_NONBLOCK would affect other processes with the descriptor. Therefore pipes and terminals are
/// reopened through /proc, and sockets get a flag per call.
private struct Outlet: ~Copyable {
  private enum Kind {
    /// A file, which never blocks, or a reopened pipe or terminal.
    case direct
    case socket
    /// Another user's pipe or terminal, which can't be reopened. Polled before each write of as
    /// many bytes as surely fit.
    case shared(maximumChunkBytes: Int)
  }

  private let descriptor: OwnedDescriptor
  private let kind: Kind

  var rawValue: CInt { descriptor.rawValue }

  init(_ number: CInt) throws(Errno) {
    var information = stat()
    // Writes a local.
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
      // A writable pipe has space for PIPE_BUF bytes.
      case S_IFIFO: .shared(maximumChunkBytes: Int(PIPE_BUF))
      // A writable terminal has space for one byte.
      case S_IFCHR: .shared(maximumChunkBytes: 1)
      default: .direct
      }
  }

  /// Throws `wouldBlock` if there isn't any space.
  borrowing func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    switch kind {
    case .direct: return try writeDirectly(bytes)
    case .socket:
      let count = try LocalSocket.send(bytes, to: rawValue)
      if count == 0 { throw .wouldBlock }
      return count
    case .shared(let maximumChunkBytes):
      guard hasRoom(within: 0) else { throw .wouldBlock }
      return try writeDirectly(bytes.prefix(maximumChunkBytes))
    }
  }

  private borrowing func writeDirectly(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    let number = rawValue
    return try retryingOnInterrupt {
      // The slice lives until the call returns.
      unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
    }
  }

  /// Blocks until there is space or an error. Returns false at `deadline`.
  borrowing func waitForRoom(until deadline: Timestamp) -> Bool {
    let left = (deadline.seconds - MonotonicClock.now.seconds) * 1000
    return left > 0 && hasRoom(within: CInt(min(left.rounded(.up), 60_000)))
  }

  private borrowing func hasRoom(within milliseconds: CInt) -> Bool {
    var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    // A local.
    return unsafe poll(&entry, 1, milliseconds) > 0
  }
}
