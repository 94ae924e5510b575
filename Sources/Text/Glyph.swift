// SPDX-License-Identifier: MIT

internal import CFreeType

/// The unhinted outline of one glyph in font units, y upwards, remembered for every size and angle; or its
/// picture.
// Safe: the outline's memory is this object's own, never written after `init`.
@safe final class Glyph {
  let index: UInt32
  /// Ems from this glyph's origin to the next one's.
  let advance: Double
  let unitsPerEm: Double
  /// The least box around all points, control points included, in font units.
  let box: FT_BBox
  /// The picture that it shows in place of an outline, in colours of its own.
  let picture: ColorGlyph?
  private let outline: FT_Outline

  /// Copies the outline that FreeType has just loaded into a slot.
  init(
    index: UInt32, advance: Double, unitsPerEm: Double, copying source: FT_Outline,
    picture: ColorGlyph? = nil
  ) {
    self.picture = picture
    self.index = index
    self.advance = advance
    self.unitsPerEm = unitsPerEm
    // Each array of an outline holds as many values as its count says.
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

  /// How far its ink reaches above the baseline, in ems; nil where it has none.
  var ink: ClosedRange<Double>? {
    guard box.yMin < box.yMax else { return nil }
    return Double(box.yMin) / unitsPerEm...Double(box.yMax) / unitsPerEm
  }

  var pointCount: Int { unsafe Int(outline.n_points) }

  func point(_ number: Int) -> FT_Vector {
    precondition((0..<pointCount).contains(number), "no such point")
    // In bounds by the line above.
    return unsafe outline.points[number]
  }

  /// Lends the outline with its points replaced by `points`, one for each of its own.
  func withOutline(
    _ points: UnsafeMutableBufferPointer<FT_Vector>, _ body: (inout FT_Outline) -> Void
  ) {
    precondition(points.count == pointCount, "one point for each")
    var moved = unsafe outline
    unsafe moved.points = points.baseAddress
    unsafe body(&moved)
  }
}
