// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A number on an arc: a gauge, a progress indicator, or a slider that a finger drags along the arc.
/// It may have two numbers.
///
/// A value follows its finger's direction. It stops at the ends of the arc: a finger that crosses
/// the gap between them must return.
public struct Ring: RoundControl, SliderControl, Hashable {
  /// A section of the scale with its own colour.
  public typealias Band = ScaleBand
  /// Lines along the inside of the arc.
  public typealias Ticks = ScaleTicks

  /// The centre of the arc, in design pixels.
  public package(set) var center: Point
  /// The outer radius, in design pixels.
  public let radius: Double
  /// The width of the arc, at most the radius.
  public let thickness: Double
  /// The direction of the minimum.
  public package(set) var from: Angle
  /// The direction of the maximum: clockwise from `from`, or counterclockwise if it is less.
  public package(set) var to: Angle
  package var slider: Slider
  /// Whether the ring is a spinner without a value. Touches pass through.
  public package(set) var isSpinning: Bool
  /// Whether a needle points at the value.
  public package(set) var hasNeedle: Bool
  /// The colour of the filled part.
  public package(set) var color: ThemeColor
  /// The colour of the rest of the arc.
  public package(set) var track: ThemeColor
  /// The maximum em size of the text, or nil to derive it from the radius.
  public package(set) var fontSize: Double?
  /// The colour of the text, or nil for contrast with the background.
  public package(set) var textColor: ThemeColor?
  /// Whether home automation knows the numbers as the targets of a thermostat.
  package var isClimate = false
  /// The current text in the centre.
  package var text: String
  private let initialText: String

  /// Creates a ring at rest, by default 14 % of the radius thick. `from` and `to` must not be
  /// equal.
  public init(
    center: Point, radius: Double, thickness: Double? = nil, from: Angle = .degrees(-135),
    to: Angle = .degrees(135), scale: Scale, isContinuous: Bool = false, value: Double? = nil,
    range: ClosedRange<Double>? = nil, minimumGap: Double = 0, isInteractive: Bool = true,
    isSpinning: Bool = false, hasNeedle: Bool = false, bands: [Band] = [], ticks: Ticks? = nil,
    color: ThemeColor = .accent, track: ThemeColor = .surface, text: String = "",
    fontSize: Double? = nil, textColor: ThemeColor? = nil
  ) {
    var slider = Slider(scale: scale, isContinuous: isContinuous, isPair: range != nil)
    slider.firstValue = value
    slider.firstLow = range?.lowerBound
    slider.firstHigh = range?.upperBound
    slider.minimumGap = minimumGap
    slider.isInteractive = isInteractive
    slider.bands = bands
    slider.ticks = ticks
    self.init(
      center: center, radius: radius, thickness: thickness, from: from, to: to, slider: slider,
      text: text)
    self.isSpinning = isSpinning
    self.hasNeedle = hasNeedle
    self.color = color
    self.track = track
    self.fontSize = fontSize
    self.textColor = textColor
  }

  package init(
    center: Point, radius: Double, thickness: Double? = nil, from: Angle = .degrees(-135),
    to: Angle = .degrees(135), slider: Slider, text: String
  ) {
    precondition(from != to, "an arc needs two ends")
    self.center = center
    self.radius = radius
    self.thickness = min(thickness ?? radius * Self.standardThickness, radius)
    self.from = from
    self.to = to
    self.slider = slider
    isSpinning = false
    hasNeedle = false
    color = .accent
    track = .surface
    initialText = text
    self.text = text
    keysChanged(since: nil, at: .zero)
  }

  package mutating func keysChanged(since old: Ring?, at now: Instant) {
    slider.keysChanged(since: old?.slider, on: path, from: old?.path, at: now)
    if let old, initialText == old.initialText { text = old.text }
  }

  /// A fraction of the radius.
  static let standardThickness = 0.14
  /// A fraction of the thickness.
  private static let knob = 0.66

  package var home: HomeEntity { numbers.asClimate(isClimate) }

  var knobRadius: Double { thickness * Self.knob }

  // MARK: Geometry

  var path: Arc { Arc(self) }

  struct Arc: Track {
    private let center: Point
    private let radius: Double
    private let middleRadius: Double
    private let from: Angle
    private let to: Angle
    let reach: Double

    init(_ ring: Ring) {
      center = ring.center
      radius = ring.radius
      middleRadius = ring.middleRadius
      from = ring.from
      to = ring.to
      reach = ring.knobReach
    }

    var length: Double { abs((to - from).radians) }
    var pixels: Double { length * middleRadius }
    /// 1 if the arc goes clockwise, otherwise −1.
    private var sense: Double { to > from ? 1 : -1 }

    /// In radians, or nil near the centre; see `TurnedControl`.
    func coordinate(of point: Point) -> Double? {
      Angle.direction(of: point - center, outOf: radius)?.radians
    }

    func movement(from start: Double, to end: Double) -> Double {
      sense * Angle(radians: end).turn(from: Angle(radians: start)).radians
    }

    /// A full turn beyond an end is dropped, because the finger is at that end again.
    func unwound(_ pull: Double) -> Double {
      if pull > length + 2 * .pi { return pull - 2 * .pi }
      return pull < -2 * .pi ? pull + 2 * .pi : pull
    }

    /// In the gap between the ends, the nearer end.
    func place(of coordinate: Double) -> Double {
      let offset = Angle(radians: sense * (coordinate - from.radians)).normalized.radians
      guard offset > length else { return offset }
      return offset - length < 2 * .pi - offset ? length : 0
    }

    func point(at fraction: Double) -> Point {
      center + (from + (to - from) * fraction).unit * middleRadius
    }
  }

  /// The length of the arc, as an angle above 0.
  private var sweep: Double { abs((to - from).radians) }
  var isClosed: Bool { sweep > 2 * .pi - 1e-9 }
  var middleRadius: Double { radius - thickness / 2 }
  /// The distance in design pixels.
  private var margin: Double { max(thickness / 2, radius * 0.08) }
  var knobReach: Double { thickness / 2 + margin }

  /// The direction of a position in steps.
  func angle(of position: Double) -> Angle { from + (to - from) * (position / slider.scale.span) }

  func pointOnArc(of position: Double) -> Point { center + angle(of: position).unit * middleRadius }

  /// Whether `point` is on the arc or its round ends.
  public func contains(_ point: Point, at now: Instant) -> Bool {
    distance(to: point, at: now) == 0
  }

  /// Returns the distance of a finger from the arc, or nil if it is too far.
  public func distance(to point: Point, at now: Instant) -> Double? {
    guard isUsable else { return nil }
    let offset = point.distance(to: center)
    guard offset.isFinite else { return nil }
    let half = thickness / 2
    var distance = abs(offset - middleRadius)
    if !isClosed {
      let sense = to > from ? 1.0 : -1
      let offset = Angle(radians: sense * (Angle(of: point - center) - from).radians).normalized
      if offset.radians > sweep {
        distance = min(
          point.distance(to: pointOnArc(of: 0)),
          point.distance(to: pointOnArc(of: slider.scale.span)))
      }
    }
    let outside = max(distance - half, 0)
    return outside <= margin ? outside : nil
  }

  var isUsable: Bool { slider.isInteractive && !isSpinning }

  /// The circle, or the outline of a knob.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    knobOutline(of: part, at: now) ?? .sector(Sector(center: center, radius: radius))
  }

  /// Whether the ring moves without a finger.
  public func isMoving(at now: Instant) -> Bool { slider.isMoving || isSpinning }

  package static let interface = Interface<Ring>(
    properties: sliderProperties, events: sliderEvents)

  /// Continues `old`. The numbers are fitted to the new scale.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Ring else { return }
    if initialText == old.initialText { text = old.text }
    slider.resume(old.slider, on: path, from: old.path, at: now)
  }

  /// The text of a spinner, otherwise the numbers.
  public func wording(of item: String?, at now: Instant) -> Wording {
    isSpinning ? Wording(label: text) : sliderWording(of: item)
  }
}
