// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion

/// A control with its touches and clock, called in the same way as by the engine.
struct Stage<Subject: Control> {
  var control: Subject
  private(set) var now = Instant.zero
  private(set) var events: [ControlEvent] = []
  /// Receives the events of calls that the engine would not make.
  var unchecked: [ControlEvent] = []

  init(_ control: Subject) { self.control = control }

  mutating func advance(to seconds: Double) {
    let time = Instant(seconds: seconds)
    while let next = control.nextChange(after: now), next <= time {
      now = next
      control.advance(to: now, events: &events)
    }
    now = max(now, time)
    control.advance(to: now, events: &events)
  }

  /// Advances to `seconds` in frames of `step` seconds.
  mutating func advance(to seconds: Double, step: Double) {
    while now.seconds + step < seconds { advance(to: now.seconds + step) }
    advance(to: seconds)
  }

  mutating func touch(
    _ phase: Touch.Phase, _ point: Point = .zero, finger: Int = 0, at seconds: Double
  ) {
    advance(to: seconds)
    if phase == .down, !control.contains(point, at: now) { return }
    control.handle(
      Touch(finger: finger, phase: phase, position: point), at: now, events: &events)
  }

  mutating func tap(_ point: Point, at seconds: Double, for duration: Double = 0.08) {
    touch(.down, point, at: seconds)
    touch(.up, point, at: seconds + duration)
  }

  mutating func perform(_ command: String, at seconds: Double) {
    advance(to: seconds)
    control.perform(command, at: now, events: &events)
  }

  mutating func set(_ property: String, to value: Value, at seconds: Double) throws {
    advance(to: seconds)
    try control.set(property, to: value, at: now, events: &events)
  }

  mutating func reset(at seconds: Double) {
    advance(to: seconds)
    control.reset(at: now, events: &events)
  }

  mutating func letGo(at seconds: Double) {
    advance(to: seconds)
    control.letGo(at: now, events: &events)
  }

  mutating func appear(at seconds: Double) {
    advance(to: seconds)
    control.appear(at: now, events: &events)
  }

  /// Replaces the control with a version that has other keys, as a reload does.
  mutating func remake(as new: Subject, at seconds: Double) {
    advance(to: seconds)
    var new = new
    new.resume(control, at: now)
    control = new
  }

  func value(_ property: String) -> Value? { control.value(of: property, at: now) }

  /// The current display list.
  var picture: DisplayList {
    var list = DisplayList()
    control.draw(into: &list, in: DrawingContext(now: now, font: "sans-serif"))
    return list
  }

  /// The events' names, with their item, if any: `passing salad`.
  var eventNames: [String] {
    events.map { event in event.item.map { "\(event.name) \($0)" } ?? event.name }
  }

  func times(of name: String) -> [Double] {
    // Divided, a time equals its decimal literal.
    events.filter { $0.name == name }.map { Double($0.time.microseconds) / 1e6 }
  }
}
