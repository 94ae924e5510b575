// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
internal import LinuxIO
package import RoundelMotion
package import RoundelPresentation

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
