// SPDX-License-Identifier: MIT

internal import CRoundelFreeType

/// The unhinted outline of a glyph in font units, y upwards, cached for all sizes and angles, or
/// its image.
// Safe: this object owns the outline's memory, which isn't written after `init`.
@safe final class Glyph {
  let index: UInt32
  /// The distance from this glyph's origin to the next one's, in ems.
  let advance: Double
  let unitsPerEm: Double
  /// The bounding box of all points, including control points.
  let box: FT_BBox
  /// Displayed instead of an outline.
  let picture: ColorGlyph?
  private let outline: FT_Outline

  /// Copies the outline in FreeType's slot.
  init(
    index: UInt32, advance: Double, unitsPerEm: Double, copying source: FT_Outline,
    picture: ColorGlyph? = nil
  ) {
    self.picture = picture
    self.index = index
    self.advance = advance
    self.unitsPerEm = unitsPerEm
    // Each array of an outline has as many values as its count says.
    func copy<Value>(_ values: UnsafeMutablePointer<Value>?, _ count: Int)
      -> UnsafeMutablePointer<Value>?
    {
      guard let values = unsafe values, count > 0 else { return nil }
      let copied = UnsafeMutablePointer<Value>.allocate(capacity: count)
      unsafe copied.initialize(from: values, count: count)
      return unsafe copied
    }
    var outline = unsafe source
    unsafe outline.points = copy(source.points, Int(source.n_points))
    unsafe outline.tags = copy(source.tags, Int(source.n_points))
    unsafe outline.contours = copy(source.contours, Int(source.n_contours))
    var box = FT_BBox()
    unsafe FT_Outline_Get_CBox(&outline, &box)
    self.box = box
    unsafe self.outline = outline
  }

  deinit {
    unsafe outline.points?.deallocate()
    unsafe outline.tags?.deallocate()
    unsafe outline.contours?.deallocate()
  }

  /// The vertical extent of the outline above the baseline, in ems, or nil if it is empty.
  var ink: ClosedRange<Double>? {
    guard box.yMin < box.yMax else { return nil }
    return Double(box.yMin) / unitsPerEm...Double(box.yMax) / unitsPerEm
  }

  var pointCount: Int { unsafe Int(outline.n_points) }

  func point(_ number: Int) -> FT_Vector {
    precondition((0..<pointCount).contains(number), "no such point")
    // In bounds: checked by the precondition.
    return unsafe outline.points[number]
  }

  /// Calls `body` with the outline, its points replaced by `points`.
  func withOutline(
    _ points: UnsafeMutableBufferPointer<FT_Vector>, _ body: (inout FT_Outline) -> Void
  ) {
    precondition(points.count == pointCount, "the number of points must not change")
    var moved = unsafe outline
    unsafe moved.points = points.baseAddress
    unsafe body(&moved)
  }
}
