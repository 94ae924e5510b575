// SPDX-License-Identifier: MIT

internal import Glibc

/// A recorded sound with one or two channels.
package struct Sound: Hashable, Sendable {
  /// Frames per second.
  package let rate: Int
  /// The number of channels: 1 (mono) or 2 (stereo).
  package let channels: Int
  /// The samples, frame by frame.
  package let samples: [Int16]

  /// `rate` must be in `Sound.rates`.
  package init(rate: Int, channels: Int, samples: [Int16]) {
    precondition(Self.rates.contains(rate), "the rate is not supported")
    precondition(channels == 1 || channels == 2, "a sound must have one or two channels")
    precondition(
      samples.count.isMultiple(of: channels), "each frame must have a sample per channel")
    self.rate = rate
    self.channels = channels
    self.samples = samples
  }

  package var frameCount: Int { samples.count / channels }

  package var seconds: Double { Double(frameCount) / Double(rate) }

  /// The size in bytes.
  package var cost: Int { samples.count * MemoryLayout<Int16>.stride }

  /// Clips samples that are too loud.
  package func amplified(by gain: Double) -> Sound {
    guard gain != 1 else { return self }
    return Sound(
      rate: rate, channels: channels,
      samples: samples.map { Int16(clamping: Int((Double($0) * gain).rounded())) })
  }

  /// A short tone, played instead of a secret character.
  package static func tone(gain: Double) -> Sound {
    let (rate, seconds, pitch) = (24_000, 0.12, 880.0)
    let count = Int(Double(rate) * seconds)
    let samples = (0..<count).map { index -> Int16 in
      let time = Double(index) / Double(rate)
      // A soft attack and decay prevent clicks.
      let edge = min(1, 100 * min(time, seconds - time))
      return Int16(clamping: Int(9_000 * gain * edge * sin(2 * .pi * pitch * time)))
    }
    return Sound(rate: rate, channels: 1, samples: samples)
  }

  /// The supported rates, from telephony to studio quality.
  package static let rates = 1_000...192_000
}

/// An error for a file that can't be played as a sound.
package enum SoundError: Error, Hashable, Sendable, CustomStringConvertible {
  case notWAV
  /// The string names the part being read.
  case truncated(String)
  case damaged(reason: String)
  /// `format` is the registered format number.
  case compressed(format: Int)
  case depth(bits: Int, isFloat: Bool)
  case channels(Int)
  case rate(Int)
  case silent

  package var description: String {
    switch self {
    case .notWAV: "it is not a WAV file"
    case .truncated(let part): "the file is truncated in its \(part)"
    case .damaged(let reason): "the file is damaged: \(reason)"
    case .compressed(let format):
      "its samples are compressed (format 0x\(String(format, radix: 16))); save it as PCM"
    case .depth(let bits, let isFloat):
      isFloat
        ? "its samples are floating-point numbers of \(bits) bits, not 32 or 64"
        : "its samples have \(bits) bits, not 8, 16, 24 or 32"
    case .channels(let count): "it has \(count) channels, not one or two"
    case .rate(let rate):
      """
      it has \(rate) samples per second, not \(Sound.rates.lowerBound) to \(Sound.rates.upperBound)
      """
    case .silent: "it has no samples"
    }
  }
}
