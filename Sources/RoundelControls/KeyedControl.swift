// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import RoundelMotion

package protocol KeyedControl: Control {
  static var keys: ControlKeys<Self> { get }

  static var interface: Interface<Self> { get }
  /// Changes if the page is reflected.
  var center: Point { get set }

  var home: HomeEntity { get }

  /// Updates everything derived from keys, and continues `old`, or nil for a new control.
  mutating func keysChanged(since old: Self?, at now: Instant)
}

extension KeyedControl {
  package var home: HomeEntity { Self.keys.home }
  package static var interface: Interface<Self> { Interface() }

  package mutating func keysChanged(since old: Self?, at now: Instant) {}

  /// The centre, or the current position of an item.
  public func place(of item: String?, at now: Instant) -> Point? {
    guard let item else { return center }
    return items(at: now).first { $0.id == item }?.place
  }

  /// Releases all fingers.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
  }
}

/// A control in a rectangle around its centre.
package protocol BoxControl: KeyedControl {
  var size: Size { get }
}

extension BoxControl {
  package var frame: Rect { Rect(center: center, size: size) }

  /// The frame.
  public var extent: Rect? { frame }

  /// Whether `point` is in the frame.
  public func contains(_ point: Point, at now: Instant) -> Bool { frame.contains(point) }

  /// Returns the point of a finger, at most 16 384 pixels above or below the centre, or nil if it
  /// isn't finite.
  func reach(_ point: Point) -> Point? {
    guard point.isFinite else { return nil }
    return Point(point.x, min(max(point.y, center.y - 16_384), center.y + 16_384))
  }
}

/// A control in a circle around its centre.
package protocol RoundControl: KeyedControl {
  var radius: Double { get }
}

extension RoundControl {
  package var frame: Rect { Rect(center: center, size: .square(2 * radius)) }

  /// The square around the circle.
  public var extent: Rect? { frame }

  /// The circle.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .sector(Sector(center: center, radius: radius))
  }
}

/// A control that Enter presses.
protocol PressedControl: KeyedControl {}

extension PressedControl {
  /// Announced as a control that a key presses.
  public static var spokenRole: SpokenRole { .pressed }
  /// Always true.
  public var takesKeys: Bool { true }

  /// Presses the control, like a finger at its centre.
  public mutating func press(
    _ part: Int?, by touch: Touch, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    handle(touch, at: now, events: &events)
    return true
  }
}

/// A round control with a single value, which keys turn step by step.
protocol TurnedControl: RoundControl {
  mutating func step(by offset: Int, at now: Instant, events: inout [ControlEvent])
}

extension TurnedControl {
  /// Always true.
  public var takesKeys: Bool { true }

  /// Returns the direction of a finger. Nil near the centre, where a trembling finger would turn
  /// the value at random.
  func direction(of point: Point) -> Angle? {
    Angle.direction(of: point - center, outOf: radius)
  }

  /// Turns by one step: right and up forwards, left and down backwards.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    switch key {
    case .enter where part == nil: part = 0
    case _ where part == nil: return false
    case .right, .up: step(by: 1, at: now, events: &events)
    case .left, .down: step(by: -1, at: now, events: &events)
    case .enter, .back: part = nil
    default: return false
    }
    return true
  }

  /// Always nil, because exploration reads the control as a whole.
  public func item(under point: Point, at now: Instant) -> String? { nil }
}

extension Angle {
  static func direction(of offset: Vector, outOf radius: Double) -> Angle? {
    guard offset.length >= min(radius / 10, 12), offset.length.isFinite else { return nil }
    // The last bit of an arc tangent differs between C libraries.
    return Angle(radians: (Angle(of: offset).radians * 0x1p32).rounded() * 0x1p-32)
  }
}
