// SPDX-License-Identifier: MIT

internal import Motion

/// How the machine's time becomes the kiosk's, which may be faster, slower, or stand still.
struct KioskClock {
  /// Seconds of the kiosk's for one of the machine's.
  private(set) var speed = 1.0
  /// A moment of the machine's clock since which it has that speed, and the kiosk's then.
  private var start: Timestamp
  private var moment = Instant.zero

  /// The speeds that a page may choose.
  static let speeds = [0, 0.25, 1, 4]

  /// A clock that shows zero.
  init(at start: Timestamp) { self.start = start }

  func moment(at time: Timestamp) -> Instant { moment + max(time - start, 0) * speed }

  /// When a moment comes; nil where the time stands still.
  func time(of later: Instant) -> Timestamp? {
    speed > 0 ? start + max(later - moment, 0) / speed : nil
  }

  /// Goes on at another speed.
  mutating func run(at speed: Double, from time: Timestamp) {
    moment = moment(at: time)
    start = time
    self.speed = speed
  }
}
