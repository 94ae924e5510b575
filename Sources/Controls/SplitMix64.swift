// SPDX-License-Identifier: MIT

/// A pseudorandom number generator with the same sequence for the same seed on every machine.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// A generator that repeats its sequence for the same `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A uniformly distributed number from 0 up to 1, without 1, of 53 bits.
  mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A uniformly distributed number, 0 ..< `count`; `count` is at least 1.
  ///
  /// The standard library does not guarantee the same sequence in each version.
  public mutating func index(below count: Int) -> Int {
    let count = UInt64(count)
    // The lowest 2⁶⁴ mod count numbers are rejected, for they would occur once too often.
    let surplus = (0 &- count) % count
    while true {
      let number = next()
      if number >= surplus { return Int(number % count) }
    }
  }
}
