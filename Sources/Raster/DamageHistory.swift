// SPDX-License-Identifier: MIT

internal import Drawing

/// The damage of a picture's last frames, used to update memory that contains an older one.
struct DamageHistory {
  /// The number of the newest frame.
  private(set) var frame: Int
  /// The damage of frame `n`, at index `n % capacity`. The lists keep their memory.
  private var damages = Array(repeating: Damage(), count: capacity)
  /// The number of known frames.
  private var count = 0

  /// A slow mirror takes every eighth frame, and its buffer may be two such frames old.
  private static let capacity = 32

  /// - Parameter frame: The number of the first frame.
  init(frame: Int) {
    self.frame = frame
    for place in damages.indices { damages[place].reserveCapacity() }
  }

  /// Adds a frame with its damage.
  mutating func add(_ damage: Damage) {
    frame += 1
    let place = frame % Self.capacity
    damages[place].assign(damage)
    count = min(count + 1, Self.capacity)
  }

  /// Adds the differences between frame `old` and the newest one to `bands`. Returns false if they are unknown.
  func add(since old: Int, to bands: inout DamageBands) -> Bool {
    guard old <= frame, frame - old <= count else { return false }
    for number in old..<frame { bands.add(damages[(number + 1) % Self.capacity]) }
    return true
  }
}
