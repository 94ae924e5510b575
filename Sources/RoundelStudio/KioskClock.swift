// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// Maps the machine's time to the kiosk's time, which may be faster, slower, or paused.
struct KioskClock {
  /// Seconds of the kiosk per second of the machine.
  private(set) var speed = 1.0
  /// The machine's time when the speed was set, and the kiosk's time then.
  private var start: Timestamp
  private var instant = Instant.zero

  static let speeds = [0, 0.25, 1, 4]

  init(at start: Timestamp) { self.start = start }

  func instant(at time: Timestamp) -> Instant { instant + max(time - start, 0) * speed }

  /// Returns nil while the clock is paused.
  func time(of later: Instant) -> Timestamp? {
    speed > 0 ? start + max(later - instant, 0) / speed : nil
  }

  mutating func run(at speed: Double, from time: Timestamp) {
    instant = instant(at: time)
    start = time
    self.speed = speed
  }
}
