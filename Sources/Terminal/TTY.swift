// SPDX-License-Identifier: MIT

internal import CLinux
internal import Geometry
internal import Glibc
internal import LinuxIO
internal import Motion
internal import SystemPackage

/// A terminal that is written to and read from byte by byte and never waits.
///
/// `restore` puts the modes back that it had before. Where this process ends without that, another process
/// does it: whatever kills this one closes the pipe from which that one reads.
final class TTY {
  private let descriptor: OwnedDescriptor
  private let saved: termios
  private let keeper: Keeper?

  /// Opens the terminal at `path` and takes over its modes. `farewell` is written to it where this
  /// process ends without `restore`.
  init(at path: String, farewell: [UInt8]) throws(Errno) {
    // It is opened again, since O_NONBLOCK would also hold for processes that share the standard input.
    let descriptor = try OwnedDescriptor(opening: path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    var modes = termios()
    let number = descriptor.rawValue
    // The kernel fills the structure.
    try retryingOnInterrupt { unsafe tcgetattr(number, &modes) }
    let found = modes
    // No line editing, no echo, no signals from keys, nothing translated.
    unsafe cfmakeraw(&modes)
    keeper = try? Keeper(of: path, found: found, own: modes, farewell: farewell)
    try retryingOnInterrupt { unsafe tcsetattr(number, TCSANOW, &modes) }
    saved = found
    self.descriptor = descriptor
  }

  /// C: the `int` that `open` returned.
  var number: CInt { descriptor.rawValue }

  /// Columns and rows, and the pixels of all of them where the terminal knows them.
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

  /// Reads the bytes that have come; nil where there are none, and no bytes once the terminal is gone.
  func read() -> [UInt8]? {
    do throws(Errno) {
      return try descriptor.receive(upTo: 4096)
    } catch .resourceTemporarilyUnavailable {
      return nil
    } catch {
      return []
    }
  }

  /// Writes as much as there is room for; how much that was, or nil once the terminal is gone.
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

  /// Waits until there is something to read or, where that is wanted, room to write; false after the
  /// moment `end`.
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

  /// Puts the modes back, and forgets input that was not read.
  func restore() {
    var modes = saved
    tcflush(number, TCIFLUSH)
    // At once, not after pending output: a terminal that takes nothing must not hold this up.
    unsafe tcsetattr(number, TCSANOW, &modes)
    keeper?.dismiss()
  }
}

/// A small process that puts a terminal back as it was once this process has gone, whatever ended it.
private final class Keeper {
  private let process: pid_t
  private let alarm: OwnedDescriptor

  /// Waits for a word or the end of its input. `$0` are the modes as they were, `$1` those of this process and
  /// `$2` the farewell, which comes immediately, before a shell writes its prompt over the picture. Modes that
  /// another program, such as that shell, has set meanwhile are kept.
  private static let script = """
    read -r word <&3 && exit
    printf '%b' "$2"
    [ "$(stty -g)" != "$1" ] || stty "$0"
    """

  init(of path: String, found: termios, own: termios, farewell: [UInt8]) throws(Errno) {
    // It shares nothing with the descriptor that does not wait.
    let terminal = try OwnedDescriptor(opening: path, O_RDWR | O_NOCTTY)
    var ends: [CInt] = [-1, -1]
    try retryingOnInterrupt { unsafe pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = OwnedDescriptor(adopting: ends[0])
    let alarm = OwnedDescriptor(adopting: ends[1])

    // 3 last: the first two are none of the descriptors that are copied.
    let spawn = Spawn(
      descriptors: [
        (0, .descriptor(terminal.rawValue)), (1, .descriptor(terminal.rawValue)),
        (3, .descriptor(input.rawValue)), (2, .nothing),
      ], isApart: true)
    let text = farewell.map { "\\0" + String($0, radix: 8) }.joined()
    process = try spawn(["/bin/sh", "-c", Self.script, found.settings, own.settings, text])
    self.alarm = alarm
  }

  /// There is nothing to put back any more.
  func dismiss() {
    _ = unsafe Glibc.write(alarm.rawValue, "\n", 1)
    _ = try? retryingOnInterrupt { waitpid(process, nil, 0) }
  }
}

extension termios {
  /// As `stty -g` prints them and `stty` takes them: flags and control characters in hexadecimal
  /// digits.
  fileprivate var settings: String {
    let flags = [c_iflag, c_oflag, c_cflag, c_lflag].map { String($0, radix: 16) }
    // An array of bytes, which Swift imports as a tuple.
    let characters = unsafe withUnsafeBytes(of: c_cc) { bytes in
      unsafe bytes.map { String($0, radix: 16) }
    }
    return (flags + characters).joined(separator: ":")
  }
}
