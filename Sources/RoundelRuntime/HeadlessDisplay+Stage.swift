// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
internal import RoundelMotion
package import RoundelPresentation

extension HeadlessDisplay {
  /// A panel for a stage. The default of `size` is the kiosk's design size.
  package convenience init(
    of content: Content, size: PixelSize?, rotation: Rotation?, depth: ColorDepth? = nil
  ) {
    let rotation = content.rotation(rotation)
    self.init(
      size: size ?? content.designPanel(rotation), rotation: rotation,
      depth: content.depth(depth), refreshInterval: 0, clock: { .zero })
  }
}

extension Stage {
  package func show(on display: HeadlessDisplay) throws(DisplayError) {
    _ = try display.present(picture(display.canvasSize))
  }
}
