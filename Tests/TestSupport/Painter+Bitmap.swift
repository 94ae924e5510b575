// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Raster
internal import Text

extension Painter {
  /// A picture that is a bitmap, pixel by pixel.
  package convenience init(showing bitmap: Bitmap, under items: [DisplayItem] = []) {
    self.init(
      size: bitmap.size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
      images: ["bitmap": ImageFile(bitmap)])
    show(bitmap: bitmap.size, under: items)
  }

  /// Shows other items over the bitmap of that size.
  package func show(bitmap size: PixelSize, under items: [DisplayItem]) {
    let whole = Rect(size: Size(Double(size.width), Double(size.height)))
    let image = DisplayItem(.rect(whole), .image("bitmap", frame: whole))
    show(DisplayList(background: .black, items: [image] + items))
  }
}
