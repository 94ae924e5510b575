// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// A capability that pages, touches and actions don't need. To remove it, delete its file and its row in `Features`.
///
/// A feature owns its state. It changes the kiosk only through operations of the engine, and observes other features
/// only through the events of a turn. While a feature handles something, it is absent from the engine.
protocol Feature: Sendable {
  init(_ description: Description)

  /// A counter of visible changes.
  var revision: UInt64 { get }
  /// The time of the feature's next change.
  func nextChange(in engine: Engine) -> Instant?

  // MARK: Input

  /// Handles user input before anything else. Returns whether the input has no other effect.
  mutating func notice(_ input: Input, _ engine: inout Engine) -> Bool
  /// Decides about a new touch while the panel is awake.
  mutating func admit(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) -> Admission
  /// Tracks a finger, before the control that it holds handles the touch.
  mutating func follow(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn)
  /// Returns the receiver of a finger if the feature handles the finger itself.
  func receiver(of finger: Finger, in engine: Engine) -> TouchReceiver?
  /// Whether the feature moves the page with a finger.
  func movesPage(by finger: Int) -> Bool
  /// Handles a key before the focused control. Returns whether the key has no other effect.
  mutating func press(_ key: Keystroke, _ engine: inout Engine, _ turn: inout Turn) -> Bool

  // MARK: Turns

  /// Performs due changes.
  mutating func advance(_ engine: inout Engine, _ turn: inout Turn)
  /// Ends a turn with the events `happened`.
  mutating func conclude(
    _ happened: ArraySlice<Event>, _ engine: inout Engine, _ turn: inout Turn)
  /// Handles a change of the wall clock, which was `former`.
  mutating func noteClock(since former: CivilTime, _ engine: inout Engine, _ turn: inout Turn)
  /// Handles leaving the page.
  mutating func leavePage()
  /// Ends the session of a guest: the kiosk goes home, sleeps, wakes or is reset.
  mutating func leaveGuest(_ engine: inout Engine)

  // MARK: Pictures and sounds

  /// The state of speech, or nil if the feature or kiosk doesn't speak.
  var voice: Voice? { get }

  /// Returns the transition of the current page. `position` returns the position of a finger, or nil to use its last
  /// touch.
  func transition(
    in engine: Engine, following position: (_ finger: Int) -> Point?
  ) -> DisplayList.Transition?
  /// Returns the other visible page, if any.
  func pageBeside(in engine: Engine) -> Int?
  /// Whether the picture changes with every frame.
  var isMoving: Bool { get }
  /// Whether nothing moves, or will move automatically.
  var isStill: Bool { get }
  /// Draws in front of everything.
  func draw(into list: inout DisplayList, _ engine: Engine, in context: DrawingContext)

  // MARK: Succession

  /// The state to keep for another process. Names of values don't contain its keys.
  var past: [String: Value] { get }
  /// Restores the state from another process, and removes values that have expired from `kept`.
  mutating func restore(
    _ kept: inout [String: Value], _ description: Description, at clock: CivilTime)
  /// Continues with another plan, after the other parts.
  mutating func follow(_ succession: Succession)
  /// Resets the feature for a restart.
  mutating func restart(_ description: Description)
}

/// User input at the panel, or its end.
enum Input: Hashable, Sendable {
  case touch(Touch.Phase)
  case key
  case shake
  /// A headset is connected or disconnected.
  case jack(Bool)
  /// The kiosk restarts or stops.
  case end
}

/// The decision about a new touch.
enum Admission: Hashable, Sendable {
  case pass
  /// The touch has no effect.
  case swallow
  /// The control under the finger is spoken.
  case explore
  /// The touch takes effect later.
  case wait(until: Instant)
}

extension Feature {
  var revision: UInt64 { 0 }
  func nextChange(in engine: Engine) -> Instant? { nil }
  mutating func notice(_ input: Input, _ engine: inout Engine) -> Bool { false }
  mutating func admit(
    _ touch: Touch, _ engine: inout Engine, _ turn: inout Turn
  ) -> Admission { .pass }
  mutating func follow(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) {}
  func receiver(of finger: Finger, in engine: Engine) -> TouchReceiver? { nil }
  func movesPage(by finger: Int) -> Bool { false }
  mutating func press(
    _ key: Keystroke, _ engine: inout Engine, _ turn: inout Turn
  ) -> Bool { false }
  mutating func advance(_ engine: inout Engine, _ turn: inout Turn) {}
  mutating func conclude(
    _ happened: ArraySlice<Event>, _ engine: inout Engine, _ turn: inout Turn
  ) {}
  mutating func noteClock(
    since former: CivilTime, _ engine: inout Engine, _ turn: inout Turn
  ) {}
  mutating func leavePage() {}
  mutating func leaveGuest(_ engine: inout Engine) {}
  func transition(
    in engine: Engine, following position: (_ finger: Int) -> Point?
  ) -> DisplayList.Transition? { nil }
  func pageBeside(in engine: Engine) -> Int? { nil }
  var voice: Voice? { nil }
  var isMoving: Bool { false }
  var isStill: Bool { true }
  func draw(into list: inout DisplayList, _ engine: Engine, in context: DrawingContext) {}
  var past: [String: Value] { [:] }
  mutating func restore(
    _ kept: inout [String: Value], _ description: Description, at clock: CivilTime
  ) {}
  mutating func follow(_ succession: Succession) {}
  mutating func restart(_ description: Description) { self = Self(description) }
}
