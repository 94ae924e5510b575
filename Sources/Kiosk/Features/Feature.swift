// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// A capability that pages, touches and actions do not need: to remove it, delete its file and its row in `Features`.
///
/// A feature owns its state. It changes the kiosk only by operations of the engine, and hears of other features only
/// by the events of a turn. While a feature handles something, the engine has no such feature.
protocol Feature: Sendable {
  init(_ description: Description)

  /// Increases with each visible change.
  var revision: UInt64 { get }
  /// The next moment at which the feature changes something.
  func nextChange(in engine: Engine) -> Instant?

  // MARK: Input

  /// Handles what somebody does, before anything else. Returns whether that has no other effect.
  mutating func notice(_ input: Input, _ engine: inout Engine) -> Bool
  /// Decides about a finger that comes down while the panel is awake.
  mutating func admit(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) -> Admission
  /// Follows a finger, before the control that it holds.
  mutating func follow(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn)
  /// The receiver of a finger that the feature handles itself.
  func receiver(of finger: Finger, in engine: Engine) -> TouchReceiver?
  /// Whether the feature moves the page by a finger.
  func movesPage(by finger: Int) -> Bool
  /// Handles a key, before the focus. Returns whether it has no other effect.
  mutating func press(_ key: Keystroke, _ engine: inout Engine, _ turn: inout Turn) -> Bool

  // MARK: Turns

  /// Does what is due by now.
  mutating func advance(_ engine: inout Engine, _ turn: inout Turn)
  /// Ends a turn whose events are `happened`.
  mutating func conclude(
    _ happened: ArraySlice<Event>, _ engine: inout Engine, _ turn: inout Turn)
  /// The wall clock has been set; it was `former`.
  mutating func noteClock(since former: CivilTime, _ engine: inout Engine, _ turn: inout Turn)
  /// The page is left.
  mutating func leavePage()
  /// The kiosk goes home, sleeps, wakes or is reset, so that the next guest may come.
  mutating func leaveGuest(_ engine: inout Engine)

  // MARK: Pictures and sounds

  /// The voice of a kiosk that speaks.
  var voice: Voice? { get }

  /// The transition by which the current page is shown. `position` says where fingers are, or nil for where they were
  /// last.
  func transition(
    in engine: Engine, following position: (_ finger: Int) -> Point?
  ) -> DisplayList.Transition?
  /// The other page in the picture.
  func pageBeside(in engine: Engine) -> Int?
  /// Whether the picture changes with every frame.
  var isMoving: Bool { get }
  /// Whether nothing moves, and nothing will by itself.
  var isStill: Bool { get }
  /// Draws in front of everything.
  func draw(into list: inout DisplayList, _ engine: Engine, in context: DrawingContext)

  // MARK: Succession

  /// The state to keep for another process, by names that no value has.
  var past: [String: Value] { get }
  /// Takes over the state of another process, and removes values that do not last from `kept`.
  mutating func restore(
    _ kept: inout [String: Value], _ description: Description, at clock: CivilTime)
  /// Continues with another plan, which the other parts follow already.
  mutating func follow(_ succession: Succession)
  /// Begins again.
  mutating func restart(_ description: Description)
}

/// Something that somebody does at the panel, or that ends what is done there.
enum Input: Hashable, Sendable {
  case touch(Touch.Phase)
  case key
  case shake
  /// A headset is plugged in, or pulled out.
  case jack(Bool)
  /// The kiosk restarts or stops.
  case end
}

/// What becomes of a finger that comes down.
enum Admission: Hashable, Sendable {
  case pass
  /// The finger does nothing.
  case swallow
  /// The finger hears what is under it.
  case explore
  /// The finger counts from a moment on.
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
