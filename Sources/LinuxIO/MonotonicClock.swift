// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import RoundelMotion

/// The clock of libinput and DRM. It never jumps, and stops during suspend. C: CLOCK_MONOTONIC.
package enum MonotonicClock {
  package static var now: Timestamp {
    var time = timespec()
    // Can't fail, and the pointer is to a local.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// The time of another kernel clock, or nil if it doesn't exist. C: clock_gettime.
  package static func now(of clock: CInt) -> Timestamp? {
    var time = timespec()
    // The pointer is to a local.
    guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// C: clock_nanosleep.
  package static func sleep(until deadline: Timestamp) {
    let (seconds, micro) = max(deadline, .zero).microseconds.quotientAndRemainder(
      dividingBy: 1_000_000)
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(micro) * 1000)
    // A signal interrupts it. The pointer is to a local.
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
