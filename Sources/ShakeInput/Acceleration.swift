// SPDX-License-Identifier: MIT

/// How a panel is accelerated along its three axes, in g. A panel at rest feels 1 g upwards.
public struct Acceleration: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}
