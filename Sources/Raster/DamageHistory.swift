// SPDX-License-Identifier: MIT

internal import Drawing

/// The damage of a picture's last frames, by which memory that holds an older one is brought up to date.
struct DamageHistory {
  /// The number of the newest frame.
  private(set) var frame: Int
  /// The damage of frame `n` stands at `n % capacity`. The lists keep their memory.
  private var damages = Array(repeating: Damage(), count: capacity)
  /// How many of the newest frames are known.
  private var count = 0

  /// More than the frames between two of a slow mirror, which takes one of eight, and whose memory is as old as two.
  private static let capacity = 32

  /// - Parameter frame: the number of the first frame.
  init(frame: Int) {
    self.frame = frame
    for place in damages.indices { damages[place].reserveCapacity() }
  }

  /// The picture has changed.
  mutating func add(_ damage: Damage) {
    frame += 1
    let place = frame % Self.capacity
    damages[place].become(damage)
    count = min(count + 1, Self.capacity)
  }

  /// Adds to `bands` where frame `old` differs from the newest; false where that is not known.
  func add(since old: Int, to bands: inout DamageBands) -> Bool {
    guard old <= frame, frame - old <= count else { return false }
    for number in old..<frame { bands.add(damages[(number + 1) % Self.capacity]) }
    return true
  }
}
