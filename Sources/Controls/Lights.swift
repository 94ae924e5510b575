// SPDX-License-Identifier: MIT

internal import Motion

/// The blinks of chosen items. A choice is confirmed when its blink ends.
struct Lights: Hashable, Sendable {
  private struct Light: Hashable {
    var item: Int
    var blink: Blink
  }
  private var lights: [Light] = []

  /// Lights `item` up.
  mutating func add(_ item: Int, _ pattern: Blink.Pattern, at now: Instant) {
    lights.append(Light(item: item, blink: Blink(start: now, pattern: pattern)))
  }

  /// Removes and returns the items whose blinks have ended by `now`, in the order of their ends.
  mutating func takeEnded(by now: Instant) -> [(item: Int, time: Instant)] {
    let ended = lights.enumerated().filter { $0.element.blink.end <= now }
      .sorted { ($0.element.blink.end, $0.offset) < ($1.element.blink.end, $1.offset) }
    guard !ended.isEmpty else { return [] }
    lights.removeAll { $0.blink.end <= now }
    return ended.map { ($0.element.item, $0.element.blink.end) }
  }

  /// Whether an item is lit at `now`.
  func isLit(_ item: Int, at now: Instant) -> Bool {
    lights.contains { $0.item == item && $0.blink.isLit(at: now) }
  }

  /// The next moment at which a light changes.
  func nextChange(after now: Instant) -> Instant? {
    lights.compactMap { $0.blink.nextChange(after: now) }.min()
  }

  mutating func removeAll() { lights = [] }

  /// The lights with other item indices. Those of removed items go out.
  func moved(_ successor: (Int) -> Int?) -> Lights {
    var moved = self
    moved.lights = lights.compactMap { light in
      successor(light.item).map { Light(item: $0, blink: light.blink) }
    }
    return moved
  }
}
