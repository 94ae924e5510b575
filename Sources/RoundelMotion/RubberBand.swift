// SPDX-License-Identifier: MIT

/// The displacement of an object pulled beyond its stop: less than the pull, and always below
/// `reach`.
///
/// b = (1 − 1/(cx/d + 1)) d for a pull of x, where d is the reach and c = 0.55 the initial ratio.
public struct RubberBand: Hashable, Sendable {
  /// The limit of the displacement, in the unit of the pull, above 0.
  public let reach: Double
  private let give = 0.55

  /// Creates a band.
  public init(reach: Double) {
    precondition(reach > 0, "a rubber band needs a reach")
    self.reach = reach
  }

  /// Returns the displacement for a pull, with the sign of the pull.
  public func stretch(for pull: Double) -> Double {
    let far = abs(pull) * give / reach
    let stretched = far.isFinite ? (1 - 1 / (far + 1)) * reach : reach
    return pull < 0 ? -stretched : stretched
  }

  /// Returns the pull for a displacement, clamped to 99.9 % of the reach, because no finite pull
  /// attains the reach itself.
  public func pull(for stretch: Double) -> Double {
    let part = min(abs(stretch) / reach, 0.999)
    let pull = reach / give * part / (1 - part)
    return stretch < 0 ? -pull : pull
  }
}
