// SPDX-License-Identifier: MIT

internal import Glibc

/// What each sample of a sound counts for at a moment between them, when the sound is played at another
/// rate than its own: a sine over its angle, the ideal low-pass filter, that a window lets end after
/// some samples (Smith, Digital Audio Resampling).
struct Kernel: Sendable {
  /// Samples before and after a moment that count for it.
  let reach: Int
  /// From the middle outwards.
  private let weights: [Float]

  /// Weights from one sample to the next. Between them a straight line is closer than 16 bits can say.
  private static let resolution = 512
  /// What the filter reaches where it lets all frequencies of the sound pass.
  private static let zeroCrossings = 8

  /// For a sound of that rate. What it has of frequencies that the mixer's rate cannot have is left
  /// out: they would be heard as others.
  init(rate: Int) {
    let cutoff = min(1, Double(Mixer.rate) / Double(rate))
    let width = Double(Self.zeroCrossings) / cutoff
    reach = Int(width.rounded(.up))
    weights = (0...reach * Self.resolution + 1).map { index in
      let distance = Double(index) / Double(Self.resolution)
      guard distance < width else { return 0 }
      let angle = Double.pi * distance * cutoff
      let sinc = angle == 0 ? 1 : sin(angle) / angle
      // Blackman's window.
      let turn = Double.pi * distance / width
      let window = 0.42 + 0.5 * cos(turn) + 0.08 * cos(2 * turn)
      return Float(cutoff * sinc * window)
    }
  }

  /// The weight of a sample at a distance of at most `reach`.
  func weight(at distance: Float) -> Float {
    let place = abs(distance) * Float(Self.resolution)
    let index = min(Int(place), weights.count - 2)
    let fraction = place - Float(index)
    return weights[index] + (weights[index + 1] - weights[index]) * fraction
  }
}
