// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

/// Signals as events of a loop, instead of interruptions at arbitrary times.
package final class SignalWatch {
  package enum Signal: CInt, Sendable {
    /// Ctrl+C.
    case interrupt = 2
    /// Ctrl+\.
    case quit = 3
    case user1 = 10
    case user2 = 12
    /// The terminal was closed, or a service should reload its files.
    case hangUp = 1
    case terminate = 15
    case windowChange = 28
    /// The kernel asks to switch virtual terminals. Nothing else sends real-time signals. glibc
    /// reserves 32 and 33.
    case consoleLeaves = 40
    case consoleReturns = 41
  }

  private var token: EventLoop.Token?
  private let descriptor: OwnedDescriptor

  /// Blocks `signals` for the calling thread, which must be the loop's. No other thread may receive
  /// them.
  package init(
    _ signals: Set<Signal>, on loop: EventLoop,
    _ handler: @escaping (Signal) -> Void
  ) throws(Errno) {
    var set = sigset_t()
    // The set is a local.
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal.rawValue) }
    let failure = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    let number = unsafe signalfd(-1, &set, CInt(SFD_CLOEXEC | SFD_NONBLOCK))
    guard number >= 0 else { throw Errno.current }
    descriptor = OwnedDescriptor(adopting: number)
    token = try loop.watch(number) { [unowned self] _ in
      while let signal = next() { handler(signal) }
    }
  }

  private func next() -> Signal? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    // The kernel writes whole records of this size.
    guard unsafe Glibc.read(descriptor.rawValue, &info, size) == size else { return nil }
    return Signal(rawValue: CInt(info.ssi_signo))
  }
}
