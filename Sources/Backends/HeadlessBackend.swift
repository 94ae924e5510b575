// SPDX-License-Identifier: MIT

package import Geometry
internal import LinuxIO
package import Motion
package import Presentation

/// Memory in place of a panel, and no fingers.
package final class HeadlessBackend: Backend {
  package let display: any Display
  package let fixedRotation: Rotation?

  /// A panel of `size` pixels, whose frames are shown at moments of `clock`.
  package init(
    size: PixelSize, rotation: Rotation, fixedRotation: Rotation? = nil,
    clock: @escaping () -> Timestamp = { MonotonicClock.now }
  ) {
    self.fixedRotation = fixedRotation
    display = HeadlessDisplay(size: size, rotation: rotation, lookedAt: false, clock: clock)
  }
}
