// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Dispatch
internal import Glibc

/// The main actor's queue, for the loop of a kiosk on the main thread.
struct MainQueue {
  /// Readable while there are tasks.
  let descriptor: CInt

  /// Returns nil on another thread, and if other code runs the queue, such as `dispatchMain`.
  init?() {
    guard gettid() == getpid() else { return nil }
    descriptor = _dispatch_get_main_queue_handle_4CF()
    guard descriptor >= 0 else { return nil }
  }

  /// Runs the queued tasks up to their next suspension.
  func run() {
    var count: UInt64 = 0
    // An eventfd reads eight bytes, and the descriptor is nonblocking.
    _ = unsafe Glibc.read(descriptor, &count, 8)
    _dispatch_main_queue_callback_4CF(nil)
  }
}
