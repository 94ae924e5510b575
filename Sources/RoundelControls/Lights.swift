// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// The blinks of chosen items. Their ends confirm the choice.
struct Lights: Hashable, Sendable {
  private struct Light: Hashable {
    var item: Int
    var blink: Blink
    /// The light may still be fading.
    var hasEnded = false
  }
  private var lights: [Light] = []

  mutating func add(_ item: Int, _ pattern: Blink.Pattern, at now: Instant) {
    lights.append(Light(item: item, blink: Blink(start: now, pattern: pattern)))
  }

  /// Returns the blinks that have ended since the last call, in the order they ended.
  mutating func takeEnded(by now: Instant) -> [(item: Int, time: Instant)] {
    // While a light fades, nothing is written, because a write would copy the lights.
    if lights.contains(where: { $0.hasEnded && $0.blink.fadeEnd <= now }) {
      lights.removeAll { $0.hasEnded && $0.blink.fadeEnd <= now }
    }
    guard lights.contains(where: { !$0.hasEnded && $0.blink.end <= now }) else { return [] }
    let ended = lights.enumerated().filter { !$0.element.hasEnded && $0.element.blink.end <= now }
      .sorted { ($0.element.blink.end, $0.offset) < ($1.element.blink.end, $1.offset) }
    for index in lights.indices where lights[index].blink.end <= now {
      lights[index].hasEnded = true
    }
    lights.removeAll { $0.hasEnded && $0.blink.fadeEnd <= now }
    return ended.map { ($0.element.item, $0.element.blink.end) }
  }

  func isLit(_ item: Int, at now: Instant) -> Bool {
    lights.contains { $0.item == item && $0.blink.isLit(at: now) }
  }

  /// The brightness, from 0 to 1. An ended light doesn't fade into the pauses of another.
  func brightness(_ item: Int, at now: Instant) -> Double {
    if isLit(item, at: now) { return 1 }
    var most = 0.0
    for light in lights where light.item == item {
      guard light.blink.end <= now else { return 0 }
      most = max(most, light.blink.brightness(at: now))
    }
    return most
  }

  func areFading(at now: Instant) -> Bool { lights.contains { $0.blink.isFading(at: now) } }

  func nextChange(after now: Instant) -> Instant? {
    lights.compactMap { $0.blink.nextChange(after: now) }.min()
  }

  mutating func removeAll() { lights = [] }

  /// The lights of removed items go out.
  func moved(_ successor: (Int) -> Int?) -> Lights {
    var moved = self
    moved.lights = lights.compactMap { light in
      successor(light.item).map { Light(item: $0, blink: light.blink, hasEnded: light.hasEnded) }
    }
    return moved
  }
}

/// A control whose chosen items blink until they are confirmed.
protocol BlinkingControl: KeyedControl {
  var lights: Lights { get set }
  var blink: Blink.Pattern { get }
  func event(_ name: String, _ item: Int, at now: Instant) -> ControlEvent
}

extension BlinkingControl {
  mutating func light(_ item: Int, at now: Instant, events: inout [ControlEvent]) {
    events.append(event("selected", item, at: now))
    lights.add(item, blink, at: now)
    advance(to: now, events: &events)
  }

  /// Reports `confirmed` for each blink that ends.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    for (item, time) in lights.takeEnded(by: now) {
      events.append(event("confirmed", item, at: time))
    }
  }

  /// The time when a light next changes.
  public func nextChange(after now: Instant) -> Instant? { lights.nextChange(after: now) }

  /// Whether a light fades.
  public func isMoving(at now: Instant) -> Bool { lights.areFading(at: now) }

  /// Releases all fingers, and turns lights off without `confirmed`.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
    lights.removeAll()
  }
}
