// SPDX-License-Identifier: MIT

package import Expressions
package import Geometry
package import Kiosk

/// The tests of one kiosk from a suite file. All names in it exist in the kiosk.
package struct TestSuite: Sendable {
  package var name: String
  /// The path of the suite's file.
  package var file: String
  /// The path of the kiosk's file.
  package var kiosk: String
  /// The size of the unrotated canvas in headless tests, or nil for the design size.
  package var size: PixelSize?
  /// The folder of the expected pictures.
  package var goldens: String
  package var tests: [TestCase]
}

package struct TestCase: Sendable {
  /// The name, including the values of parameters.
  package var name: String
  /// The line in the file, counted from 1.
  package var line: Int
  package var tags: [String]
  /// The time limit in seconds, by the kiosk's clock if that is virtual.
  package var timeout: Double
  package var seed: UInt64
  /// Whether the test requires a virtual clock.
  package var isHeadlessOnly: Bool
  /// The suite's setup, then the steps of the test.
  package var steps: [Step]
}

/// An action or expectation of a test.
package struct Step: Sendable {
  /// The line and column in the file, counted from 1.
  package var line: Int
  package var column: Int
  /// The rounds of the enclosing `repeat` steps, starting with the outermost.
  package var rounds: [Round] = []
  package var action: StepAction

  package struct Round: Hashable, Sendable {
    /// The number of the round, counted from 1.
    package var number: Int
    package var count: Int
  }
}

package enum StepAction: Hashable, Sendable {
  /// Plays strokes at the same time.
  case touch([Stroke])
  /// Presses a finger and keeps it down.
  case press(finger: Int, TouchPoint)
  /// Moves a pressed finger.
  case move(finger: Int, DragPath, during: Double)
  /// Lifts a finger, or all fingers for nil.
  case release(finger: Int?)
  /// Types a text on a keypad. For nil, uses the only visible keypad.
  case type(String, control: String?)
  case command(Command)
  /// Sets the wall clock, which continues from there.
  case clock(CivilTime)
  case pause(seconds: Double)
  /// Waits for goals one after another, for `within` seconds or until the test's time limit.
  case wait([Goal<Condition>], within: Double?)
  case shot(String, region: Rect?)
  case expect(Expectation)
}

/// The path of a finger from its press until it is lifted.
package struct Stroke: Hashable, Sendable {
  package var start: TouchPoint
  package var path: DragPath
  /// The seconds until the press.
  package var after: Double
  /// The duration of the movement in seconds.
  package var during: Double
  /// The seconds that the finger rests before it is lifted. Without a rest, the stroke is a fling.
  package var hold: Double
}

extension Stroke {
  /// Returns a tap of a typical duration.
  package static func tap(_ place: TouchPoint) -> Stroke {
    Stroke(start: place, path: .none, after: 0, during: 0, hold: 0.08)
  }
}

/// The start or end of a stroke.
package enum TouchPoint: Hashable, Sendable {
  case target(Target)
  /// A point in design pixels.
  case point(Point)
}

package enum DragPath: Hashable, Sendable {
  case none
  case to(TouchPoint)
  case by(Vector)
  /// An arc around a centre, in degrees, clockwise.
  case around(TouchPoint, degrees: Double)
}

package enum Expectation: Hashable, Sendable {
  /// The goals hold now or within the time.
  case state([Goal<Condition>], within: Double)
  /// The event has occurred since the last expected one, or occurs within the time.
  case event(EventPattern, within: Double)
  /// The event has not occurred since the last expected one, and doesn't occur during the time.
  case noEvent(EventPattern, during: Double)
  /// The events have occurred in order since the last expected one, or occur within the time. Only a control's events
  /// count, or all for nil. Unless `isExact`, other events may occur in between.
  case events([EventPattern], control: String?, within: Double, isExact: Bool)
  case picture(PictureExpectation)
  /// Speech that contains the string has occurred since the last expected speech, or occurs within the time.
  case spoken(String, within: Double)
}

/// A pattern for some of an event's members, such as `event` and `control`.
package struct EventPattern: Hashable, Sendable {
  package var members: [ValuePattern.Member]
}

package struct PictureExpectation: Hashable, Sendable {
  package var name: String
  /// The region in design pixels, or nil for the whole picture.
  package var region: Rect?
  package var tolerance: Tolerance
  /// Whether the check waits until nothing moves.
  package var isStill: Bool
  /// The time limit for that wait in seconds, or nil for the test's time limit.
  package var within: Double?
}
