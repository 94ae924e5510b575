// SPDX-License-Identifier: MIT

public import Drawing
internal import Expressions
public import Geometry
public import Motion

/// A push button, chosen when the finger is lifted on it. The choice is confirmed when its blink ends.
public struct Button: Control, Hashable {
  /// The outline of a button.
  public enum Shape: String, CaseIterable, Sendable {
    /// A disc, or a pill where width and height differ.
    case round
    case rounded
  }

  /// The centre, in design pixels.
  public let center: Point
  /// Width and height of the outline, in design pixels.
  public let size: Size
  /// The word on it; two lines at most.
  public let text: String
  /// The maximum em size in design pixels; nil to derive it from the height and the theme.
  public let fontSize: Double?
  /// The fill at rest.
  public let color: ThemeColor
  /// Nil for black or white, by contrast.
  public let textColor: ThemeColor?
  /// The outline, which is also what fingers can hit.
  public let shape: Shape
  /// The light that answers a choice; none by default. Its end confirms the choice.
  public let blink: Blink.Pattern

  /// Whether each finger that came down on the button is still over it.
  private var holds: [Int: Bool] = [:]
  /// The button itself is item 0.
  private var lights = Lights()

  /// A button of `size` around `center`, both in design pixels.
  public init(
    center: Point, size: Size, text: String, fontSize: Double? = nil,
    color: ThemeColor = .surface, textColor: ThemeColor? = nil, shape: Shape = .round,
    blink: Blink.Pattern = .none
  ) {
    self.center = center
    self.size = size
    self.text = text
    self.fontSize = fontSize
    self.color = color
    self.textColor = textColor
    self.shape = shape
    self.blink = blink
  }

  private var outline: RoundedRect {
    let short = min(size.width, size.height)
    return RoundedRect(
      Rect(center: center, size: size), radius: shape == .round ? short / 2 : short * 0.2)
  }

  /// Whether a finger is on it.
  package var isHeld: Bool { holds.values.contains(true) }

  /// Whether `point` is inside the outline, corners rounded.
  public func contains(_ point: Point, at now: Instant) -> Bool { outline.contains(point) }

  /// Reports `pressed`; then `selected` where the finger is lifted on the button, otherwise `cancelled`.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      cancel(touch.finger, at: now, events: &events)
      holds[touch.finger] = true
      events.append(event("pressed", at: now))
    case .move:
      if holds[touch.finger] != nil { holds[touch.finger] = outline.contains(touch.position) }
    case .up:
      guard holds[touch.finger] == true else { fallthrough }
      holds[touch.finger] = nil
      events.append(event("selected", at: now))
      lights.add(0, blink, at: now)
      confirm(at: now, events: &events)
    case .cancel:
      cancel(touch.finger, at: now, events: &events)
    }
  }

  private mutating func cancel(_ finger: Int, at now: Instant, events: inout [ControlEvent]) {
    guard holds.removeValue(forKey: finger) != nil else { return }
    events.append(event("cancelled", at: now))
  }

  private mutating func confirm(at now: Instant, events: inout [ControlEvent]) {
    for (_, time) in lights.takeEnded(by: now) { events.append(event("confirmed", at: time)) }
  }

  /// Reports `confirmed` when the blink ends.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    confirm(at: now, events: &events)
  }

  /// When the light next goes on or off.
  public func nextChange(after now: Instant) -> Instant? { lights.nextChange(after: now) }

  /// Reports `cancelled` for each finger. A blink goes on.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    for finger in holds.keys.sorted() { cancel(finger, at: now, events: &events) }
  }

  /// Releases all fingers and puts out the light, without `confirmed`.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
    lights.removeAll()
  }

  /// Takes over fingers and lights.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Button else { return }
    (holds, lights) = (old.holds, old.lights)
  }

  private func event(_ name: String, at now: Instant) -> ControlEvent {
    ControlEvent(name, at: now, fields: [Field("label", .text(text))])
  }

  /// Draws outline and text; the fill stands out while held or lit.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let own = color.color(in: context.theme)
    let rest = context.isEnabled ? own : own.disabled(on: context.background)
    // Its word stands alone, so it is a little larger than text.
    let fontSize = fontSize ?? min(size.height * 0.42, context.theme.fontSize * 14 / 11)
    let readable = context.text(on: rest, isLarge: fontSize >= 24)
    let isLit = lights.isLit(0, at: context.now)
    var fill = rest
    if isHeld { fill = fill.over(context.background).veil(0.2).over(fill) }
    if isLit { fill = fill.over(context.background).veil(Answer.lit).over(fill) }
    list.add(.roundedRect(outline), fill)
    // The text keeps its colour while held, if it can be read, and contrasts with the fill while lit.
    let standing =
      isLit
      ? fill.readableText(isLarge: fontSize >= 24)
      : isHeld ? readable.kept(on: fill, contrast: Color.heldContrast) : readable
    let ink =
      context.isEnabled ? textColor?.color(in: context.theme) ?? standing : standing.faded(to: 0.4)
    let margin = shape == .round ? 0.14 * size.width : 0.08 * size.width
    list.add(
      .text(
        TextRun(
          text, font: context.font, size: fontSize, at: center,
          box: Size(size.width - 2 * margin, size.height * 0.8), lines: 2)),
      ink)
  }
}
