// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelExpressions
package import RoundelGeometry
internal import RoundelJSON
package import Kiosk
package import RoundelMotion
package import RoundelRaster
package import RoundelSession

/// The environment of tests: a kiosk on a virtual clock, or a running kiosk.
package protocol TestBench: AnyObject {
  /// Whether moving controls can be compared with pictures.
  var isExact: Bool { get }

  /// The time on the clock of steps.
  var now: Instant { get }

  /// The events since the start of the test, in order.
  var events: [SessionLine] { get }

  /// The touches and commands since the start of the test.
  var recording: [SessionLine] { get }

  /// Restores the initial state without touches, and clears the events.
  func begin(seed: UInt64) throws(BenchError)

  /// Lifts the remaining fingers.
  func end() throws(BenchError)

  func place(of target: Target) throws(BenchError) -> Point

  /// Returns keys of the current layer. Nil means the only visible keypad.
  func keys(typing text: String, on control: String?) throws(BenchError) -> [Target]

  /// Touches are in order of time. Returns after all their events.
  func play(_ touches: [TimedTouch]) throws(BenchError)

  func perform(_ command: Command) throws(BenchError)

  /// The wall clock continues from there.
  func setClock(_ time: CivilTime) throws(BenchError)

  func state(of goal: Goal<Condition>) throws(BenchError) -> GoalState

  /// Returns whether the goal is reached before `deadline`.
  func wait(for goal: Goal<Condition>, until deadline: Instant) throws(BenchError) -> Bool

  /// Waits until `isEnough` returns true, or until `deadline`. Returns the last result.
  func wait(
    until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool
  ) throws(BenchError) -> Bool

  func picture() throws(BenchError) -> Shot
}

extension TestBench {
  package func point(_ place: TouchPoint) throws(BenchError) -> Point {
    switch place {
    case .point(let point): point
    case .target(let target): try self.place(of: target)
    }
  }
}

package struct TimedTouch: Hashable, Sendable {
  /// The time in seconds.
  package var after: Double
  package var touch: Touch

  package init(after: Double, _ touch: Touch) {
    self.after = after
    self.touch = touch
  }
}

/// An unrotated picture.
package struct Shot: Sendable {
  package var bitmap: Bitmap
  package var viewport: Viewport

  package init(_ bitmap: Bitmap, _ viewport: Viewport) {
    self.bitmap = bitmap
    self.viewport = viewport
  }

  /// Returns a region, or the whole picture if `region` is nil. Returns nil if the region is
  /// outside.
  func part(_ region: Rect?) -> Bitmap? {
    guard let region else { return bitmap }
    let rect = PixelRect(covering: viewport.canvasRect(region))
    guard !rect.intersection(PixelRect(size: bitmap.size)).isEmpty else { return nil }
    return bitmap.cropped(to: rect)
  }
}

package enum BenchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The test fails.
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
  /// The event's name, or nil if the pattern permits several names.
  var name: String? {
    guard case .value(.text(let name))? = members.first(where: { $0.name == "event" })?.pattern
    else { return nil }
    return name
  }

  func matches(_ line: SessionLine) -> Bool {
    members.allSatisfy { member in
      member.pattern.matches(
        line.members.first { $0.name == member.name }.flatMap { Value($0.value) })
    }
  }
}
