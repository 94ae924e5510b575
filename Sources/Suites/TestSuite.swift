// SPDX-License-Identifier: MIT

public import Expressions
public import Geometry
public import Kiosk
public import Session

/// Tests of one kiosk, as a suite file describes them. Everything that it names has been found in the
/// kiosk.
public struct TestSuite: Sendable {
  public var name: String
  /// The path of the suite's file.
  public var file: String
  /// The path of the kiosk's file.
  public var kiosk: String
  /// The pixels of the upright canvas where the kiosk runs headless; nil for the design size.
  public var size: PixelSize?
  /// The folder of the expected pictures.
  public var goldens: String
  public var tests: [TestCase]
}

/// One test, as often as its parameters say.
public struct TestCase: Sendable {
  /// With the values of its parameters, if it has any.
  public var name: String
  /// Where it stands in the file, from 1.
  public var line: Int
  public var tags: [String]
  /// Seconds that all of it may take, by the kiosk's clock where that is virtual.
  public var timeout: Double
  /// What chance begins with.
  public var seed: UInt64
  /// Whether it makes sense on a virtual clock only.
  public var isHeadlessOnly: Bool
  /// The suite's setup and its own steps.
  public var steps: [Step]
}

/// One thing that a test does or expects.
public struct Step: Sendable {
  /// Where it stands in the file, both from 1.
  public var line: Int
  public var column: Int
  public var action: StepAction
}

public enum StepAction: Hashable, Sendable {
  /// Fingers that come and go, at the same time.
  case touch([Stroke])
  /// A finger comes down and stays.
  case press(finger: Int, Place)
  /// One that is down goes somewhere.
  case move(finger: Int, Way, during: Double)
  /// Fingers that are down are lifted; nil for all of them.
  case release(finger: Int?)
  case command(Command)
  /// Sets the wall clock, which goes on from there.
  case clock(CivilTime)
  case pause(seconds: Double)
  /// For all of them, one after the other; nil seconds for as long as the test may take.
  case wait([Goal], within: Double?)
  case shot(String, region: Rect?)
  case expect(Expectation)
}

/// A finger's way from its coming down to its being lifted.
public struct Stroke: Hashable, Sendable {
  public var start: Place
  public var way: Way
  /// Seconds until it comes down.
  public var after: Double
  /// Seconds on its way.
  public var during: Double
  /// Seconds that it rests before it is lifted; lifted in motion, it flings.
  public var hold: Double
}

/// Where a finger comes down or goes to.
public enum Place: Hashable, Sendable {
  case target(Target)
  /// In design pixels.
  case point(Point)
}

public enum Way: Hashable, Sendable {
  case none
  case to(Place)
  case by(Vector)
  /// Around a place, by degrees, clockwise.
  case around(Place, degrees: Double)
}

/// What a kiosk may come to.
public enum Goal: Hashable, Sendable {
  /// An expression holds.
  case that(Condition)
  case property(Reference, ValuePattern)
  case page(String)
  /// Nothing moves, and nothing will by itself.
  case still
}

public enum Expectation: Hashable, Sendable {
  /// It holds now, or comes to hold in time.
  case state([Goal], within: Double)
  /// It has come since the last event that was expected, or comes in time.
  case event(EventPattern, within: Double)
  /// Nothing like it has come since then, or comes soon.
  case noEvent(EventPattern, during: Double)
  /// These have come since then, or come in time, in order, of a control's events or of all. Others may
  /// lie between them, unless there must be none.
  case events([EventPattern], control: String?, within: Double, isExact: Bool)
  case picture(PictureExpectation)
}

/// What an event looks like: some of its members, `event` and `control` among them.
public struct EventPattern: Hashable, Sendable {
  public var members: [ValuePattern.Member]
}

public struct PictureExpectation: Hashable, Sendable {
  public var name: String
  /// In design pixels; nil for all.
  public var region: Rect?
  public var tolerance: Tolerance
  /// Whether it is taken when nothing moves, rather than at once.
  public var isStill: Bool
  /// Seconds until nothing moves; nil for as long as the test may take.
  public var within: Double?
}
