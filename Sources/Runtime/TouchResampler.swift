// SPDX-License-Identifier: MIT

package import Controls
package import Geometry
package import Motion

/// Where fingers are at the moment of a frame, between and after their samples.
///
/// Panels sample at a rate of their own. The newest sample is between nothing and an interval old when
/// a frame begins, and a picture of it judders by as much. This moves every finger to where it was the
/// same time before the frame, along the line through its last two samples:
///
///     samples   ●─────────●─────────●┄┄┄┄┄○           ○ predicted
///     frames          │         │         │
///     drawn        ×  │      ×  │      ×  │           `lag` of an interval before
///
/// The newest sample is half an interval old on average, so a `lag` of less than a half is earlier than
/// to draw that. InputTransport in Android takes 5 ms at all rates, which is later from 100 Hz on.
///
/// A finger whose next sample is overdue rests, and is drawn where it was sampled last.
package struct TouchResampler: Hashable, Sendable {
  private struct Finger: Hashable, Sendable {
    let number: Int
    /// Where it was sampled last.
    var place: Point
    /// From the sample before to that.
    var way = Vector.zero
    var clock: SampleClock
  }

  private var fingers: [Finger] = []

  /// Further fingers are not resampled.
  private static let maximumFingers = 16
  /// In parts of the interval. The rest of it is what a finger is predicted by at most, and overshoots by where
  /// it stops abruptly or turns round: this is just enough to be earlier in all motions.
  private static let lag = 0.4
  /// In parts of the interval: the next sample is overdue.
  private static let rest = 1.5

  package init() { fingers.reserveCapacity(Self.maximumFingers) }

  /// Adds what a finger did, with the time stamp of its report.
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
      fingers[index].way = touch.position - fingers[index].place
      fingers[index].place = touch.position
    case .up, .cancel:
      if let index { fingers.remove(at: index) }
    }
  }

  /// Where to draw a finger in a frame that begins at a moment; nil for where it was sampled last.
  package func position(of finger: Int, at frame: Timestamp) -> Point? {
    guard let finger = fingers.first(where: { $0.number == finger }),
      let pace = finger.clock.pace
    else { return nil }
    let age = (frame - finger.clock.time) / pace.interval
    // A stamp far ahead of the frame is wrong.
    guard age >= -1, age <= Self.rest else { return nil }
    let ahead = (min(age, 1) - Self.lag) * pace.interval
    let place = finger.place + finger.way * max(ahead / pace.newest, -1)
    guard place.x.isFinite, place.y.isFinite, place != finger.place else { return nil }
    return place
  }
}
