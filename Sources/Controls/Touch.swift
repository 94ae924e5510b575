// SPDX-License-Identifier: MIT

public import Geometry

/// What one finger did. Each device's fingers are numbered apart, so a number is one finger from its
/// down to its up or cancel.
public struct Touch: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    case down, move, up
    /// The finger was taken away: unplugged, or claimed by something else. Nothing is chosen.
    case cancel
  }

  public var finger: Int
  public var phase: Phase
  /// Where it is, in design pixels. For `up` and `cancel` the last place is good enough.
  public var position: Point

  public init(finger: Int, phase: Phase, position: Point) {
    self.finger = finger
    self.phase = phase
    self.position = position
  }
}
