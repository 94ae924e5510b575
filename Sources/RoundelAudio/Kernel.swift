// SPDX-License-Identifier: MIT

internal import Glibc

/// The weights for resampling: a windowed sinc function (Smith, Digital Audio Resampling).
struct Kernel: Sendable {
  /// The number of contributing samples on each side.
  let reach: Int
  /// The weights from the centre outwards.
  private let weights: [Float]

  /// Weights per sample. Linear interpolation between them is more accurate than 16 bits.
  private static let resolution = 512
  /// Zero crossings of the sinc function on each side before the window ends.
  private static let zeroCrossings = 8

  /// Removes frequencies that would cause aliasing at the mixer's rate.
  init(rate: Int) {
    let cutoff = min(1, Double(Mixer.rate) / Double(rate))
    let width = Double(Self.zeroCrossings) / cutoff
    reach = Int(width.rounded(.up))
    weights = (0...reach * Self.resolution + 1).map { index in
      let distance = Double(index) / Double(Self.resolution)
      guard distance < width else { return 0 }
      let angle = Double.pi * distance * cutoff
      let sinc = angle == 0 ? 1 : sin(angle) / angle
      // The Blackman window.
      let turn = Double.pi * distance / width
      let window = 0.42 + 0.5 * cos(turn) + 0.08 * cos(2 * turn)
      return Float(cutoff * sinc * window)
    }
  }

  /// The distance is at most `reach`.
  func weight(at distance: Float) -> Float {
    let place = abs(distance) * Float(Self.resolution)
    let index = min(Int(place), weights.count - 2)
    let fraction = place - Float(index)
    return weights[index] + (weights[index + 1] - weights[index]) * fraction
  }
}
