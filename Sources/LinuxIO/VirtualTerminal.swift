// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// The virtual terminal that a program draws on, of which people may switch to another and back.
///
/// The kernel asks before it shows another one, and says when this one is shown again (`VT_PROCESS` in
/// console_ioctl(2)). Should the program end without an answer, the kernel switches by itself.
package final class VirtualTerminal {
  /// Whether it is the one that is shown.
  package private(set) var isShown: Bool

  private let descriptor: CInt
  private let onChange: (VirtualTerminal) -> Void
  private var signals: SignalWatch?

  /// Asks to be told of switches on the terminal of `descriptor`, which must stay open; nil where that is not a
  /// virtual terminal.
  ///
  /// - Parameter onChange: called before another one is shown, which waits for its return, and when this one
  ///   is shown again.
  package init?(
    _ descriptor: CInt, on loop: EventLoop, onChange: @escaping (VirtualTerminal) -> Void
  ) throws(Errno) {
    guard let number = Self.number(of: descriptor) else { return nil }
    self.descriptor = descriptor
    self.onChange = onChange
    isShown = Self.shownNumber(descriptor) == number
    signals = try SignalWatch([.consoleLeaves, .consoleReturns], on: loop) {
      [unowned self] signal in
      if signal == .consoleLeaves { leave() } else { comeBack() }
    }
    var mode = vt_mode()
    mode.mode = CChar(VT_PROCESS)
    mode.relsig = Int16(SignalWatch.Signal.consoleLeaves.rawValue)
    mode.acqsig = Int16(SignalWatch.Signal.consoleReturns.rawValue)
    // Reads a local.
    try retryingOnInterrupt { unsafe ioctl(descriptor, UInt(VT_SETMODE), &mode) }
  }

  deinit {
    var mode = vt_mode()
    mode.mode = CChar(VT_AUTO)
    // Reads a local. Where it fails, the terminal is gone.
    _ = unsafe ioctl(descriptor, UInt(VT_SETMODE), &mode)
  }

  /// Shows another one, once `onChange` has returned; does nothing where there is no such number.
  package func show(_ number: Int) {
    guard (1...Int(MAX_NR_CONSOLES)).contains(number) else { return }
    _ = ioctl(descriptor, UInt(VT_ACTIVATE), CInt(number))
  }

  private func leave() {
    isShown = false
    onChange(self)
    // 1 permits the switch.
    _ = ioctl(descriptor, UInt(VT_RELDISP), 1)
  }

  private func comeBack() {
    isShown = true
    _ = ioctl(descriptor, UInt(VT_RELDISP), VT_ACKACQ)
    onChange(self)
  }

  /// The number of the terminal, from 1 on: its minor number. nil for other files.
  private static func number(of descriptor: CInt) -> CInt? {
    var (state, file) = (vt_stat(), stat())
    // Both write into locals.
    guard unsafe ioctl(descriptor, UInt(VT_GETSTATE), &state) == 0,
      unsafe fstat(descriptor, &file) == 0, gnu_dev_major(file.st_rdev) == TTY_MAJOR
    else { return nil }
    return CInt(gnu_dev_minor(file.st_rdev))
  }

  private static func shownNumber(_ descriptor: CInt) -> CInt {
    var state = vt_stat()
    // Writes into a local.
    _ = unsafe ioctl(descriptor, UInt(VT_GETSTATE), &state)
    return CInt(state.v_active)
  }
}
