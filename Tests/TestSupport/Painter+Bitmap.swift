// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelRaster
internal import RoundelText

extension Painter {
  /// Creates a picture that equals a bitmap, pixel by pixel.
  package convenience init(showing bitmap: Bitmap, under items: [DisplayItem] = []) {
    self.init(
      size: bitmap.size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
      images: ["bitmap": ImageFile(bitmap)])
    show(bitmap: bitmap.size, under: items)
  }

  /// Shows other items over a bitmap of that size.
  package func show(bitmap size: PixelSize, under items: [DisplayItem]) {
    let whole = Rect(size: Size(Double(size.width), Double(size.height)))
    let image = DisplayItem(.rect(whole), .image("bitmap", frame: whole))
    show(DisplayList(background: .black, items: [image] + items))
  }
}
