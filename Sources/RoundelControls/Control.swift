// SPDX-License-Identifier: MIT

public import RoundelDrawing
public import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// An element of a page that fingers operate.
///
/// A control is a value without a clock: times are arguments and never go backwards. Its appearance
/// is a function of its state and of `now`.
///
/// The engine calls `advance(to:)` up to a time, then at most one of `handle`, `set` or `perform`
/// at that time, and `draw` for each picture. It advances to every time returned by
/// `nextChange(after:)`, so event times are exact at any frame rate.
public protocol Control: Touchable, Timed, KeyOperable, Readable, Drawable, Stateful {}

/// The part of a control that handles touches.
public protocol Touchable: Sendable {
  /// Whether a finger that comes down at `point` belongs to the control until it is lifted or
  /// cancelled.
  func contains(_ point: Point, at now: Instant) -> Bool

  /// Returns the distance of a finger in design pixels: 0 on the control, or nil if it is too far
  /// away. The nearest control gets the finger.
  func distance(to point: Point, at now: Instant) -> Double?

  /// Whether a finger passes through, because an image is transparent there. `masks` are by image.
  func isTransparent(_ point: Point, at now: Instant, _ masks: [String: ImageMask]) -> Bool

  /// Whether a finger on the control has an effect. Otherwise it is swallowed.
  func answers(_ point: Point, at now: Instant) -> Bool

  /// Handles a touch of a finger that belongs to the control.
  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent])

  /// Returns the parts that fingers can aim at.
  func items(at now: Instant) -> [ControlItem]

  /// Returns the point to touch for an item or the control, or nil if it can't be touched now. A
  /// control may accept more names than it has items.
  func place(of item: String?, at now: Instant) -> Point?

  /// Whether touches are secret and excluded from recordings.
  var isSecret: Bool { get }

  /// Moves parts to their fingers' positions at the time of a picture, or nil for the last touch's.
  ///
  /// Called on a temporary copy, so nothing is reported.
  mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant)

  /// Returns the press of a finger, or nil if the finger turns or scrolls.
  func press(of finger: Int, at now: Instant) -> Press?

  /// Whether a finger may become a swipe of the page along `axis`.
  func yields(_ finger: Int, toSwipeAlong axis: Axis, at now: Instant) -> Bool

  /// Returns the area for presses that actions follow. Nil for a control that handles touches
  /// itself.
  func pressArea(in theme: Theme) -> PressArea?

  /// Ends and reports everything that fingers hold or have flung. A blink or a spin continues.
  mutating func letGo(at now: Instant, events: inout [ControlEvent])
}

extension Touchable {
  /// Returns 0 on the control, otherwise nil.
  public func distance(to point: Point, at now: Instant) -> Double? {
    contains(point, at: now) ? 0 : nil
  }
  /// Returns false.
  public func isTransparent(
    _ point: Point, at now: Instant, _ masks: [String: ImageMask]
  ) -> Bool { false }
  /// Returns true.
  public func answers(_ point: Point, at now: Instant) -> Bool { true }
  /// Ignores the touch.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {}
  /// Returns an empty array.
  public func items(at now: Instant) -> [ControlItem] { [] }
  /// Returns nil.
  public func place(of item: String?, at now: Instant) -> Point? { nil }
  /// The default is false.
  public var isSecret: Bool { false }
  /// Does nothing.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {}
  /// Returns nil.
  public func press(of finger: Int, at now: Instant) -> Press? { nil }
  /// Whether the finger presses a part of the control.
  public func yields(_ finger: Int, toSwipeAlong axis: Axis, at now: Instant) -> Bool {
    press(of: finger, at: now) != nil
  }
  /// Returns nil.
  public func pressArea(in theme: Theme) -> PressArea? { nil }
  /// Does nothing.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {}
}

/// The part of a control that changes with time.
public protocol Timed: Sendable {
  /// Advances to `now` and reports events.
  mutating func advance(to now: Instant, events: inout [ControlEvent])

  /// Returns the time of the next discrete change after `now`, such as a passed detent, or nil if
  /// no change is expected.
  func nextChange(after now: Instant) -> Instant?

  /// Whether the control looks different in every frame.
  func isMoving(at now: Instant) -> Bool

  /// Whether the control looks the same until the next touch or command.
  func isStill(at now: Instant) -> Bool
}

extension Timed {
  /// Does nothing.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {}
  /// Returns nil.
  public func nextChange(after now: Instant) -> Instant? { nil }
  /// Returns false.
  public func isMoving(at now: Instant) -> Bool { false }
  /// Whether the control isn't moving and has no next change.
  public func isStill(at now: Instant) -> Bool {
    !isMoving(at: now) && nextChange(after: now) == nil
  }
}

/// The part of a control that handles keys.
public protocol KeyOperable: Sendable {
  /// Whether keys can use the control. Otherwise the focus skips it.
  var takesKeys: Bool { get }

  /// Handles a key. `part` is the index of the part in use, or nil unless Enter has entered the
  /// control. Returns false if the key has no effect here, so that it moves the focus.
  mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool

  /// Presses a part, or the control if `part` is nil, by a held Enter key, which is the finger of
  /// `touch`. Its `up` and `cancel` follow. Returns false if Enter doesn't press the part, so that
  /// `touch` has no effect.
  mutating func press(
    _ part: Int?, by touch: Touch, at now: Instant, events: inout [ControlEvent]
  ) -> Bool

  /// Returns the outline for the focus mark of a part, or of the control if `part` is nil.
  func focusOutline(of part: Int?, at now: Instant) -> FocusOutline?
}

extension KeyOperable where Self: Drawable {
  /// The default is false.
  public var takesKeys: Bool { false }
  /// Returns false.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool { false }
  /// Returns false.
  public mutating func press(
    _ part: Int?, by touch: Touch, at now: Instant, events: inout [ControlEvent]
  ) -> Bool { false }
  /// Returns the extent.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    extent.map { .rect(RoundedRect($0)) }
  }
}

/// The visible part of a control.
public protocol Drawable: Sendable {
  /// The bounds of the control at rest in design pixels, or nil if they depend on its text.
  var extent: Rect? { get }

  /// The default weight of text: 400 is regular, 700 bold.
  var fontWeight: Int { get }

  /// Records the positions of all controls of the page. On a reflected page, parts run from right
  /// to left.
  ///
  /// Called once, before the control is shown.
  mutating func notice(places: [Point], on screen: Rect, isReflected: Bool)

  /// Whether the control is drawn last and hit first, like an open menu.
  func isRaised(at now: Instant) -> Bool

  /// Adds the control's picture to the list.
  func draw(into list: inout DisplayList, in context: DrawingContext)
}

extension Drawable {
  /// The default is nil.
  public var extent: Rect? { nil }
  /// The default is regular.
  public var fontWeight: Int { FaceName.regular }
  /// Does nothing.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {}
  /// Returns false.
  public func isRaised(at now: Instant) -> Bool { false }
}

/// The state for files, clients and bindings.
public protocol Stateful: Sendable {
  /// Ends everything that is held, lit or moving. Called when the page is left or the panel sleeps.
  mutating func reset(at now: Instant, events: inout [ControlEvent])

  /// The names of the control's properties. See `value(of:at:)`.
  var properties: [String] { get }

  /// Returns the value of a property, or nil for an unknown name.
  func value(of property: String, at now: Instant) -> Value?

  /// Called when the control comes into use: its page is shown, the panel wakes, or it is enabled.
  /// It may already be in use.
  mutating func appear(at now: Instant, events: inout [ControlEvent])

  /// Called when the control is disabled. `reset` also ends its use.
  mutating func disappear(at now: Instant)

  /// Sets a property.
  mutating func set(
    _ property: String, to value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(PropertyError)

  /// Continues `old`, which has other keys, and reports nothing.
  ///
  /// Parts are matched by id or label, otherwise by the nearest index.
  mutating func resume(_ old: any Control, at now: Instant)

  /// The commands that `perform` accepts.
  var commands: [String] { get }

  /// Whether a finger on the control also holds this property, so that a value written to it waits.
  func isHeld(_ property: String) -> Bool

  /// Whether a number handles every written value, even an unchanged one, and NaN if its binding
  /// fails.
  func takesNews(_ property: String) -> Bool

  /// Performs one of `commands`.
  mutating func perform(_ command: String, at now: Instant, events: inout [ControlEvent])

  /// Seeds the control's random numbers, so that a session can be replayed.
  mutating func seed(_ seed: UInt64)
}

extension Stateful {
  /// Does nothing.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {}
  /// The default is empty.
  public var properties: [String] { [] }
  /// Returns nil.
  public func value(of property: String, at now: Instant) -> Value? { nil }
  /// Does nothing.
  public mutating func appear(at now: Instant, events: inout [ControlEvent]) {}
  /// Does nothing.
  public mutating func disappear(at now: Instant) {}
  /// Throws `readOnly` for the names in `properties`, otherwise `unknown`.
  public mutating func set(
    _ property: String, to value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(PropertyError) {
    throw properties.contains(property) ? .readOnly(property) : .unknown(property)
  }
  /// Does nothing, so the control starts without the state of `old`.
  public mutating func resume(_ old: any Control, at now: Instant) {}
  /// The default is empty.
  public var commands: [String] { [] }
  /// Returns true.
  public func isHeld(_ property: String) -> Bool { true }
  /// Returns false.
  public func takesNews(_ property: String) -> Bool { false }
  /// Does nothing.
  public mutating func perform(_ command: String, at now: Instant, events: inout [ControlEvent]) {}
  /// Does nothing.
  public mutating func seed(_ seed: UInt64) {}
}

extension Control {
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
  /// The time of the picture, never earlier than the last change.
  public var now: Instant
  /// The font of text.
  public var font: Font
  /// The source of default colours and sizes.
  public var theme: Theme
  /// The colour behind the page's controls.
  public var background: Color
  /// Whether the control should look enabled.
  public var isEnabled: Bool
  package var numberSymbols = NumberFormat.Symbols()
  /// The tones of images by name, if known.
  package var tones: [String: ImageTone] = [:]
  package var wallpaper: (image: String, frame: Rect)?
  /// The languages of items by id, or by index such as `3` or `wheel/3`, unless they are the control's.
  package var itemLanguages: [String: String] = [:]

  /// Creates a context for a picture at `now`.
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

  /// The em size of text alone in a box of this height, slightly larger than other text.
  public func fontSize(inHeight height: Double) -> Double {
    Theme.textSize(inHeight: height, theme.fontSize)
  }

  /// Returns the font of an item's text.
  func font(ofItem id: @autoclosure () -> String?) -> Font {
    // Moving frames build no ids.
    guard !itemLanguages.isEmpty, let id = id(), let language = itemLanguages[id] else {
      return font
    }
    var own = font
    own.language = language
    return own
  }

  /// The minimum of shrinking text: half of `size`, or less if still readable.
  public func minimumFontSize(of size: Double) -> Double { min(size / 2, readableFontSize) }

  /// The minimum size of readable text.
  var readableFontSize: Double { theme.fontSize * 0.75 }

  /// Whether the language is written from right to left, which reverses rows of elements.
  public var isMirrored: Bool { font.isRightToLeft ?? false }

  /// Returns the text colour for a background: the theme's if readable, otherwise white or
  /// near-black.
  public func ink(on color: Color) -> Color {
    let plain = color.readableText
    guard color == theme.background || color == theme.surface || plain == .white,
      theme.text.contrast(with: color) >= Color.textContrast
    else { return plain }
    return theme.text
  }

  func ink(_ own: ThemeColor?, on color: Color) -> Color { own?.color(in: theme) ?? ink(on: color) }

  /// The opacity, lower if the control is disabled.
  var presence: Double { isEnabled ? 1 : 0.4 }

  /// Returns a fill, without hue if the control or the part is disabled.
  func shown(_ color: Color, isUsable: Bool = true) -> Color {
    isEnabled && isUsable ? color : color.disabled(on: background)
  }

  func shown(_ color: ThemeColor) -> Color { shown(color.color(in: theme)) }

  /// The mean of sampled points, or `behind` if the image isn't known.
  func color(
    of image: String, in frame: Rect, over behind: Color, at count: Int,
    _ place: (_ index: Int) -> Point
  ) -> Color { tones[image]?.mean(in: frame, over: behind, at: count, place) ?? behind }

  /// The quiet text in the middle of an empty area, on several lines.
  func notice(_ text: String, in frame: Rect, size: Double? = nil) -> TextRun {
    let size = min(size ?? theme.fontSize, max(frame.height * 0.4, 1))
    return TextRun(
      text, font: font, size: size, at: frame.center,
      box: Size(frame.width * 0.86, frame.height * 0.9), lines: 4,
      minimumSize: min(size, readableFontSize))
  }

  /// Returns a context with the wallpaper's colour in `part` as its background.
  package func inside(_ part: @autoclosure () -> Rect) -> DrawingContext {
    guard let wallpaper, let tone = tones[wallpaper.image] else { return self }
    var context = self
    context.background = tone.mean(of: part(), in: wallpaper.frame, over: background)
    return context
  }
}

/// An error that prevents a property from being set.
public enum PropertyError: Error, Hashable, Sendable, CustomStringConvertible {
  case unknown(String)
  case readOnly(String)
  /// The property can be changed only in the kiosk file.
  case fixed(String)
  /// The property's template can't be written.
  case bound(String)
  case unsuitable(String, expected: String)

  /// The message for clients.
  public var description: String {
    switch self {
    case .unknown(let name): "there is no property \"\(name)\""
    case .readOnly(let name): "\"\(name)\" is read-only"
    case .fixed(let name): "\"\(name)\" can only be changed in the file"
    case .bound(let name): "\"\(name)\" is bound to an expression; set the values that it reads"
    case .unsuitable(let name, let expected): "\"\(name)\" takes \(expected)"
    }
  }
}

extension Control {
  /// Whether left and right change the control while it is in use, instead of moving between its parts.
  package var isTurnable: Bool {
    var trial = self
    var part: Int?
    var events: [ControlEvent] = []
    guard takesKeys, trial.handle(.enter, on: &part, at: .zero, events: &events), let start = part
    else { return false }
    return trial.handle(.right, on: &part, at: .zero, events: &events) && part == start
  }
}
