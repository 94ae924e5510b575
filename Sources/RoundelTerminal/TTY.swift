// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import RoundelGeometry
internal import Glibc
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// A terminal in raw mode with non-blocking reads and writes.
///
/// If this process ends without `restore`, a process at the other end of a pipe restores the modes.
final class TTY {
  private let descriptor: OwnedDescriptor
  private let saved: termios
  private let restorer: TerminalRestorer?

  /// - Parameter exitSequence: Written if this process ends without `restore`.
  init(at path: String, exitSequence: [UInt8]) throws(Errno) {
    // Opened again, because O_NONBLOCK would also affect processes that share the standard input.
    let descriptor = try OwnedDescriptor(opening: path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    var modes = termios()
    let number = descriptor.rawValue
    // The kernel fills the structure.
    try retryingOnInterrupt { unsafe tcgetattr(number, &modes) }
    let found = modes
    // No line editing, no echo, no signals from keys, no translation.
    unsafe cfmakeraw(&modes)
    restorer = try? TerminalRestorer(of: path, found: found, own: modes, exitSequence: exitSequence)
    try retryingOnInterrupt { unsafe tcsetattr(number, TCSANOW, &modes) }
    saved = found
    self.descriptor = descriptor
  }

  var number: CInt { descriptor.rawValue }

  /// The size in pixels is nil unless the terminal reports it.
  var size: (columns: Int, rows: Int, pixels: PixelSize?) {
    var size = winsize()
    // The kernel fills the structure.
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24, nil) }
    let pixels = PixelSize(Int(size.ws_xpixel), Int(size.ws_ypixel))
    return (
      Int(size.ws_col), Int(size.ws_row), pixels.width > 0 && pixels.height > 0 ? pixels : nil
    )
  }

  /// Returns nil without bytes, or an empty array after the terminal was closed.
  func read() -> [UInt8]? {
    do throws(Errno) {
      return try descriptor.receive(upTo: 4096)
    } catch .resourceTemporarilyUnavailable {
      return nil
    } catch {
      return []
    }
  }

  /// Returns the number of bytes that had space, or nil after the terminal was closed.
  func write(_ bytes: ArraySlice<UInt8>) -> Int? {
    do throws(Errno) {
      // The slice lives until the call returns.
      return try retryingOnInterrupt {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
    } catch .resourceTemporarilyUnavailable {
      return 0
    } catch {
      return nil
    }
  }

  /// Blocks until there is input or, if `toWrite` is true, space for output. Returns false at
  /// `end`.
  func wait(toWrite: Bool, until end: Timestamp) -> Bool {
    let events = toWrite ? POLLIN | POLLOUT : POLLIN
    while true {
      var entry = pollfd(fd: number, events: Int16(events), revents: 0)
      let left = max(0, end - MonotonicClock.now)
      // One entry, which lives here.
      let count = unsafe poll(&entry, 1, CInt((left * 1000).rounded(.up)))
      if count > 0 { return true }
      if count == 0 || errno != EINTR { return false }
    }
  }

  /// Restores the modes and discards unread input.
  func restore() {
    var modes = saved
    tcflush(number, TCIFLUSH)
    // Immediate, not after pending output, because a stalled terminal must not delay this.
    unsafe tcsetattr(number, TCSANOW, &modes)
    restorer?.dismiss()
  }
}

/// A small process that restores a terminal after this process has ended for any reason.
private final class TerminalRestorer {
  private let process: pid_t
  private let alarm: OwnedDescriptor

  /// Waits for a word or the end of its input. `$0` are the original modes, `$1` this process's,
  /// and `$2` is the exit sequence, written before a shell's prompt. Modes set by another program
  /// in the meantime, such as that shell, are kept.
  private static let script = """
    read -r word <&3 && exit
    printf '%b' "$2"
    [ "$(stty -g)" != "$1" ] || stty "$0"
    """

  init(of path: String, found: termios, own: termios, exitSequence: [UInt8]) throws(Errno) {
    // A separate open file description, because the other one is non-blocking.
    let terminal = try OwnedDescriptor(opening: path, O_RDWR | O_NOCTTY)
    var ends: [CInt] = [-1, -1]
    try retryingOnInterrupt { unsafe pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = OwnedDescriptor(adopting: ends[0])
    let alarm = OwnedDescriptor(adopting: ends[1])

    // 3 is last, because the sources of the copies are never 0 or 1.
    let spawn = Spawn(
      descriptors: [
        (0, .descriptor(terminal.rawValue)), (1, .descriptor(terminal.rawValue)),
        (3, .descriptor(input.rawValue)), (2, .nothing),
      ], isApart: true)
    let text = exitSequence.map { "\\0" + String($0, radix: 8) }.joined()
    process = try spawn(["/bin/sh", "-c", Self.script, found.settings, own.settings, text])
    self.alarm = alarm
  }

  /// Ends the process, because nothing needs to be restored.
  func dismiss() {
    _ = unsafe Glibc.write(alarm.rawValue, "\n", 1)
    _ = try? retryingOnInterrupt { waitpid(process, nil, 0) }
  }
}

extension termios {
  /// The format of `stty -g` and `stty`: flags and control characters in hexadecimal.
  fileprivate var settings: String {
    let flags = [c_iflag, c_oflag, c_cflag, c_lflag].map { String($0, radix: 16) }
    // An array of bytes, which Swift imports as a tuple.
    let characters = unsafe withUnsafeBytes(of: c_cc) { bytes in
      unsafe bytes.map { String($0, radix: 16) }
    }
    return (flags + characters).joined(separator: ":")
  }
}
