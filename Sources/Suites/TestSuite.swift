// SPDX-License-Identifier: MIT

package import Expressions
package import Geometry
package import Kiosk

/// Tests of one kiosk, as a suite file describes them. Everything that it names has been found in the
/// kiosk.
package struct TestSuite: Sendable {
  package var name: String
  /// The path of the suite's file.
  package var file: String
  /// The path of the kiosk's file.
  package var kiosk: String
  /// The pixels of the upright canvas where the kiosk runs headless; nil for the design size.
  package var size: PixelSize?
  /// The folder of the expected pictures.
  package var goldens: String
  package var tests: [TestCase]
}

/// One case of a test.
package struct TestCase: Sendable {
  /// With the values of its parameters, if it has any.
  package var name: String
  /// Its line in the file, from 1.
  package var line: Int
  package var tags: [String]
  /// Seconds that all of it may take, by the kiosk's clock where that is virtual.
  package var timeout: Double
  /// The random seed.
  package var seed: UInt64
  /// Whether it makes sense on a virtual clock only.
  package var isHeadlessOnly: Bool
  /// The suite's setup and its own steps.
  package var steps: [Step]
}

/// One thing that a test does or expects.
package struct Step: Sendable {
  /// Its place in the file, both numbers from 1.
  package var line: Int
  package var column: Int
  /// The rounds of the `repeat` steps that it is in, the outermost first.
  package var rounds: [Round] = []
  package var action: StepAction

  package struct Round: Hashable, Sendable {
    /// From 1.
    package var number: Int
    package var count: Int
  }
}

package enum StepAction: Hashable, Sendable {
  /// Fingers that come and go, at the same time.
  case touch([Stroke])
  /// A finger comes down and stays.
  case press(finger: Int, TouchPoint)
  /// A finger that is down goes somewhere.
  case move(finger: Int, Way, during: Double)
  /// Fingers that are down are lifted; nil for all of them.
  case release(finger: Int?)
  /// Taps the keys of a keypad that type a text; of the only one that is shown where nil.
  case type(String, control: String?)
  case command(Command)
  /// Sets the wall clock, which goes on from there.
  case clock(CivilTime)
  case pause(seconds: Double)
  /// For all of them, one after the other; nil seconds for as long as the test may take.
  case wait([Goal<Condition>], within: Double?)
  case shot(String, region: Rect?)
  case expect(Expectation)
}

/// A finger's way from its coming down to its being lifted.
package struct Stroke: Hashable, Sendable {
  package var start: TouchPoint
  package var way: Way
  /// Seconds until it comes down.
  package var after: Double
  /// Seconds on its way.
  package var during: Double
  /// Seconds that it rests before it is lifted; lifted in motion, it flings.
  package var hold: Double
}

extension Stroke {
  /// A tap as quick as a person's.
  package static func tap(_ place: TouchPoint) -> Stroke {
    Stroke(start: place, way: .none, after: 0, during: 0, hold: 0.08)
  }
}

/// Where a finger comes down or goes to.
package enum TouchPoint: Hashable, Sendable {
  case target(Target)
  /// In design pixels.
  case point(Point)
}

package enum Way: Hashable, Sendable {
  case none
  case to(TouchPoint)
  case by(Vector)
  /// Around a place, by degrees, clockwise.
  case around(TouchPoint, degrees: Double)
}

package enum Expectation: Hashable, Sendable {
  /// It holds now, or comes to hold in time.
  case state([Goal<Condition>], within: Double)
  /// Such an event has come since the last one that was expected, or comes in time.
  case event(EventPattern, within: Double)
  /// No such event has come since then, or comes soon.
  case noEvent(EventPattern, during: Double)
  /// These events have come since then, or come in time, in order, among a control's events or all. Others
  /// may lie between them, unless `isExact`.
  case events([EventPattern], control: String?, within: Double, isExact: Bool)
  case picture(PictureExpectation)
  /// A text with this in it has been said since the last one that was expected, or is said in time.
  case spoken(String, within: Double)
}

/// A pattern of events: of some of their members, `event` and `control` among them.
package struct EventPattern: Hashable, Sendable {
  package var members: [ValuePattern.Member]
}

package struct PictureExpectation: Hashable, Sendable {
  package var name: String
  /// In design pixels; nil for all.
  package var region: Rect?
  package var tolerance: Tolerance
  /// Whether it is taken when nothing moves, rather than immediately.
  package var isStill: Bool
  /// Seconds until nothing moves; nil for as long as the test may take.
  package var within: Double?
}
