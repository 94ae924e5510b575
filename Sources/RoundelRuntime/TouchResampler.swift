// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry
package import RoundelMotion

/// Computes the positions of touches at the time of a frame, between and after their samples.
///
/// Touchscreens sample at their own rate, so the newest sample is up to an interval old, and would
/// judder by that much. The resampler moves each finger to its position at a constant time before
/// the frame, along the line through its last two samples:
///
///     samples   ●─────────●─────────●┄┄┄┄┄○           ○ predicted
///     frames          │         │         │
///     drawn        ×  │      ×  │      ×  │           `lag` of an interval before
///
/// Samples are half an interval old on average, so with a `lag` below a half, touches appear
/// earlier. Android's InputTransport uses 5 ms at all rates, which is later from 100 Hz.
///
/// A finger whose next sample is overdue is at rest, and displayed at its last sample.
package struct TouchResampler: Hashable, Sendable {
  private struct Finger: Hashable, Sendable {
    let number: Int
    var place: Point
    /// From the previous sample to the last.
    var offset = Vector.zero
    var clock: SampleClock
  }

  private var fingers: [Finger] = []

  /// Additional fingers are not resampled.
  private static let maximumFingers = 16
  /// A fraction of the interval. The rest is the maximum prediction, and the overshoot of a finger
  /// that stops abruptly: just enough to appear earlier in all motions.
  private static let lag = 0.4
  /// The minimum age of a sample whose successor is overdue, as a fraction of the interval.
  private static let rest = 1.5

  package init() { fingers.reserveCapacity(Self.maximumFingers) }

  package mutating func add(_ touch: Touch, at stamp: Timestamp) {
    let index = fingers.firstIndex { $0.number == touch.finger }
    let isFinite = touch.position.x.isFinite && touch.position.y.isFinite
    switch touch.phase {
    case .down:
      if let index { fingers.remove(at: index) }
      guard isFinite, fingers.count < Self.maximumFingers else { return }
      fingers.append(
        Finger(number: touch.finger, place: touch.position, clock: SampleClock(stamp)))
    case .move:
      guard let index, isFinite else { return }
      fingers[index].clock.add(stamp)
      fingers[index].offset = touch.position - fingers[index].place
      fingers[index].place = touch.position
    case .up, .cancel:
      if let index { fingers.remove(at: index) }
    }
  }

  /// The position in a frame that starts at `frame`, or nil for the last sample.
  package func position(of finger: Int, at frame: Timestamp) -> Point? {
    guard let finger = fingers.first(where: { $0.number == finger }),
      let pace = finger.clock.pace
    else { return nil }
    let age = (frame - finger.clock.time) / pace.interval
    // A timestamp far ahead of the frame is wrong.
    guard age >= -1, age <= Self.rest else { return nil }
    let ahead = (min(age, 1) - Self.lag) * pace.interval
    let place = finger.place + finger.offset * max(ahead / pace.newest, -1)
    guard place.x.isFinite, place.y.isFinite, place != finger.place else { return nil }
    return place
  }
}
