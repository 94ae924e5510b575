// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

/// What one finger did. Each device's fingers are numbered apart, so a number is one finger from its
/// down to its up or cancel.
public struct Touch: Hashable, Sendable {
  /// A finger's state.
  public enum Phase: Hashable, Sendable {
    case down, move, up
    /// The finger was taken away: unplugged, or claimed by something else. Nothing is chosen.
    case cancel
  }

  /// The number of the finger.
  public var finger: Int
  /// What it did.
  public var phase: Phase
  /// Where it is, in design pixels. For `up` and `cancel` the last place is good enough.
  public var position: Point
  /// When the device reported it; nil for the moment at which it is handled. A touch that was read
  /// late is handled after its time, but how fast the finger moved is a matter of the device's times.
  public var time: Instant?

  /// A touch in design pixels.
  public init(finger: Int, phase: Phase, position: Point, time: Instant? = nil) {
    self.finger = finger
    self.phase = phase
    self.position = position
    self.time = time
  }
}
