// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
internal import LinuxIO
package import Motion
package import Presentation

package final class HeadlessBackend: Backend {
  package let display: any Display
  package let fixedRotation: Rotation?
  package let fixedDepth: ColorDepth?

  package init(
    size: PixelSize, rotation: Rotation, fixedRotation: Rotation? = nil,
    depth: ColorDepth? = nil, fixedDepth: ColorDepth? = nil,
    clock: @escaping () -> Timestamp = { MonotonicClock.now }
  ) {
    self.fixedRotation = fixedRotation
    self.fixedDepth = fixedDepth
    display = HeadlessDisplay(
      size: size, rotation: rotation, depth: depth, storesPixels: false, clock: clock)
  }
}
