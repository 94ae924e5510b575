// SPDX-License-Identifier: MIT

internal import Glibc

/// The weights by which a sound is resampled to the mixer's rate: the ideal low-pass filter, which is a sine
/// over its angle, ended after some samples by a window (Smith, Digital Audio Resampling).
struct Kernel: Sendable {
  /// Samples before and after a moment that count for it.
  let reach: Int
  /// From the middle outwards.
  private let weights: [Float]

  /// Weights from one sample to the next. Between them a straight line is closer than 16 bits can say.
  private static let resolution = 512
  /// Zeros of the sine on each side before the window ends it.
  private static let zeroCrossings = 8

  /// A filter for sounds of a rate. It removes frequencies that the mixer's rate cannot hold: they would be
  /// heard as others.
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
