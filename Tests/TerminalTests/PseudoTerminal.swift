// SPDX-License-Identifier: MIT

import RoundelGeometry
import Glibc
import LinuxIO
import RoundelMotion
import Synchronization
import SystemPackage
import TestSupport

/// A terminal with an emulator on its other side, served by a thread.
final class PseudoTerminal: Sendable {
  private struct State: Sendable {
    var emulator: TerminalEmulator
    var isStopped = false
    /// Whether the terminal reads the output.
    var isReading = true
    var taken = 0
  }

  let path: String
  private let master: OwnedDescriptor
  /// Keeps the terminal's modes after its last program closed it.
  private let keptOpen: OwnedDescriptor
  private let state: Mutex<State>

  init(_ emulator: TerminalEmulator) throws {
    master = try OwnedDescriptor(opening: "/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN, which are macros; each handles one int.
    var (lock, index) = (0 as CInt, 0 as CInt)
    _ = unsafe ioctl(master.rawValue, 0x4004_5431, &lock)
    _ = unsafe ioctl(master.rawValue, 0x8004_5430, &index)
    path = "/dev/pts/\(index)"
    keptOpen = try OwnedDescriptor(opening: path, O_RDWR | O_NOCTTY)
    state = Mutex(State(emulator: emulator))
    resize(emulator.columns, emulator.rows, nil)
  }

  var emulator: TerminalEmulator { state.withLock { $0.emulator } }

  /// The number of bytes read.
  var taken: Int { state.withLock { $0.taken } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Starts or stops reading the output.
  func read(_ on: Bool) { state.withLock { $0.isReading = on } }

  /// Sends keys or mouse input.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    // The array's own length.
    _ = unsafe write(master.rawValue, bytes, bytes.count)
  }

  func resize(
    _ columns: Int, _ rows: Int, _ pixels: PixelSize?, to emulator: TerminalEmulator? = nil
  ) {
    if let emulator { state.withLock { $0.emulator = emulator } }
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(pixels?.width ?? 0),
      ws_ypixel: UInt16(pixels?.height ?? 0))
    // The kernel copies the structure.
    _ = unsafe ioctl(master.rawValue, UInt(TIOCSWINSZ), &size)
  }

  /// The terminal's modes, as comparable numbers.
  var modes: [UInt32] {
    var modes = termios()
    // The kernel fills the structure.
    unsafe tcgetattr(keptOpen.rawValue, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  /// The number of typed bytes that aren't read yet.
  var unread: Int {
    var count: CInt = 0
    // The kernel writes one int.
    _ = unsafe ioctl(keptOpen.rawValue, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Serves until stopped.
  func serve() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while !state.withLock({ $0.isStopped }) {
      var entry = pollfd(fd: master.rawValue, events: Int16(POLLIN), revents: 0)
      guard state.withLock({ $0.isReading }) else {
        usleep(1000)
        continue
      }
      // One entry, and the array's own length.
      guard unsafe poll(&entry, 1, 5) > 0 else { continue }
      let count = unsafe Glibc.read(master.rawValue, &bytes, bytes.count)
      guard count > 0 else { return }
      let answers = state.withLock { state in
        state.taken += count
        state.emulator.take(bytes[..<count])
        return state.emulator.takeAnswers()
      }
      // The array's own length.
      if !answers.isEmpty { _ = unsafe write(master.rawValue, answers, answers.count) }
    }
  }
}

/// A loop, and a thread that serves a pseudo terminal.
final class TerminalFixture {
  let terminal: PseudoTerminal
  let loop: EventLoop
  private let worker: Worker

  init(_ emulator: TerminalEmulator) throws {
    terminal = try PseudoTerminal(emulator)
    loop = try EventLoop()
    worker = try Worker(on: loop)
    worker.run({ [terminal] in terminal.serve() }, whenDone: {})
  }

  deinit { terminal.stop() }

  /// Runs the loop until `condition` is true. Returns false after ten seconds.
  func run(until condition: () -> Bool) throws -> Bool {
    let end = MonotonicClock.now + 10
    while !condition() {
      if MonotonicClock.now > end { return false }
      try loop.turn(until: MonotonicClock.now + 0.002)
    }
    return true
  }
}
