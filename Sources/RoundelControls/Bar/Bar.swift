// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A number on a straight scale: a gauge, a level meter, or a slider. It may have two numbers.
///
/// The longer side of its size is its direction: upwards, or from left to right, or from right to
/// left on a reflected page.
public struct Bar: BoxControl, SliderControl, Hashable {
  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height including text and ticks, in design pixels.
  public let size: Size
  package var slider: Slider
  /// The number of equal parts that are lit up to the value, or 0 for a continuous bar.
  public package(set) var segments = 0
  /// Seconds until the mark of the highest value falls, or nil for no mark.
  public package(set) var peakSeconds: Double?
  /// The colour of the filled part.
  public package(set) var color: ThemeColor
  /// The colour of the rest of the bar.
  public package(set) var track: ThemeColor
  /// The maximum em size of the text, or nil to derive it from the size.
  public package(set) var fontSize: Double?
  /// The colour of the text, or nil for contrast with the background.
  public package(set) var textColor: ThemeColor?
  /// The current text beyond the maximum.
  package var text: String
  private let initialText: String
  let hasText: Bool
  private var isReflected = false
  private var peak = Peak()

  /// The mark of the highest value.
  private struct Peak: Hashable {
    /// In steps.
    var position = 0.0
    /// The time when the value was last there.
    var time = Instant.zero
  }

  /// Creates a bar at rest.
  public init(
    center: Point, size: Size, scale: Scale, isContinuous: Bool = false, value: Double? = nil,
    range: ClosedRange<Double>? = nil, minimumGap: Double = 0, isInteractive: Bool = true,
    bands: [ScaleBand] = [], ticks: ScaleTicks? = nil, segments: Int = 0,
    peakSeconds: Double? = nil, color: ThemeColor = .accent, track: ThemeColor = .surface,
    text: String = ""
  ) {
    var slider = Slider(scale: scale, isContinuous: isContinuous, isPair: range != nil)
    slider.firstValue = value
    slider.firstLow = range?.lowerBound
    slider.firstHigh = range?.upperBound
    slider.minimumGap = minimumGap
    slider.isInteractive = isInteractive
    slider.bands = bands
    slider.ticks = ticks
    self.init(center: center, size: size, slider: slider, text: text, hasText: !text.isEmpty)
    self.segments = segments
    self.peakSeconds = peakSeconds
    self.color = color
    self.track = track
  }

  package init(center: Point, size: Size, slider: Slider, text: String, hasText: Bool) {
    self.center = center
    self.size = size
    self.slider = slider
    self.hasText = hasText
    color = .accent
    track = .surface
    initialText = text
    self.text = text
    keysChanged(since: nil, at: .zero)
  }

  package static let maximumSegments = 200

  package mutating func keysChanged(since old: Bar?, at now: Instant) {
    slider.keysChanged(since: old?.slider, on: path, from: old?.path, at: now)
    guard let old else { return }
    if initialText == old.initialText { text = old.text }
    // A position of another scale is meaningless.
    if slider.scale != old.slider.scale { peak = Peak() }
  }

  // MARK: Geometry

  var isVertical: Bool { size.height > size.width }
  var length: Double { max(size.width, size.height) }
  /// The width across the direction. A continuous bar is slender also in a wide cell.
  var breadth: Double {
    let side = min(size.width, size.height)
    return segments > 0 ? side : min(side, length * 0.3)
  }
  var isClosed: Bool { false }

  /// The part of the breadth for the track and the knobs. Ticks and their labels take the rest.
  var trackRoom: Double {
    guard let ticks = slider.ticks else { return breadth }
    return breadth * (ticks.labelEvery == nil ? 0.7 : 0.52)
  }

  var thickness: Double { slider.isInteractive && segments == 0 ? trackRoom * 0.62 : trackRoom }
  var knobRadius: Double { trackRoom * 0.42 }

  /// The text's length beyond the maximum.
  var textRoom: Double {
    guard hasText else { return 0 }
    return isVertical ? min(breadth, length * 0.2) : min(breadth * 2.4, length * 0.3)
  }

  /// The direction of growing values.
  var direction: Vector {
    isVertical ? Vector(0, -1) : Vector(isReflected ? -1 : 1, 0)
  }

  /// The direction from the track to the ticks.
  var outwards: Vector { isVertical ? Vector(isReflected ? -1 : 1, 0) : Vector(0, 1) }

  var path: Line {
    // A segmented bar reaches its ends. Otherwise round ends or knobs surround the values.
    let inset =
      segments > 0 ? 0 : max(slider.isInteractive ? trackRoom * 0.47 : 0, thickness / 2)
    let room = max(length - textRoom, 1)
    let inside = max(room - 2 * inset, min(room, 1))
    let start =
      center - direction * (length / 2 - (room - inside) / 2)
      - outwards * ((breadth - trackRoom) / 2)
    return Line(
      start: start, direction: direction, length: inside,
      reach: max(trackRoom / 2 + margin, breadth / 2))
  }

  struct Line: Track {
    let start: Point
    let direction: Vector
    let length: Double
    let reach: Double

    var pixels: Double { length }

    /// Bounded, so that a finger far away remains exact.
    func coordinate(of point: Point) -> Double? {
      guard point.isFinite else { return nil }
      return (point - start).dot(direction).within(-16_384...16_384 + length)
    }

    func movement(from start: Double, to end: Double) -> Double { end - start }
    func unwound(_ pull: Double) -> Double { pull }
    func place(of coordinate: Double) -> Double { min(max(coordinate, 0), length) }
    func point(at fraction: Double) -> Point { start + direction * (length * fraction) }
  }

  func stretch(_ start: Double, _ end: Double) -> Shape {
    let span = slider.scale.span
    return .rect(
      Rect(across: path.point(at: start / span), path.point(at: end / span), by: thickness / 2))
  }

  func heading(at position: Double) -> Angle { Angle(of: direction) }

  /// The maximum distance of a finger from the frame, in design pixels.
  private var margin: Double { breadth * 0.25 }

  /// Returns the distance of a finger from the frame, or nil if it is too far.
  public func distance(to point: Point, at now: Instant) -> Double? {
    guard isUsable, point.isFinite else { return nil }
    let frame = frame
    let offset = Vector(
      max(frame.x0 - point.x, point.x - frame.x1, 0),
      max(frame.y0 - point.y, point.y - frame.y1, 0))
    return offset.length <= margin ? offset.length : nil
  }

  var isUsable: Bool { slider.isInteractive }

  /// The frame, or the outline of a knob.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    knobOutline(of: part, at: now)
      ?? .rect(RoundedRect(frame, radius: min(breadth / 2, trackRoom / 2)))
  }

  /// Records whether the page is reflected, where a bar grows to the left.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {
    self.isReflected = isReflected
  }

  // MARK: The highest value

  /// Seconds of the mark's fall.
  private static let fall = 0.5

  /// In steps, or nil if it isn't above the value.
  func peakPosition(above position: Double, at now: Instant) -> Double? {
    guard let peakSeconds, peak.position > position else { return nil }
    let progress = (now - peak.time - peakSeconds) / Self.fall
    guard progress < 1 else { return nil }
    guard progress > 0 else { return peak.position }
    let rest = (1 - progress) * (1 - progress)
    return position + (peak.position - position) * rest
  }

  private var valueKnob: Int { slider.isPair ? 1 : 0 }

  /// Records the shown value before it changes, except while another process's values are set, before time zero.
  private mutating func recordPeak(at now: Instant) {
    guard peakSeconds != nil, now >= .zero else { return }
    let position = slider.position(of: valueKnob, on: path, at: now)
    if peakPosition(above: position, at: now) == nil { peak = Peak(position: position, time: now) }
  }

  private var peakTimes: (start: Instant, end: Instant)? {
    guard let peakSeconds, peak.position > 0 else { return nil }
    let start = peak.time + peakSeconds
    return (start, start + Self.fall)
  }

  /// Reports `pressed` when a finger grabs a number or taps, then `passing` for each step.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    recordPeak(at: now)
    slider.handle(touch, on: path, at: now, events: &events)
  }

  /// The time of the next step or rest, or of the fall of the highest value's mark.
  public func nextChange(after now: Instant) -> Instant? {
    let next = slider.nextChange()
    guard let times = peakTimes, now < times.end else { return next }
    let change = now < times.start ? times.start : times.end
    return next.map { min($0, change) } ?? change
  }

  /// Whether the bar or its mark moves without a finger.
  public func isMoving(at now: Instant) -> Bool {
    if slider.isMoving { return true }
    guard let times = peakTimes, times.start <= now, now < times.end else { return false }
    return peak.position > slider.position(of: valueKnob, on: path, at: now)
  }

  // MARK: State

  package static let interface = Interface<Bar>(
    properties: [recordedPeak("value", 0), recordedPeak("low", 0), recordedPeak("high", 1)]
      + sliderProperties.filter { $0.name == "text" },
    events: sliderEvents)

  private static func recordedPeak(_ name: String, _ index: Int) -> Property<Bar> {
    Property(name) { bar, _ in
      bar.slider.value(of: index)
    } set: { (bar, number: Double, at, events) throws(InvalidValueError) in
      bar.recordPeak(at: at.now)
      try bar.slider.set(index, to: number, on: bar.path, at: at.now, events: &events)
    }.present { $0.slider.isPair == (name != "value") }
  }

  /// Continues `old`. The numbers are fitted to the new scale.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Bar else { return }
    if initialText == old.initialText { text = old.text }
    peak = slider.scale == old.slider.scale ? old.peak : Peak()
    slider.resume(old.slider, on: path, from: old.path, at: now)
  }

  /// The text, otherwise the numbers.
  public func wording(of item: String?, at now: Instant) -> Wording { sliderWording(of: item) }
}

extension Rect {
  /// Creates the rectangle along a horizontal or vertical line.
  init(across start: Point, _ end: Point, by half: Double) {
    let isVertical = start.x == end.x
    let (x, y) = (isVertical ? half : 0, isVertical ? 0 : half)
    self.init(
      x0: min(start.x, end.x) - x, y0: min(start.y, end.y) - y, x1: max(start.x, end.x) + x,
      y1: max(start.y, end.y) + y)
  }
}
