// SPDX-License-Identifier: MIT

package import RoundelControls
internal import RoundelDeclarations
package import RoundelDrawing
internal import RoundelExpressions
package import RoundelGeometry
package import RoundelMotion

/// A coloured disc that is dark, lit or blinking. A touch switches it.
package struct Lamp: KeyedControl, Hashable {
  package enum State: String, Sendable, CaseIterable {
    case dark, lit, blinking
  }

  /// In design pixels.
  package var center: Point
  /// In design pixels.
  package let radius: Double
  package var color: ThemeColor = .accent
  /// The time between changes while the lamp blinks, in seconds.
  package var period = 0.5

  private var state: State
  /// The time of the last change of state.
  private var start = Instant.zero

  /// Creates a lamp in a state.
  package init(center: Point, radius: Double, state: State) {
    self.center = center
    self.radius = radius
    self.state = state
  }

  package static let interface = Interface<Lamp>(
    properties: [
      Property("state") { lamp, _ in
        lamp.state.rawValue
      } set: { (lamp, name: String, at, events) throws(InvalidValueError) in
        guard let state = State(rawValue: name) else {
          throw InvalidValueError("dark, lit or blinking")
        }
        if state != lamp.state { lamp.change(to: state, at: at.now, &events) }
      }
    ],
    commands: [
      ControlCommand("flash", "Lets it blink.") { lamp, now, events in
        lamp.change(to: .blinking, at: now, &events)
      }
    ],
    events: [
      EventType(
        "changed", "Its light has changed.", [EventField("state", .text, "dark, lit or blinking.")])
    ])

  private mutating func change(to state: State, at now: Instant, _ events: inout [ControlEvent]) {
    self.state = state
    start = now
    events.append(
      ControlEvent("changed", at: now, fields: [Field("state", .text(state.rawValue))]))
  }

  /// Whether `point` is on the disc.
  package func contains(_ point: Point, at now: Instant) -> Bool {
    (point - center).length <= radius
  }

  /// Switches the lamp on or off when a finger comes down.
  package mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard touch.phase == .down else { return }
    change(to: state == .dark ? .lit : .dark, at: now, &events)
  }

  /// The centre of the disc.
  package func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }

  /// The number of whole periods since the last change of state.
  private func periods(at now: Instant) -> Double {
    max(((now - start) / period).rounded(.down), 0)
  }

  private func isLit(at now: Instant) -> Bool {
    switch state {
    case .dark: false
    case .lit: true
    case .blinking: periods(at: now).truncatingRemainder(dividingBy: 2) == 0
    }
  }

  /// The time of the next change while the lamp blinks.
  package func nextChange(after now: Instant) -> Instant? {
    guard state == .blinking else { return nil }
    var next = periods(at: now) + 1
    // Skip a change that a rounding error places in the past.
    while start + next * period <= now { next += 1 }
    return start + next * period
  }

  /// Continues the state of `old`.
  package mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Lamp else { return }
    (state, start) = (old.state, old.start)
  }

  /// The disc's square.
  package var extent: Rect? { Rect(center: center, size: Size(2 * radius, 2 * radius)) }

  /// Draws the disc, mixed with the background while it is dark.
  package func draw(into list: inout DisplayList, in context: DrawingContext) {
    let lit = color.color(in: context.theme).over(context.background)
    let fill = isLit(at: context.now) ? lit : lit.mixed(with: context.background, 0.75)
    list.add(
      .disc(center: center, radius: radius),
      context.isEnabled ? fill : fill.disabled(on: context.background))
  }
}
