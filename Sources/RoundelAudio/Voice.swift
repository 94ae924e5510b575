// SPDX-License-Identifier: MIT

/// A playing sound in stereo, at the mixer's rate.
struct Voice: Sendable {
  private let sound: Sound
  /// Whether this is speech, which may be interrupted.
  let isSpoken: Bool
  /// The filter, or nil if the sound has the mixer's rate.
  private let kernel: Kernel?
  /// Frames at the mixer's rate.
  private var position = 0
  /// Frames at the mixer's rate.
  private let frameCount: Int

  init(_ sound: Sound, isSpoken: Bool = false) {
    self.sound = sound
    self.isSpoken = isSpoken
    kernel = sound.rate == Mixer.rate ? nil : Kernel(rate: sound.rate)
    // At most a few minutes.
    frameCount = (sound.frameCount * Mixer.rate + sound.rate - 1) / sound.rate
  }

  var isOver: Bool { position >= frameCount }

  /// Returns the number of frames.
  mutating func add(to sums: inout [Int32]) -> Int {
    let count = min(sums.count / 2, frameCount - position)
    let right = sound.channels - 1
    for frame in 0..<count {
      sums[2 * frame] &+= sample(position + frame, 0)
      sums[2 * frame + 1] &+= sample(position + frame, right)
    }
    position += count
    return count
  }

  private func sample(_ frame: Int, _ channel: Int) -> Int32 {
    guard let kernel else { return Int32(sound.samples[frame * sound.channels + channel]) }
    let (before, rest) = (frame * sound.rate).quotientAndRemainder(dividingBy: Mixer.rate)
    let fraction = Float(rest) / Float(Mixer.rate)
    var sum: Float = 0
    // A sound is silent before its start and after its end.
    let reach = kernel.reach
    for source in max(0, before - reach + 1)..<max(0, min(sound.frameCount, before + reach + 1)) {
      sum +=
        kernel.weight(at: Float(source - before) - fraction)
        * Float(sound.samples[source * sound.channels + channel])
    }
    return Int32(sum.rounded())
  }
}
