// SPDX-License-Identifier: MIT

internal import Motion

/// What was chosen on a control, each lit by a blink of its own until that is over: then the choice is
/// confirmed.
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

  /// The items whose blinks were over by `now`, in the order in which they ended. They are forgotten.
  mutating func takeEnded(by now: Instant) -> [(item: Int, time: Instant)] {
    let ended = lights.enumerated().filter { $0.element.blink.end <= now }
      .sorted { ($0.element.blink.end, $0.offset) < ($1.element.blink.end, $1.offset) }
    guard !ended.isEmpty else { return [] }
    lights.removeAll { $0.blink.end <= now }
    return ended.map { ($0.element.item, $0.element.blink.end) }
  }

  /// The items that are lit at `now`.
  func lit(at now: Instant) -> Set<Int> {
    Set(lights.filter { $0.blink.isLit(at: now) }.map(\.item))
  }

  /// The next moment at which something of it changes.
  func nextChange(after now: Instant) -> Instant? {
    lights.compactMap { $0.blink.nextChange(after: now) }.min()
  }

  mutating func removeAll() { lights = [] }

  /// The same lights on items whose indices are others. Those of items that are gone go out.
  func moved(_ successor: (Int) -> Int?) -> Lights {
    var moved = self
    moved.lights = lights.compactMap { light in
      successor(light.item).map { Light(item: $0, blink: light.blink) }
    }
    return moved
  }
}
