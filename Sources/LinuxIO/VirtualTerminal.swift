// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// The virtual terminal that a program draws on. The user may switch to another one and back.
///
/// The kernel asks before it switches to another one, and reports when this one is active again (`VT_PROCESS` in
/// console_ioctl(2)). If the program ends without a response, the kernel switches anyway.
package final class VirtualTerminal {
  /// Whether this is the active terminal.
  package private(set) var isShown: Bool

  private let descriptor: CInt
  private let onChange: (VirtualTerminal) -> Void
  private var signals: SignalWatch?

  /// Requests notifications about switches from the terminal of `descriptor`, which must stay open. Nil if that
  /// isn't a virtual terminal.
  ///
  /// - Parameter onChange: Called before another terminal is activated, which waits for its return, and when this
  ///   one is active again.
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
    // Reads a local. Fails if the terminal no longer exists.
    _ = unsafe ioctl(descriptor, UInt(VT_SETMODE), &mode)
  }

  /// Activates another terminal, after `onChange` has returned. Does nothing if `number` is out of range.
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

  /// The number of the terminal, from 1: its minor number. Nil for other files.
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
