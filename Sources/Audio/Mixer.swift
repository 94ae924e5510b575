// SPDX-License-Identifier: MIT

/// Sounds on top of each other, in stereo.
package struct Mixer: Sendable {
  /// Frames a second.
  package static let rate = 48_000
  /// The maximum number of sounds at a time; a further one replaces the one that began first.
  package static let maximumVoices = 8

  private var voices: [Voice] = []
  private var sums: [Int32] = []

  package init() {}

  /// Begins a sound at the next frame; `isSpoken` says whether it is speech.
  package mutating func add(_ sound: Sound, isSpoken: Bool = false) {
    if voices.count == Self.maximumVoices { voices.removeFirst() }
    voices.append(Voice(sound, isSpoken: isSpoken))
  }

  /// Ends all speech.
  package mutating func hush() { voices.removeAll(where: \.isSpoken) }

  /// Fills `frames`, left and right in turn, with the next samples. Sums that are too loud are clipped. Returns
  /// how many frames there are before all sounds are over. O(n) in the frames of all sounds.
  package mutating func mix(into frames: inout [Int16]) -> Int {
    if sums.count == frames.count {
      for index in sums.indices { sums[index] = 0 }
    } else {
      sums = [Int32](repeating: 0, count: frames.count)
    }
    var count = 0
    for index in voices.indices { count = max(count, voices[index].add(to: &sums)) }
    voices.removeAll(where: \.isOver)
    for index in frames.indices { frames[index] = Int16(clamping: sums[index]) }
    return count
  }
}
