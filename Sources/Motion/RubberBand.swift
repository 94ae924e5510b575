// SPDX-License-Identifier: MIT

/// The displacement of something pulled beyond its stop: less than the pull, and always below `reach`.
///
/// b = (1 − 1/(cx/d + 1)) d for a pull of x, with the reach d and the initial ratio c = 0.55.
public struct RubberBand: Hashable, Sendable {
  /// In the unit of the pull; above 0.
  public let reach: Double
  private let give = 0.55

  /// A band that stretches by less than `reach`, which is above 0.
  public init(reach: Double) {
    precondition(reach > 0, "a rubber band needs a reach")
    self.reach = reach
  }

  /// The displacement for a pull, with the sign of the pull.
  public func stretch(for pull: Double) -> Double {
    let far = abs(pull) * give / reach
    let stretched = far.isFinite ? (1 - 1 / (far + 1)) * reach : reach
    return pull < 0 ? -stretched : stretched
  }

  /// The pull for a displacement, the inverse of `stretch(for:)`. Displacements are clamped to 99.9 %
  /// of the reach, which no finite pull attains.
  public func pull(for stretch: Double) -> Double {
    let part = min(abs(stretch) / reach, 0.999)
    let pull = reach / give * part / (1 - part)
    return stretch < 0 ? -pull : pull
  }
}
