// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A switch that is on or off, with a label before it in reading order.
///
///     off ──down──► held ──up on it, or pushed to the other side──► changed ┄┄ the knob springs there
///                    └──── up elsewhere, or pushed to its own side ──► cancelled
public struct Toggle: BoxControl, PressedControl, Hashable {
  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height, in design pixels.
  public let size: Size
  /// The label, or an empty string for a switch without a label.
  public package(set) var label: String
  /// The colour of the switch while it is off.
  public package(set) var color: ThemeColor
  /// The colour of the switch while it is on.
  public package(set) var onColor: ThemeColor
  /// The maximum em size, or nil to derive it from the height.
  public package(set) var fontSize: Double?
  /// The colour of the label, or nil for contrast with the background.
  public package(set) var textColor: ThemeColor?

  private var isOn: Bool
  private var hold: Hold?
  /// The motion of the knob, from 0 (off) to 1 (on), or nil at rest.
  private var spring: Spring?

  private struct Hold: Hashable {
    var finger: Int
    var start: Point
    var position: Point
  }

  /// Creates a toggle at rest.
  public init(
    center: Point, size: Size, label: String = "", value: Bool = false,
    color: ThemeColor = .surface, onColor: ThemeColor = .accent, fontSize: Double? = nil,
    textColor: ThemeColor? = nil
  ) {
    self.center = center
    self.size = size
    self.label = label
    self.color = color
    self.onColor = onColor
    self.fontSize = fontSize
    self.textColor = textColor
    isOn = value
  }

  /// Fast and without overshoot, so that the knob stays in its track.
  private static let tuning = Spring.Tuning(damping: 1, duration: 0.25)
  /// The width of a switch with a label, as a multiple of its height.
  private static let proportion = 1.75
  /// A fraction of the total width.
  private static let trackShare = 0.55

  // MARK: Geometry

  /// Fills the toggle, or is at the end if there is a label.
  private func track(isMirrored: Bool = false) -> Rect {
    let height = min(
      size.height, label.isEmpty ? size.width : size.width * Self.trackShare / Self.proportion)
    let width = label.isEmpty ? size.width : height * Self.proportion
    let offset = (size.width - width) / 2
    return Rect(
      center: center + Vector(isMirrored ? -offset : offset, 0), size: Size(width, height))
  }

  /// Returns nil if the value would not change.
  private func outcome(of hold: Hold) -> Bool? {
    let offset = hold.position.x - hold.start.x
    // The direction of a push decides the value.
    if abs(offset) > track().height / 2 { return (offset > 0) == isOn ? nil : offset > 0 }
    return frame.contains(hold.position) ? !isOn : nil
  }

  // MARK: Touch

  /// Reports `pressed`, then `changed`, or `cancelled` if the value doesn't change.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    if let hold, hold.finger != touch.finger { return }
    switch touch.phase {
    case .down:
      letGo(at: now, events: &events)
      hold = Hold(finger: touch.finger, start: touch.position, position: touch.position)
      events.append(event("pressed", at: now))
    case .move: hold?.position = touch.position
    case .up:
      guard var ended = hold else { return }
      ended.position = touch.position
      guard let value = outcome(of: ended) else { fallthrough }
      hold = nil
      change(to: value, at: now, &events)
    case .cancel: letGo(at: now, events: &events)
    }
  }

  /// The press of a finger.
  public func press(of finger: Int, at now: Instant) -> Press? {
    guard let hold, hold.finger == finger else { return nil }
    return Press(fields: fields, isOn: frame.contains(hold.position))
  }

  /// Returns false, because the finger pushes the knob.
  public func yields(_ finger: Int, toSwipeAlong axis: Axis, at now: Instant) -> Bool { false }

  /// Reports `cancelled` if a finger holds the toggle.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    guard hold != nil else { return }
    hold = nil
    events.append(event("cancelled", at: now))
  }

  /// Releases the finger and stops the knob. The value doesn't change.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
    spring = nil
  }

  private mutating func change(to value: Bool, at now: Instant, _ events: inout [ControlEvent]) {
    let (position, velocity) = (knob(at: now), spring?.velocity(at: now) ?? 0)
    isOn = value
    let next = Spring(
      from: position, velocity: velocity, to: value ? 1 : 0, at: now, tuning: Self.tuning,
      tolerance: 0.002)
    spring = next.isSettled(at: now) ? nil : next
    events.append(event("changed", at: now))
  }

  private func event(_ name: String, at now: Instant) -> ControlEvent {
    ControlEvent(name, at: now, fields: fields)
  }

  private var fields: [Field] { [Field("label", .text(label)), Field("value", .flag(isOn))] }

  // MARK: Time

  /// The position, from 0 to 1.
  private func knob(at now: Instant) -> Double {
    spring.map { min(max($0.position(at: now), 0), 1) } ?? (isOn ? 1 : 0)
  }

  /// Ends a settled motion of the knob.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    if let spring, spring.isSettled(at: now) { self.spring = nil }
  }

  /// The time when the knob comes to rest.
  public func nextChange(after now: Instant) -> Instant? { spring?.end }

  /// Whether the knob moves.
  public func isMoving(at now: Instant) -> Bool { spring != nil }

  // MARK: State

  package static let interface = Interface<Toggle>(
    properties: [
      Property("value") { toggle, _ in
        toggle.isOn
      } set: { toggle, isOn, at, events in
        if isOn != toggle.isOn { toggle.change(to: isOn, at: at.now, &events) }
      }
    ],
    events: EventType.all(
      [
        .pressed, .left, .returned, EventType("changed", "The toggle was switched on or off."),
        .cancelled,
      ],
      [.label, .value.of(.flag)]))

  /// Continues the value, touch and motion of `old`.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Toggle else { return }
    (isOn, hold, spring) = (old.isOn, old.hold, old.spring)
  }

  // MARK: Picture

  /// Draws label, track and knob. The track is highlighted while held.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let track = track(isMirrored: context.isMirrored)
    let place = knob(at: context.now)
    let off = color.color(in: context.theme).over(context.background)
    let on = onColor.color(in: context.theme).over(context.background)
    var fill = context.shown(off.mixed(with: on, place))
    if hold != nil { fill = fill.veil(Feedback.held).over(fill) }
    list.add(.roundedRect(RoundedRect(track, radius: track.height / 2)), fill)
    // The knob is white if that is visible. While off, it is smaller and paler, so the state
    // doesn't depend on colour.
    let light = on.contrast(with: .white) >= 1.8 ? Color.white : .dark
    let pale = context.theme.text.mixed(with: off, 0.35)
    let share = 0.56 + 0.2 * place
    let radius = min(track.height, track.width) / 2
    let offset = max(track.width - 2 * radius, 0)
    let middle = Point(track.x0 + radius + offset * place, track.center.y)
    let knob = pale.mixed(with: light, place).faded(to: context.presence)
    list.add(.disc(center: middle, radius: radius * share), knob)
    list.addLight(on: RoundedRect(disc: middle, radius: radius * share), presence: context.presence)
    guard !label.isEmpty else { return }
    let width = max(size.width - track.width - track.height * 0.3, 0)
    let em = fontSize ?? context.fontSize(inHeight: size.height)
    let x = context.isMirrored ? frame.x1 - width / 2 : frame.x0 + width / 2
    list.add(
      TextRun(
        label, font: context.font, size: em, at: Point(x, center.y),
        alignment: context.isMirrored ? .right : .left, bounds: .frame(Size(width, size.height)),
        lines: 2), context.ink(textColor, on: context.background).faded(to: context.presence))
  }
}

extension Toggle {
  /// The bounds of label and switch.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .rect(RoundedRect(frame, radius: size.height / 4))
  }

  /// The label, and whether the toggle is on.
  public func wording(of item: String?, at now: Instant) -> Wording {
    Wording(label: label, isOn: isOn)
  }

  /// The centre of the switch, in a layout that isn't mirrored.
  public func place(of item: String?, at now: Instant) -> Point? {
    item == nil ? track().center : nil
  }
}
