// SPDX-License-Identifier: MIT

/// The acceleration of a panel in g. A panel at rest measures 1 g upwards.
package struct Acceleration: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}
