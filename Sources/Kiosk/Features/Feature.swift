// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// A capability that pages, touches and actions don't need. To remove it, delete its file and its row in `Features`.
///
/// A feature changes the kiosk only through operations of the engine, and observes other features
/// only through the events of a turn. While it handles something, it is absent from the engine.
protocol Feature: Sendable {
  init(_ description: Description)

  var revision: UInt64 { get }
  /// The time of the next change. Times up to now are ignored.
  func nextChange(in engine: Engine) -> Instant?

  // MARK: Input

  /// Handles user input before anything else. Returns whether the input has no other effect.
  mutating func notice(_ input: Input, _ engine: inout Engine) -> Bool
  /// Decides about a new touch while the panel is awake.
  mutating func admit(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) -> Admission
  /// Tracks a finger before its control handles the touch.
  mutating func track(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn)
  /// Returns the receiver of a finger that the feature handles itself.
  func receiver(of finger: Finger, in engine: Engine) -> TouchReceiver?
  func movesPage(by finger: Int) -> Bool
  /// Comes before all other recipients. Returns whether the key has no other effect.
  mutating func press(_ key: KeyPress, _ engine: inout Engine, _ turn: inout Turn) -> Bool

  // MARK: Turns

  mutating func advance(_ engine: inout Engine, _ turn: inout Turn)
  /// Ends a turn with the events `happened`.
  mutating func conclude(_ happened: ArraySlice<Event>, _ engine: inout Engine, _ turn: inout Turn)
  /// The wall clock was `former` before the change.
  mutating func recordClock(since former: CivilTime, _ engine: inout Engine, _ turn: inout Turn)
  mutating func leavePage()
  /// Ends the session of a guest: the kiosk goes home, sleeps, wakes or is reset.
  mutating func endSession(_ engine: inout Engine)

  // MARK: Pictures and sounds

  var voice: Voice? { get }

  /// Returns the transition of the current page. `position` returns the position of a finger, or
  /// nil to use its last touch.
  func transition(
    in engine: Engine, following position: (_ finger: Int) -> Point?
  ) -> DisplayList.Transition?
  func adjacentPage(in engine: Engine) -> Int?
  var isMoving: Bool { get }
  var isStill: Bool { get }
  func draw(into list: inout DisplayList, _ engine: Engine, in context: DrawingContext)

  // MARK: Succession

  /// The state to keep for another process, in keys that aren't names of values.
  var past: [String: Value] { get }
  /// Removes expired values from `persistentValues`.
  mutating func restore(
    _ persistentValues: inout [String: Value], _ description: Description, at clock: CivilTime)
  /// Continues with another plan, after the other parts.
  mutating func adopt(_ mapping: PlanMapping)
  mutating func restart(_ description: Description)
}

enum Input: Hashable, Sendable {
  case touch(Touch.Phase)
  case key
  case shake
  case jack(Bool)
  /// The kiosk restarts or stops.
  case end
}

enum Admission: Hashable, Sendable {
  case pass
  case swallow
  /// The control under the finger is spoken.
  case explore
  case wait(until: Instant)
}

extension Feature {
  var revision: UInt64 { 0 }
  func nextChange(in engine: Engine) -> Instant? { nil }
  mutating func notice(_ input: Input, _ engine: inout Engine) -> Bool { false }
  mutating func admit(
    _ touch: Touch, _ engine: inout Engine, _ turn: inout Turn
  ) -> Admission { .pass }
  mutating func track(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) {}
  func receiver(of finger: Finger, in engine: Engine) -> TouchReceiver? { nil }
  func movesPage(by finger: Int) -> Bool { false }
  mutating func press(
    _ key: KeyPress, _ engine: inout Engine, _ turn: inout Turn
  ) -> Bool { false }
  mutating func advance(_ engine: inout Engine, _ turn: inout Turn) {}
  mutating func conclude(
    _ happened: ArraySlice<Event>, _ engine: inout Engine, _ turn: inout Turn
  ) {}
  mutating func recordClock(
    since former: CivilTime, _ engine: inout Engine, _ turn: inout Turn
  ) {}
  mutating func leavePage() {}
  mutating func endSession(_ engine: inout Engine) {}
  func transition(
    in engine: Engine, following position: (_ finger: Int) -> Point?
  ) -> DisplayList.Transition? { nil }
  func adjacentPage(in engine: Engine) -> Int? { nil }
  var voice: Voice? { nil }
  var isMoving: Bool { false }
  var isStill: Bool { true }
  func draw(into list: inout DisplayList, _ engine: Engine, in context: DrawingContext) {}
  var past: [String: Value] { [:] }
  mutating func restore(
    _ persistentValues: inout [String: Value], _ description: Description, at clock: CivilTime
  ) {}
  mutating func adopt(_ mapping: PlanMapping) {}
  mutating func restart(_ description: Description) { self = Self(description) }
}
