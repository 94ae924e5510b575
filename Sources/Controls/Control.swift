// SPDX-License-Identifier: MIT

public import Drawing
public import Expressions
public import Geometry
public import Motion

/// Something on a page that fingers use.
///
/// A control is a value that knows no clock: every moment comes in as an argument, and moments never
/// go backwards. What it looks like is a function of its state and of `now`, so it can be drawn at
/// any moment; nobody tells it to repaint.
///
/// The engine calls in this order: `advance(to:)` up to a moment, then at most one of `handle`,
/// `set` or `perform` at that moment, then `draw` whenever a picture is wanted. It stops on the way
/// at each moment that `nextChange(after:)` names, so an event's time is exact at any frame rate.
public protocol Control: Sendable {
  /// Whether a finger that comes down at `point` belongs to this control. It belongs to it from then
  /// until it is lifted or taken away, wherever it goes.
  func contains(_ point: Point, at now: Instant) -> Bool

  /// Whether a finger that comes down at a `point` of its own does something. One that does not, as
  /// on a disabled wedge, is swallowed.
  func answers(_ point: Point, at now: Instant) -> Bool

  /// A finger that belongs to the control did something.
  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent])

  /// Moves on to `now`, telling what happened on the way.
  mutating func advance(to now: Instant, events: inout [ControlEvent])

  /// The next moment after `now` at which the control changes by itself in one step: a light goes
  /// out, a detent is crossed, it comes to rest. Nil when nothing will.
  func nextChange(after now: Instant) -> Instant?

  /// Whether its look changes from frame to frame.
  func isMoving(at now: Instant) -> Bool

  /// Whether it looks as it will look until something else happens.
  func isStill(at now: Instant) -> Bool

  /// What fingers find in it at `now`, in order.
  func items(at now: Instant) -> [ControlItem]

  /// Where a finger finds one of its items at `now`, or the control itself where `item` is nil; nil
  /// where there is no such, or nothing of it to be touched.
  func place(of item: String?, at now: Instant) -> Point?

  /// The rectangle that it takes at rest, in design pixels; nil where that depends on its text.
  var extent: Rect? { get }

  /// Whether it stands above the page's other controls, as an open menu does: it is drawn last and
  /// asked first.
  func isRaised(at now: Instant) -> Bool

  /// Lets go of what fingers hold or have thrown, with the events that end it: the control is
  /// disabled or hidden, or the kiosk's file is read again. What goes on without a finger, such as a
  /// blink or a spin, goes on.
  mutating func letGo(at now: Instant, events: inout [ControlEvent])

  /// Ends everything: the page goes away or the panel sleeps. Afterwards nothing is held, lit or
  /// moving.
  mutating func reset(at now: Instant, events: inout [ControlEvent])

  /// Adds its look to the list.
  func draw(into list: inout DisplayList, in context: DrawingContext)

  /// The names of the properties that `value(of:at:)` answers.
  var properties: [String] { get }

  /// The value of a property, nil where there is no such.
  func value(of property: String, at now: Instant) -> Value?

  /// It begins to be in use: its page is shown, the panel wakes on it, or it is enabled while it is
  /// shown. It may be in use already.
  mutating func appear(at now: Instant)

  /// It is disabled. A control that is reset is in use no more either.
  mutating func disappear(at now: Instant)

  /// Sets a property. What turns, turns there visibly.
  mutating func set(
    _ property: String, to value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(PropertyError)

  /// Takes the place of `old`, which was made from other keys, and goes on exactly where that is:
  /// with the fingers that hold it, its motions, lights, selection and chance. Nothing ends, and
  /// nothing is reported.
  ///
  /// Where the two have other parts, what belongs to a part stays with the part of the same id or
  /// label, or else of the nearest index. A control of another type leaves this one as it is.
  mutating func resume(_ old: any Control, at now: Instant)

  /// The commands that `perform` knows: of `spin`, `open`, `close`.
  var commands: [String] { get }

  /// Does what one of `commands` names.
  mutating func perform(_ command: String, at now: Instant, events: inout [ControlEvent])

  /// Fixes all chance that the control uses, so that a session can be repeated.
  mutating func seed(_ seed: UInt64)
}

extension Control {
  /// True: every point of the control does something.
  public func answers(_ point: Point, at now: Instant) -> Bool { true }
  /// Ignores the touch.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {}
  /// Changes nothing.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {}
  /// Nil: it changes only by touches and commands.
  public func nextChange(after now: Instant) -> Instant? { nil }
  /// False.
  public func isMoving(at now: Instant) -> Bool { false }
  /// Whether it neither moves nor has a change ahead.
  public func isStill(at now: Instant) -> Bool {
    !isMoving(at: now) && nextChange(after: now) == nil
  }
  /// None.
  public func items(at now: Instant) -> [ControlItem] { [] }
  /// Nil: it cannot be aimed at by name.
  public func place(of item: String?, at now: Instant) -> Point? { nil }
  /// Nil: unknown.
  public var extent: Rect? { nil }
  /// False.
  public func isRaised(at now: Instant) -> Bool { false }
  /// Changes nothing: for controls that hold no fingers.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {}
  /// Changes nothing: for controls without a state.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {}
  /// None.
  public var properties: [String] { [] }
  /// Nil: there are no properties.
  public func value(of property: String, at now: Instant) -> Value? { nil }
  /// Changes nothing.
  public mutating func appear(at now: Instant) {}
  /// Changes nothing.
  public mutating func disappear(at now: Instant) {}
  /// Throws `readOnly` for the names in `properties`, otherwise `unknown`.
  public mutating func set(
    _ property: String, to value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(PropertyError) {
    throw properties.contains(property) ? .readOnly(property) : .unknown(property)
  }
  /// Starts as new.
  public mutating func resume(_ old: any Control, at now: Instant) {}
  /// None.
  public var commands: [String] { [] }
  /// Ignores the command.
  public mutating func perform(_ command: String, at now: Instant, events: inout [ControlEvent]) {}
  /// Uses no chance.
  public mutating func seed(_ seed: UInt64) {}
}

/// What a control is told when it is drawn.
public struct DrawingContext {
  /// The moment that is drawn; never earlier than the last change.
  public var now: Instant
  /// The kiosk's font, for controls that name none.
  public var font: String
  /// The colour that lies behind the page's controls.
  public var background: Color
  /// False where the control does not answer fingers and should look so.
  public var isEnabled: Bool

  /// A context for a picture at `now`.
  public init(
    now: Instant, font: String, background: Color = .black, isEnabled: Bool = true
  ) {
    self.now = now
    self.font = font
    self.background = background
    self.isEnabled = isEnabled
  }
}

/// Why a property could not be set.
public enum PropertyError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(String)
  case readOnly(String)
  /// Only the kiosk's file says it.
  case fixed(String)
  /// It follows a template that is more than the name of a value.
  case bound(String)
  /// The value does not suit; `expected` says what would.
  case unsuitable(String, expected: String)

  /// The reason with the property's name, as clients see it.
  public var description: String {
    switch self {
    case .unknown(let name): "there is no property \"\(name)\""
    case .readOnly(let name): "\"\(name)\" can be read, not set"
    case .fixed(let name): "\"\(name)\" can be changed in the file only"
    case .bound(let name): "\"\(name)\" follows an expression; set what that reads instead"
    case .unsuitable(let name, let expected): "\"\(name)\" takes \(expected)"
    }
  }
}
