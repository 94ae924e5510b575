// SPDX-License-Identifier: MIT

/// Mixes sounds in stereo.
package struct Mixer: Sendable {
  /// Frames per second.
  package static let rate = 48_000
  /// A limit at which another sound replaces the oldest.
  package static let maximumVoices = 8

  private var voices: [Voice] = []
  private var sums: [Int32] = []

  package init() {}

  package mutating func add(_ sound: Sound, isSpoken: Bool = false) {
    if voices.count == Self.maximumVoices { voices.removeFirst() }
    voices.append(Voice(sound, isSpoken: isSpoken))
  }

  package mutating func stopSpeaking() { voices.removeAll(where: \.isSpoken) }

  /// Fills `frames` with interleaved, clipped stereo samples. Returns the frames until all sounds
  /// have ended. O(n) in the frames of all sounds.
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
