// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// Wakes a loop on a virtual clock every few milliseconds of real time, for tests that wait for
/// something that the loop can't observe, such as a file written by another program.
final class Pulse {
  private static let interval = 5_000_000
  /// Closed after the watch has ended.
  private let timer: OwnedDescriptor
  private var token: EventLoop.Token?

  init(on loop: EventLoop) throws {
    timer = OwnedDescriptor(
      adopting: timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK)))
    var setting = itimerspec()
    setting.it_value.tv_nsec = Self.interval
    setting.it_interval.tv_nsec = Self.interval
    guard unsafe timerfd_settime(timer.rawValue, 0, &setting, nil) == 0 else {
      throw Errno(rawValue: errno)
    }
    let number = timer.rawValue
    token = try loop.watch(number) { _ in
      var count: UInt64 = 0
      // Never blocks; the count doesn't matter.
      _ = unsafe read(number, &count, 8)
    }
  }
}
