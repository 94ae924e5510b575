// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

/// The virtual terminal that a program draws on.
///
/// The kernel asks before it switches to another one, and reports the return (`VT_PROCESS` in
/// console_ioctl(2)). If the program ends without a response, the kernel switches anyway.
package final class VirtualTerminal {
  package private(set) var isShown: Bool

  private let descriptor: CInt
  private let onChange: (VirtualTerminal) -> Void
  private var signals: SignalWatch?

  /// Returns nil if `descriptor`, which must stay open, isn't a virtual terminal.
  ///
  /// - Parameter onChange: Called before another terminal is activated, which waits for its return,
  ///   and when this one returns.
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
    // Fails if the terminal no longer exists.
    _ = unsafe ioctl(descriptor, UInt(VT_SETMODE), &mode)
  }

  /// Calls `onChange` first. Does nothing if `number` is out of range.
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

  /// The minor number, from 1. Nil for other files.
  private static func number(of descriptor: CInt) -> CInt? {
    var (state, file) = (vt_stat(), stat())
    // Both write locals.
    guard unsafe ioctl(descriptor, UInt(VT_GETSTATE), &state) == 0,
      unsafe fstat(descriptor, &file) == 0, gnu_dev_major(file.st_rdev) == TTY_MAJOR
    else { return nil }
    return CInt(gnu_dev_minor(file.st_rdev))
  }

  private static func shownNumber(_ descriptor: CInt) -> CInt {
    var state = vt_stat()
    // Writes a local.
    _ = unsafe ioctl(descriptor, UInt(VT_GETSTATE), &state)
    return CInt(state.v_active)
  }
}
