// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

/// A touch of one finger. A number identifies a finger from its down to its up or cancel.
public struct Touch: Hashable, Sendable {
  /// A finger's state.
  public enum Phase: Hashable, Sendable {
    case down, move, up
    /// The touch ended without being lifted: the device was unplugged, or something else has taken over
    /// the finger. Nothing is chosen.
    case cancel
  }

  /// The number of the finger.
  public var finger: Int
  /// Its phase.
  public var phase: Phase
  /// The position in design pixels; for `up` and `cancel` the last known one.
  public var position: Point
  /// When the device reported it; nil for the moment at which it is handled. A touch that is read late
  /// is handled late, but velocities are computed from the device's times.
  public var time: Instant?

  /// A touch in design pixels.
  public init(finger: Int, phase: Phase, position: Point, time: Instant? = nil) {
    self.finger = finger
    self.phase = phase
    self.position = position
    self.time = time
  }
}
