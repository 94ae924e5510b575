// SPDX-License-Identifier: MIT

internal import Motion

/// The mapping from the machine's time to the kiosk's, which may be faster, slower, or paused.
struct KioskClock {
  /// The number of seconds of the kiosk per second of the machine.
  private(set) var speed = 1.0
  /// The machine's time when the speed was set, and the kiosk's time then.
  private var start: Timestamp
  private var moment = Instant.zero

  /// The speeds that a page can choose.
  static let speeds = [0, 0.25, 1, 4]

  /// Creates a clock at zero.
  init(at start: Timestamp) { self.start = start }

  func moment(at time: Timestamp) -> Instant { moment + max(time - start, 0) * speed }

  /// Returns the machine's time for a time of the kiosk, or nil while the clock is paused.
  func time(of later: Instant) -> Timestamp? {
    speed > 0 ? start + max(later - moment, 0) / speed : nil
  }

  /// Continues at another speed.
  mutating func run(at speed: Double, from time: Timestamp) {
    moment = moment(at: time)
    start = time
    self.speed = speed
  }
}
