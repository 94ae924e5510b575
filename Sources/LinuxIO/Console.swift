// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// The text console under the picture, kept from drawing over it and from reading what is typed.
///
/// The kernel leaves a console as the last program has set it, even after that program has died, so
/// the old modes are put back when this goes away and also from the handlers of fatal signals. Only
/// SIGKILL escapes; a service unit restores the console by `TTYReset=yes`.
// Safe: see `SavedConsole.shared`, the only pointer here.
@safe package final class Console {
  /// Takes over the console of `descriptor`; nil where it is no virtual terminal but a file, a
  /// pipe, or the terminal of a window or of ssh. There can be only one at a time.
  ///
  /// With the keyboard off, Ctrl+C and the keys that switch consoles do nothing either.
  package init?(_ descriptor: CInt) throws(Errno) {
    var graphics: CInt = 0
    var keyboard: CInt = 0
    // Each of the two calls writes one int.
    guard unsafe ioctl(descriptor, UInt(KDGETMODE), &graphics) == 0,
      unsafe ioctl(descriptor, UInt(KDGKBMODE), &keyboard) == 0
    else { return nil }
    precondition(SavedConsole.isVacant, "one console at a time")
    // A duplicate, so that the console can still be restored when its first owner has closed it.
    let duplicate = try retryingOnInterrupt { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
    unsafe SavedConsole.shared.pointee = SavedConsole(
      descriptor: duplicate, graphics: graphics, keyboard: keyboard)
    SavedConsole.handleFatalSignals()
    do throws(Errno) {
      try retryingOnInterrupt { ioctl(duplicate, UInt(KDSETMODE), KD_GRAPHICS) }
      try retryingOnInterrupt { ioctl(duplicate, UInt(KDSKBMODE), K_OFF) }
    } catch {
      SavedConsole.release()
      throw error
    }
  }

  deinit {
    SavedConsole.release()
  }
}

/// How a console was before, where a signal handler finds it.
private struct SavedConsole {
  let descriptor: CInt
  let graphics: CInt
  let keyboard: CInt

  /// A signal handler has no context but globals. It is only touched by the thread of the event
  /// loop and by handlers, which allocate nothing, lock nothing and read plain integers. It is
  /// allocated before the first handler is set up and never freed.
  nonisolated(unsafe) static let shared: UnsafeMutablePointer<SavedConsole?> = {
    let pointer = UnsafeMutablePointer<SavedConsole?>.allocate(capacity: 1)
    unsafe pointer.initialize(to: nil)
    return unsafe pointer
  }()

  private static let fatalSignals = [
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGQUIT,
  ]

  /// ioctl is not on the list of signal-safe functions, but on Linux it is a bare system call.
  func restore() {
    _ = ioctl(descriptor, UInt(KDSKBMODE), keyboard)
    _ = ioctl(descriptor, UInt(KDSETMODE), graphics)
  }

  static var isVacant: Bool { unsafe shared.pointee == nil }

  static func release() {
    guard let saved = unsafe shared.pointee else { return }
    saved.restore()
    unsafe shared.pointee = nil
    close(saved.descriptor)
    for number in fatalSignals { signal(number, SIG_DFL) }
  }

  static func handleFatalSignals() {
    var action = sigaction()
    // SA_RESETHAND puts the default back first, so that raising the signal again ends the process
    // the way it would have ended without us.
    action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
    unsafe action.__sigaction_handler.sa_handler = { number in
      if let saved = unsafe SavedConsole.shared.pointee { saved.restore() }
      raise(number)
    }
    for number in fatalSignals { unsafe sigaction(number, &action, nil) }
  }
}
