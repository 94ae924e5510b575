// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

/// A touch of a finger, whose number is the same from touch-down until it is lifted or cancelled.
public struct Touch: Hashable, Sendable {
  /// The phase of a touch.
  public enum Phase: Hashable, Sendable {
    case down, move, up
    /// Ended without being lifted, because the device was unplugged or something else took over the
    /// finger. Nothing is chosen.
    case cancel
  }

  /// The number of the finger.
  public var finger: Int
  /// The phase of the touch.
  public var phase: Phase
  /// The position in design pixels. For `up` and `cancel`, the last known position.
  public var position: Point
  /// The device's timestamp, or nil for the time of handling. Velocities are computed from
  /// timestamps, because a touch may be read late.
  public var time: Instant?

  /// Creates a touch in design pixels.
  public init(finger: Int, phase: Phase, position: Point, time: Instant? = nil) {
    self.finger = finger
    self.phase = phase
    self.position = position
    self.time = time
  }
}
