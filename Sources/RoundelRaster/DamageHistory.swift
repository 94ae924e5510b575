// SPDX-License-Identifier: MIT

internal import RoundelDrawing

/// The damage of the last frames, for updating memory with an older picture.
struct DamageHistory {
  private(set) var frame: Int
  /// The damage of frame `n` is at index `n % capacity`.
  private var damages = Array(repeating: Damage(), count: capacity)
  private var count = 0

  /// A slow mirror takes every eighth frame, and its buffer may be two such frames old.
  private static let capacity = 32

  init(frame: Int) {
    self.frame = frame
    for place in damages.indices { damages[place].reserveCapacity() }
  }

  mutating func add(_ damage: Damage) {
    frame += 1
    let place = frame % Self.capacity
    damages[place].assign(damage)
    count = min(count + 1, Self.capacity)
  }

  /// Returns false if the differences since frame `old` are unknown.
  func add(since old: Int, to bands: inout DamageBands) -> Bool {
    guard old <= frame, frame - old <= count else { return false }
    for number in old..<frame { bands.add(damages[(number + 1) % Self.capacity]) }
    return true
  }
}
