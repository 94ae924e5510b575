// SPDX-License-Identifier: MIT

internal import Glibc

/// The weights for resampling a sound to the mixer's rate: the ideal low-pass filter, a sine divided by its
/// angle, which a window ends after some samples (Smith, Digital Audio Resampling).
struct Kernel: Sendable {
  /// The number of samples before and after a moment that contribute to it.
  let reach: Int
  /// From the middle outwards.
  private let weights: [Float]

  /// The number of weights per sample. Linear interpolation between them is more exact than 16 bits.
  private static let resolution = 512
  /// Zeros of the sine on each side before the window ends it.
  private static let zeroCrossings = 8

  /// A filter for sounds of a rate. It removes frequencies that are too high for the mixer's rate: they would be
  /// heard as other frequencies.
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
