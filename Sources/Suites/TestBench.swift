// SPDX-License-Identifier: MIT

package import Controls
package import Expressions
package import Geometry
internal import JSON
package import Kiosk
package import Motion
package import Raster
package import Session

/// The environment of tests: a kiosk on a virtual clock, or a running kiosk.
package protocol TestBench: AnyObject {
  /// Whether times are exact, so that moving controls can be compared with pictures.
  var isExact: Bool { get }

  /// The current time on the clock that steps use.
  var now: Instant { get }

  /// The events since the start of the test, in order.
  var events: [SessionLine] { get }

  /// The touches and commands since the start of the test, as lines of a recording.
  var recording: [SessionLine] { get }

  /// Restores the kiosk's initial state without touches, and clears the events.
  func begin(seed: UInt64) throws(BenchError)

  /// Lifts the remaining fingers of the test.
  func end() throws(BenchError)

  /// Returns the current position of a control or an item.
  func place(of target: Target) throws(BenchError) -> Point

  /// Returns the keys that type a text on a keypad's current layer. For nil, uses the only visible keypad.
  func keys(typing text: String, on control: String?) throws(BenchError) -> [Target]

  /// Plays touches, which must be in order of time. Returns after all their events have been reported.
  func play(_ touches: [TimedTouch]) throws(BenchError)

  func perform(_ command: Command) throws(BenchError)

  /// Sets the wall clock, which continues from there.
  func setClock(_ time: CivilTime) throws(BenchError)

  /// Returns the current state of a goal.
  func state(of goal: Goal<Condition>) throws(BenchError) -> GoalState

  /// Waits until a goal is reached, or until `deadline`. Returns whether the goal is reached.
  func wait(for goal: Goal<Condition>, until deadline: Instant) throws(BenchError) -> Bool

  /// Waits until `isEnough` returns true for the events, or until `deadline`. Returns the last result.
  func wait(
    until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool
  ) throws(BenchError) -> Bool

  /// Returns the current picture.
  func picture() throws(BenchError) -> Shot
}

/// A touch and its time.
package struct TimedTouch: Hashable, Sendable {
  /// In seconds.
  package var after: Double
  package var touch: Touch

  package init(after: Double, _ touch: Touch) {
    self.after = after
    self.touch = touch
  }
}

/// The unrotated picture, and its mapping to the design.
package struct Shot: Sendable {
  package var bitmap: Bitmap
  package var viewport: Viewport

  package init(_ bitmap: Bitmap, _ viewport: Viewport) {
    self.bitmap = bitmap
    self.viewport = viewport
  }

  /// Returns the part that shows a region of the design, or the whole picture for nil. Returns nil if the region is
  /// outside.
  func part(_ region: Rect?) -> Bitmap? {
    guard let region else { return bitmap }
    let rect = PixelRect(covering: viewport.canvasRect(region))
    guard !rect.intersection(PixelRect(size: bitmap.size)).isEmpty else { return nil }
    return bitmap.cropped(to: rect)
  }
}

/// An error that prevented a step.
package enum BenchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kiosk has refused the step, so the test fails.
  case refused(String)
  /// The kiosk no longer exists, so no test can run.
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
