// SPDX-License-Identifier: MIT

package import Controls
package import Expressions
package import Geometry
internal import JSON
package import Kiosk
package import Motion
package import Raster
package import Session

/// Where a suite's kiosk is tested: on a virtual clock, or where it runs.
package protocol TestBench: AnyObject {
  /// Whether moments are exact, so that a picture of something in motion can be.
  var isExact: Bool { get }

  /// The moment, by the clock by which steps wait.
  var now: Instant { get }

  /// The events since the test began, in order.
  var events: [SessionLine] { get }

  /// The touches and commands since the test began, as a recording has them.
  var recording: [SessionLine] { get }

  /// Makes the kiosk as it is after its start, no finger on it; events count from here on.
  func begin(seed: UInt64) throws(BenchError)

  /// Lifts the fingers that the test has left.
  func end() throws(BenchError)

  /// Where a finger finds a control or an item now.
  func place(of target: Target) throws(BenchError) -> Point

  /// The keys that type a text on a keypad as it is now; on the only one that is shown where nil.
  func keys(typing text: String, on control: String?) throws(BenchError) -> [Target]

  /// Lets fingers touch, in order of time, `after` seconds from now; returns when all events of that were
  /// reported.
  func play(_ touches: [TimedTouch]) throws(BenchError)

  func perform(_ command: Command) throws(BenchError)

  /// Sets the wall clock, which goes on from there.
  func setClock(_ time: CivilTime) throws(BenchError)

  /// The state of a goal now.
  func state(of goal: Goal<Condition>) throws(BenchError) -> GoalState

  /// Lets time go by until a goal is reached, or `deadline`; whether it is.
  func wait(for goal: Goal<Condition>, until deadline: Instant) throws(BenchError) -> Bool

  /// Lets time go by until `isEnough` says so of the events, or `deadline`; whether it does.
  func wait(
    until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool
  ) throws(BenchError) -> Bool

  /// The picture that is shown now.
  func picture() throws(BenchError) -> Shot
}

/// A touch, and when it happens.
package struct TimedTouch: Hashable, Sendable {
  /// Seconds.
  package var after: Double
  package var touch: Touch

  package init(after: Double, _ touch: Touch) {
    self.after = after
    self.touch = touch
  }
}

/// The picture that is shown, upright, and how the design lies on it.
package struct Shot: Sendable {
  package var bitmap: Bitmap
  package var viewport: Viewport

  package init(_ bitmap: Bitmap, _ viewport: Viewport) {
    self.bitmap = bitmap
    self.viewport = viewport
  }

  /// The part that shows a region of the design, nil for all; nil where nothing of it is seen.
  func part(_ region: Rect?) -> Bitmap? {
    guard let region else { return bitmap }
    let rect = PixelRect(covering: viewport.canvasRect(region))
    guard !rect.intersection(PixelRect(size: bitmap.size)).isEmpty else { return nil }
    return bitmap.cropped(to: rect)
  }
}

/// Why a step could not be done.
package enum BenchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kiosk does not do that, or not now: the test has failed.
  case refused(String)
  /// There is no kiosk any more: no test can be done.
  case lost(String)

  package var description: String {
    switch self {
    case .refused(let what), .lost(let what): what
    }
  }
}

extension EventPattern {
  func matches(_ line: SessionLine) -> Bool {
    members.allSatisfy { member in
      member.pattern.matches(
        line.members.first { $0.name == member.name }.flatMap { Value($0.value) })
    }
  }
}
