// SPDX-License-Identifier: MIT

/// How something gives that is pulled beyond its stop: less and less, and never farther than `reach`.
///
/// b = (1 − 1/(cx/d + 1)) d for a pull of x, with the reach d and c = 0.55 the part of the pull that
/// it follows at first.
public struct RubberBand: Hashable, Sendable {
  /// In the unit of the pull; above 0.
  public let reach: Double
  private let give = 0.55

  /// A band that stretches by less than `reach`, which is above 0.
  public init(reach: Double) {
    precondition(reach > 0, "a rubber band gives")
    self.reach = reach
  }

  /// How far it has given for a pull of either sign.
  public func stretch(for pull: Double) -> Double {
    let far = abs(pull) * give / reach
    let stretched = far.isFinite ? (1 - 1 / (far + 1)) * reach : reach
    return pull < 0 ? -stretched : stretched
  }

  /// The pull that stretches it so far. Nothing stretches it to its reach; that counts as almost.
  public func pull(for stretch: Double) -> Double {
    let part = min(abs(stretch) / reach, 0.999)
    let pull = reach / give * part / (1 - part)
    return stretch < 0 ? -pull : pull
  }
}
