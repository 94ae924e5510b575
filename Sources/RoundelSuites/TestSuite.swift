// SPDX-License-Identifier: MIT

package import RoundelExpressions
package import RoundelGeometry
package import Kiosk

/// The tests of one kiosk. All names exist in the kiosk.
package struct TestSuite: Sendable {
  package var name: String
  package var file: String
  package var kiosk: String
  /// The unrotated canvas in headless tests, or nil for the design size.
  package var size: PixelSize?
  package var goldens: String
  package var tests: [TestCase]
}

package struct TestCase: Sendable {
  /// Includes the values of parameters.
  package var name: String
  /// The line in the file, counted from 1.
  package var line: Int
  package var tags: [String]
  /// Seconds, by the kiosk's clock if that is virtual.
  package var timeout: Double
  package var seed: UInt64
  package var isHeadlessOnly: Bool
  /// The suite's setup, then the steps of the test.
  package var steps: [Step]
}

package struct Step: Sendable {
  /// The line and column in the file, counted from 1.
  package var line: Int
  package var column: Int
  /// The enclosing `repeat` steps, starting with the outermost.
  package var rounds: [Round] = []
  package var action: StepAction

  package struct Round: Hashable, Sendable {
    /// The round, counted from 1.
    package var number: Int
    package var count: Int
  }
}

package enum StepAction: Hashable, Sendable {
  case touch([Stroke])
  /// Keeps the finger down.
  case press(finger: Int, TouchPoint)
  case move(finger: Int, DragPath, during: Double)
  /// Lifts a finger, or all fingers if it is nil.
  case release(finger: Int?)
  /// Types a string on a keypad, or on the only visible one if `control` is nil.
  case type(String, control: String?)
  case command(Command)
  case clock(CivilTime)
  case pause(seconds: Double)
  /// Goals in order, within `within` seconds or the test's time limit.
  case wait([Goal<Condition>], within: Double?)
  case shot(String, region: Rect?)
  case expect(Expectation)
}

package struct Stroke: Hashable, Sendable {
  package var start: TouchPoint
  package var path: DragPath
  /// Seconds until the press.
  package var after: Double
  /// Seconds of movement.
  package var during: Double
  /// Seconds of rest before the lift. Without it, the stroke is a fling.
  package var hold: Double

  package init(
    start: TouchPoint, path: DragPath, after: Double = 0, during: Double, hold: Double
  ) {
    self.start = start
    self.path = path
    self.after = after
    self.during = during
    self.hold = hold
  }
}

extension Stroke {
  package static func tap(_ place: TouchPoint) -> Stroke {
    Stroke(start: place, path: .none, after: 0, during: 0, hold: 0.08)
  }
}

package enum TouchPoint: Hashable, Sendable {
  case target(Target)
  /// A point in design pixels.
  case point(Point)
}

package enum DragPath: Hashable, Sendable {
  case none
  case to(TouchPoint)
  case by(Vector)
  /// An arc around a centre, clockwise.
  case around(TouchPoint, degrees: Double)
}

package enum Expectation: Hashable, Sendable {
  case state([Goal<Condition>], within: Double)
  /// The event occurs after the last expected one.
  case event(EventPattern, within: Double)
  /// The event doesn't occur after the last expected one.
  case noEvent(EventPattern, during: Double)
  /// The events occur in order after the last expected one, counting only events of `control`, if
  /// not nil. Unless `isExact`, others may occur in between.
  case events([EventPattern], control: String?, within: Double, isExact: Bool)
  case picture(PictureExpectation)
  /// Speech with the string occurs after the last expected speech.
  case spoken(String, within: Double)
}

/// A pattern for some of an event's members.
package struct EventPattern: Hashable, Sendable {
  package var members: [ValuePattern.Member]
}

package struct PictureExpectation: Hashable, Sendable {
  package var name: String
  /// The region in design pixels, or nil for the whole picture.
  package var region: Rect?
  package var tolerance: Tolerance
  package var isStill: Bool
  /// Seconds to wait for that, or nil for the test's time limit.
  package var within: Double?
}
