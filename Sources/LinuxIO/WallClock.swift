// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

package final class WallClock {
  private var token: EventLoop.Token?
  private let timer: OwnedDescriptor

  /// Calls `onStep` whenever the clock is set, for example by the network after booting. Causes no
  /// other wake-ups. C: TFD_TIMER_CANCEL_ON_SET.
  package init(on loop: EventLoop, onStep: @escaping () -> Void) throws(Errno) {
    timer = OwnedDescriptor(
      adopting: try retryingOnInterrupt {
        timerfd_create(CLOCK_REALTIME, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
      })
    try arm()
    token = try loop.watch(timer.rawValue) { [unowned self] _ in
      // The kernel returns ECANCELED after a step, and then waits again.
      var expirations: UInt64 = 0
      _ = unsafe Glibc.read(timer.rawValue, &expirations, MemoryLayout<UInt64>.size)
      try? arm()
      onStep()
    }
  }

  /// Sets a timer that never expires.
  private func arm() throws(Errno) {
    var never = itimerspec()
    never.it_value.tv_sec = .max / 4
    let flags = CInt(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    // The pointer is to a local.
    try retryingOnInterrupt { unsafe timerfd_settime(timer.rawValue, flags, &never, nil) }
  }

  /// Seconds since 1970-01-01T00:00:00 UTC.
  package static var secondsSince1970: Double {
    var now = timespec()
    // Can't fail, and the pointer is to a local.
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
  }

  /// Microseconds since 1970-01-01T00:00:00 in local time.
  package static var localMicroseconds: Int {
    var now = timespec()
    // Can't fail, and the pointer is to a local.
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    var seconds = now.tv_sec
    // Its only pointer names the zone, and isn't used.
    var parts = unsafe tm()
    // Checks for a new zone.
    tzset()
    // Fails only if the year doesn't fit in `tm_year`. UTC is good enough then.
    _ = unsafe localtime_r(&seconds, &parts)
    return unsafe (now.tv_sec + Int(parts.tm_gmtoff)) * 1_000_000 + now.tv_nsec / 1000
  }
}
