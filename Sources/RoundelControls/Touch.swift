// SPDX-License-Identifier: MIT

public import RoundelGeometry
public import RoundelMotion

/// A touch of a finger, whose number is the same from touch-down until it is lifted or cancelled.
public struct Touch: Hashable, Sendable {
  /// The phase of a touch.
  public enum Phase: Hashable, Sendable {
    case down, move, up
    /// Ended without being lifted, for example because the device was unplugged. Nothing is chosen.
    case cancel
  }

  /// The number of the finger.
  public var finger: Int
  /// The phase of the touch.
  public var phase: Phase
  /// The position in design pixels. For `up` and `cancel`, the last known position.
  public var position: Point
  /// The device's timestamp, from which velocities are computed, or nil for the time of handling.
  public var time: Instant?

  /// Creates a touch in design pixels.
  public init(finger: Int, phase: Phase, position: Point, time: Instant? = nil) {
    self.finger = finger
    self.phase = phase
    self.position = position
    self.time = time
  }
}

extension Touch {
  /// The maximum movement of a tap, in design pixels.
  static let slop = 8.0
  /// The maximum duration of a tap, in seconds.
  static let tapDuration = 0.3
}

extension Point {
  var isFinite: Bool { x.isFinite && y.isFinite }
}
