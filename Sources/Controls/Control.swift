// SPDX-License-Identifier: MIT

public import Drawing
public import Expressions
public import Geometry
public import Motion

/// An element of a page that fingers operate.
///
/// A control is a value without a clock: moments are arguments and never go backwards. Its look is a
/// function of its state and of `now`; it never asks to be repainted.
///
/// The engine calls `advance(to:)` up to a moment, then at most one of `handle`, `set` or `perform` at
/// that moment, and `draw` for each picture. It advances to every moment that `nextChange(after:)`
/// returns, so event times are exact at any frame rate.
public protocol Control: Touchable, Timed, KeyOperable, Readable, Drawable, Stateful {}

/// The part of a control that fingers use.
public protocol Touchable: Sendable {
  /// Whether a finger that comes down at `point` belongs to this control: from then until it is lifted
  /// or cancelled, wherever it moves.
  func contains(_ point: Point, at now: Instant) -> Bool

  /// The distance of a finger at `point` from the control, in design pixels: 0 on it, nil where it is too far
  /// to be meant for it. It belongs to the nearest control; if several are under it, to the one in front.
  func distance(to point: Point, at now: Instant) -> Double?

  /// Whether a finger that comes down at `point`, on the control, goes through to what is behind it, where
  /// an image shows nothing. `masks` are those of images by their names.
  func isTransparent(_ point: Point, at now: Instant, _ masks: [String: ImageMask]) -> Bool

  /// Whether a finger that comes down at `point`, on the control, has an effect. Otherwise it is
  /// swallowed, as on a disabled wedge.
  func answers(_ point: Point, at now: Instant) -> Bool

  /// Handles a touch of a finger that belongs to the control.
  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent])

  /// The parts that fingers can aim at, in order.
  func items(at now: Instant) -> [ControlItem]

  /// The place to touch an item, or the control itself if `item` is nil. Nil where there is no such
  /// item or it cannot be touched now. There may be more places than items, as all numbers of a ring.
  func place(of item: String?, at now: Instant) -> Point?

  /// Whether the touches of fingers on it are secret: they are left out of recordings.
  var isSecret: Bool { get }

  /// Moves the parts that follow fingers to the places where `position` says that the fingers are at the moment
  /// of a picture, between and after their touches; nil means the place of the last touch.
  ///
  /// Called on a copy that is drawn and dropped, so nothing is reported, and only the picture changes.
  mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant)

  /// The press of a finger that belongs to the control; nil where the finger turns or scrolls something.
  func press(of finger: Int, at now: Instant) -> Press?

  /// Whether a finger that belongs to the control may become a swipe of the page along `axis`.
  func yields(_ finger: Int, toSwipeAlong axis: Axis, at now: Instant) -> Bool

  /// The area in which fingers press it in a theme, if actions follow presses; nil for a control that handles
  /// touches itself, or none.
  func pressArea(in theme: Theme) -> PressArea?

  /// Ends everything that fingers hold or have thrown, and reports that. Called when the control is disabled or
  /// hidden, or the kiosk file is reloaded. Motions without a finger, such as a blink or a spin, continue.
  mutating func letGo(at now: Instant, events: inout [ControlEvent])
}

extension Touchable {
  /// 0 on the control, nil elsewhere.
  public func distance(to point: Point, at now: Instant) -> Double? {
    contains(point, at: now) ? 0 : nil
  }
  /// False: no finger goes through.
  public func isTransparent(
    _ point: Point, at now: Instant, _ masks: [String: ImageMask]
  ) -> Bool { false }
  /// True: every point of the control does something.
  public func answers(_ point: Point, at now: Instant) -> Bool { true }
  /// Ignores the touch.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {}
  /// None.
  public func items(at now: Instant) -> [ControlItem] { [] }
  /// Nil: it cannot be aimed at by name.
  public func place(of item: String?, at now: Instant) -> Point? { nil }
  /// False.
  public var isSecret: Bool { false }
  /// Changes nothing: for controls that do not move with a finger.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {}
  /// Nil: it is not pressed.
  public func press(of finger: Int, at now: Instant) -> Press? { nil }
  /// Whether the finger presses something.
  public func yields(_ finger: Int, toSwipeAlong axis: Axis, at now: Instant) -> Bool {
    press(of: finger, at: now) != nil
  }
  /// Nil: it is not pressed.
  public func pressArea(in theme: Theme) -> PressArea? { nil }
  /// Changes nothing: for controls that hold no fingers.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {}
}

/// The part of a control that changes with time.
public protocol Timed: Sendable {
  /// Advances to `now` and reports what happened on the way.
  mutating func advance(to now: Instant, events: inout [ControlEvent])

  /// The next moment after `now` of a discrete change: a light goes out, a detent is crossed, it comes
  /// to rest. Nil for none.
  func nextChange(after now: Instant) -> Instant?

  /// Whether its look changes with every frame.
  func isMoving(at now: Instant) -> Bool

  /// Whether it will look the same until the next touch or command.
  func isStill(at now: Instant) -> Bool
}

extension Timed {
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
}

/// The part of a control that keys use.
public protocol KeyOperable: Sendable {
  /// Whether keys can use it. Otherwise the focus passes over it.
  var takesKeys: Bool { get }

  /// Handles a key while the focus is on it. `part` is the part that keys use, by a number of the control; nil until
  /// Enter has entered the control, and again once it is left. Returns false where the key does nothing here: then
  /// it moves the focus.
  mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool

  /// The shape that the mark of the focus goes around: that of a part, or of the control where `part` is nil
  /// or there is no such part now. Nil for no mark.
  func focusOutline(of part: Int?, at now: Instant) -> FocusOutline?
}

extension KeyOperable where Self: Drawable {
  /// False.
  public var takesKeys: Bool { false }
  /// False: no key does anything.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool { false }
  /// The extent.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    extent.map { .rect(RoundedRect($0)) }
  }
}

/// The part of a control that is seen.
public protocol Drawable: Sendable {
  /// The rectangle that it covers at rest, in design pixels; nil where that depends on its text.
  var extent: Rect? { get }

  /// The weight of its texts, unless one is asked for; 400 is regular, 700 bold.
  var fontWeight: Int { get }

  /// Notes the places of its page's controls on the screen, its own included: some controls fill free room.
  ///
  /// On a reflected page, parts that are side by side run from right to left. The engine calls this once for
  /// each new control, before it shows the control.
  mutating func notice(places: [Point], on screen: Rect, isReflected: Bool)

  /// Whether it is in front of the page's other controls, as an open menu is: it is drawn last and hit
  /// first.
  func isRaised(at now: Instant) -> Bool

  /// Adds its picture to the list.
  func draw(into list: inout DisplayList, in context: DrawingContext)
}

extension Drawable {
  /// Nil: unknown.
  public var extent: Rect? { nil }
  /// Regular.
  public var fontWeight: Int { FaceName.regular }
  /// Changes nothing.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {}
  /// False.
  public func isRaised(at now: Instant) -> Bool { false }
}

/// The state of a control, as files, clients and bindings use it.
public protocol Stateful: Sendable {
  /// Ends everything, so that nothing is held, lit or moving. Called when the page is left or the panel
  /// sleeps.
  mutating func reset(at now: Instant, events: inout [ControlEvent])

  /// The names of its properties, see `value(of:at:)`.
  var properties: [String] { get }

  /// The value of a property; nil for an unknown name.
  func value(of property: String, at now: Instant) -> Value?

  /// Called when it comes into use: its page is shown, the panel wakes, or it is enabled or made visible on the
  /// shown page. It may be in use already.
  mutating func appear(at now: Instant, events: inout [ControlEvent])

  /// Called when it is disabled. `reset` also ends its use.
  mutating func disappear(at now: Instant)

  /// Sets a property. A wheel turns to the new value visibly.
  mutating func set(
    _ property: String, to value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(PropertyError)

  /// Replaces `old`, which has other keys, and continues its state: fingers, motion, lights, selection
  /// and random numbers. Nothing ends, and nothing is reported.
  ///
  /// Parts are matched by id or label, else by the nearest index. A control of another type is ignored.
  mutating func resume(_ old: any Control, at now: Instant)

  /// The commands that `perform` accepts, such as `spin`, `open`, `close`.
  var commands: [String] { get }

  /// Whether a finger that holds the control also holds this property, so that a value written to it waits.
  func isHeld(_ property: String) -> Bool

  /// Whether a property, which is a number, handles each value that is written, even the one that it has already,
  /// as a chart does. If a binding of it fails, it is set to NaN.
  func takesNews(_ property: String) -> Bool

  /// Carries out one of `commands`.
  mutating func perform(_ command: String, at now: Instant, events: inout [ControlEvent])

  /// Seeds its random numbers, so that a session can be replayed.
  mutating func seed(_ seed: UInt64)
}

extension Stateful {
  /// Changes nothing: for controls without a state.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {}
  /// None.
  public var properties: [String] { [] }
  /// Nil: there are no properties.
  public func value(of property: String, at now: Instant) -> Value? { nil }
  /// Changes nothing.
  public mutating func appear(at now: Instant, events: inout [ControlEvent]) {}
  /// Changes nothing.
  public mutating func disappear(at now: Instant) {}
  /// Throws `readOnly` for the names in `properties`, otherwise `unknown`.
  public mutating func set(
    _ property: String, to value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(PropertyError) {
    throw properties.contains(property) ? .readOnly(property) : .unknown(property)
  }
  /// Starts from the beginning, without the state of `old`.
  public mutating func resume(_ old: any Control, at now: Instant) {}
  /// None.
  public var commands: [String] { [] }
  /// True.
  public func isHeld(_ property: String) -> Bool { true }
  /// False: a value that it has already is nothing new.
  public func takesNews(_ property: String) -> Bool { false }
  /// Ignores the command.
  public mutating func perform(_ command: String, at now: Instant, events: inout [ControlEvent]) {}
  /// Uses no random numbers.
  public mutating func seed(_ seed: UInt64) {}
}

extension Control {
  /// Adds its picture to the list, as if its fingers were where `position` says.
  package func draw(
    into list: inout DisplayList, in context: DrawingContext,
    following position: (_ finger: Int) -> Point?
  ) {
    var moved = self
    moved.follow(position, at: context.now)
    moved.draw(into: &list, in: context)
  }
}

/// The parameters of a drawing.
public struct DrawingContext {
  /// The moment that is drawn; never earlier than the last change.
  public var now: Instant
  /// The font of texts.
  public var font: Font
  /// The source of colours and sizes that a control is not given.
  public var theme: Theme
  /// The colour behind the page's controls.
  public var background: Color
  /// Whether the control should look enabled.
  public var isEnabled: Bool
  /// The signs between the digits of numbers, in the language in use.
  package var numberSigns = NumberFormat.Signs()
  /// The tones of images by their names, as far as they are known.
  package var tones: [String: ImageTone] = [:]
  /// The image behind the page's controls, and what it fills; nil for none.
  package var wallpaper: (image: String, frame: Rect)?

  /// A context for a picture at `now`.
  public init(
    now: Instant, font: Font, theme: Theme = .dark, background: Color = .black,
    isEnabled: Bool = true
  ) {
    self.now = now
    self.font = font
    self.theme = theme
    self.background = background
    self.isEnabled = isEnabled
  }

  /// The em size of a text that stands alone in a box of a height: a little larger than other texts, so
  /// that boxes of different heights look alike, but in proportion to a box that is much higher.
  public func fontSize(inHeight height: Double) -> Double {
    Theme.textSize(inHeight: height, theme.fontSize)
  }

  /// The size down to which a text of `size` shrinks before it is cut: half of it, or less where that is still large.
  public func minimumFontSize(of size: Double) -> Double { min(size / 2, readableFontSize) }

  /// The size below which a text is hard to read, in proportion to the theme's size.
  package var readableFontSize: Double { theme.fontSize * 0.75 }

  /// Whether things side by side are ordered from right to left, as the language in use is written.
  public var isMirrored: Bool { font.isRightToLeft ?? false }

  /// The colour for text on a colour: the theme's on its own background and surface, and in place of white, where it
  /// can be read; otherwise white or near-black.
  public func ink(on color: Color) -> Color {
    let plain = color.readableText
    guard color == theme.background || color == theme.surface || plain == .white,
      theme.text.contrast(with: color) >= Color.textContrast
    else { return plain }
    return theme.text
  }

  /// The mean colour of places of an image that fills `frame`; that of what lies behind it where the image
  /// is not known.
  func color(
    of image: String, in frame: Rect, over behind: Color, at count: Int,
    _ place: (_ index: Int) -> Point
  ) -> Color {
    tones[image]?.mean(in: frame, over: behind, at: count, place) ?? behind
  }

  /// The same for a drawing within `part` of the page: its background is the colour of the wallpaper there.
  package func inside(_ part: @autoclosure () -> Rect) -> DrawingContext {
    guard let wallpaper, let tone = tones[wallpaper.image] else { return self }
    var context = self
    context.background = tone.mean(of: part(), in: wallpaper.frame, over: background)
    return context
  }
}

/// Why a property could not be set.
public enum PropertyError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(String)
  case readOnly(String)
  /// It can be changed only in the kiosk file.
  case fixed(String)
  /// It is bound to a template that cannot be written back.
  case bound(String)
  /// The value is not accepted; `expected` describes one that is.
  case unsuitable(String, expected: String)

  /// The reason with the property's name, as clients see it.
  public var description: String {
    switch self {
    case .unknown(let name): "there is no property \"\(name)\""
    case .readOnly(let name): "\"\(name)\" can be read, not set"
    case .fixed(let name): "\"\(name)\" can only be changed in the file"
    case .bound(let name): "\"\(name)\" follows an expression; set what that reads instead"
    case .unsuitable(let name, let expected): "\"\(name)\" takes \(expected)"
    }
  }
}
