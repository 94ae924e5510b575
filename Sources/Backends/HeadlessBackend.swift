// SPDX-License-Identifier: MIT

package import Geometry
internal import LinuxIO
package import Presentation

/// Memory in place of a panel, and no fingers.
package final class HeadlessBackend: Backend {
  package let display: any Display
  package let fixedRotation: Rotation?

  /// A panel of `size` pixels.
  package init(size: PixelSize, rotation: Rotation, fixedRotation: Rotation? = nil) {
    self.fixedRotation = fixedRotation
    display = HeadlessDisplay(
      size: size, rotation: rotation, lookedAt: false, clock: { MonotonicClock.now })
  }
}
