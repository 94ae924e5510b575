// SPDX-License-Identifier: MIT

/// A pseudorandom number generator that produces the same sequence for a seed on every machine.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Returns a number from 0 up to but excluding 1, with 53 random bits.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a uniformly distributed number in 0 ..< `count`. `count` must be at least 1.
  ///
  /// Unlike `Int.random(in:)`, independent of the version of the standard library.
  public mutating func index(below count: Int) -> Int {
    let count = UInt64(count)
    // Reject the lowest 2⁶⁴ mod count numbers, which would make some results more likely.
    let surplus = (0 &- count) % count
    while true {
      let number = next()
      if number >= surplus { return Int(number % count) }
    }
  }
}
