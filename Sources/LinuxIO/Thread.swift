// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
internal import SystemPackage

/// The thread must be joined or detached. It receives no signals.
func startThread(_ work: @escaping @Sendable () -> Void) throws(Errno) -> pthread_t {
  final class Start {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  var thread = pthread_t()
  var all = sigset_t()
  var old = sigset_t()
  // A thread inherits its creator's signal mask.
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
  // Balanced by `takeRetainedValue` on the new thread.
  let start = unsafe Unmanaged.passRetained(Start(work))
  let failure = unsafe pthread_create(
    &thread, nil,
    { start in
      if let start = unsafe start {
        unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().work()
      }
      return nil
    }, start.toOpaque())
  unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
  guard failure == 0 else {
    unsafe start.release()
    throw Errno(rawValue: failure)
  }
  return thread
}
