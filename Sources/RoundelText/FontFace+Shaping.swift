// SPDX-License-Identifier: MIT

internal import CRoundelHarfBuzz

/// A glyph of shaped text, in ems.
struct ShapedGlyph {
  var index: UInt32
  /// The index of the first scalar of its cluster.
  var letter: Int
  var advance: Double
  /// From its origin, to the right and upwards.
  var offset: (x: Double, y: Double)
  /// Whether a line break before this glyph would change the shaping on either side.
  var isUnsafeToBreak: Bool
}

/// Scalars of one script, language, direction and font.
struct ShapingRun {
  var letters: Range<Int>
  var isRightToLeft: Bool
  var script: hb_script_t
  /// A language such as `de` or `zh-TW`, or an empty string if unknown.
  var language: String
  var tabularFigures: Bool
}

// Safe: `init` creates the handle, `deinit` destroys it, and calls don't keep it.
@safe final class ShapingBuffer {
  let handle: OpaquePointer

  init() {
    unsafe handle = hb_buffer_create()
  }

  deinit {
    unsafe hb_buffer_destroy(handle)
  }
}

/// A font as read by HarfBuzz, from bytes that must outlive it.
// Safe: as above.
@safe final class ShapingFont {
  private let handle: OpaquePointer
  private let unitsPerEm: Double

  /// - Parameter index: The face. The upper 16 bits may select an instance of a variable font,
  ///   counted from 1 like in FreeType.
  /// - Parameter weight: The weight of a variable font, or nil for other fonts.
  init(_ bytes: UnsafeBufferPointer<UInt8>, index: Int, weight: Int?, unitsPerEm: Int) {
    // From unreadable bytes, HarfBuzz creates an empty face without glyphs.
    let blob = unsafe hb_blob_create(
      UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
      UInt32(clamping: bytes.count), HB_MEMORY_MODE_READONLY, nil, nil)
    let face = unsafe hb_face_create(blob, UInt32(index & 0xffff))
    unsafe hb_blob_destroy(blob)
    unsafe handle = hb_font_create(face)
    unsafe hb_face_destroy(face)
    unsafe hb_font_set_scale(handle, Int32(clamping: unitsPerEm), Int32(clamping: unitsPerEm))
    if index >> 16 > 0 {
      unsafe hb_font_set_var_named_instance(handle, UInt32(index >> 16) - 1)
    }
    if let weight {
      var variation = hb_variation_t(tag: Self.tag("wght"), value: Float(weight))
      unsafe hb_font_set_variations(handle, &variation, 1)
    }
    self.unitsPerEm = Double(unitsPerEm)
  }

  deinit {
    unsafe hb_font_destroy(handle)
  }

  /// From left to right. `letters` is the whole paragraph, because neighbours may join the run.
  func shape(
    _ run: ShapingRun, of letters: [UInt32], in buffer: ShapingBuffer
  ) -> [ShapedGlyph] {
    let buffer = unsafe buffer.handle
    unsafe hb_buffer_clear_contents(buffer)
    // The run is inside the paragraph. The cluster of a scalar is its index in the paragraph.
    unsafe hb_buffer_add_utf32(
      buffer, letters, Int32(letters.count), UInt32(run.letters.lowerBound),
      Int32(run.letters.count))
    unsafe hb_buffer_set_direction(buffer, run.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    unsafe hb_buffer_set_script(buffer, run.script)
    if !run.language.isEmpty {
      unsafe hb_buffer_set_language(buffer, hb_language_from_string(run.language, -1))
    }
    let tabularFigures = Self.tag("tnum")
    let all = hb_feature_t(tag: tabularFigures, value: 1, start: 0, end: .max)
    let features = run.tabularFigures ? [all] : []
    unsafe hb_shape(handle, buffer, features, UInt32(features.count))
    var count: UInt32 = 0
    guard let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count),
      let places = unsafe hb_buffer_get_glyph_positions(buffer, nil)
    else { return [] }
    // Both arrays have `count` elements.
    return (0..<Int(count)).map { number in
      let (info, place) = unsafe (infos[number], places[number])
      return ShapedGlyph(
        index: info.codepoint, letter: Int(info.cluster),
        advance: Double(place.x_advance) / unitsPerEm,
        offset: (Double(place.x_offset) / unitsPerEm, Double(place.y_offset) / unitsPerEm),
        isUnsafeToBreak: info.mask & HB_GLYPH_FLAG_UNSAFE_TO_BREAK.rawValue != 0)
    }
  }

  private static func tag(_ name: String) -> UInt32 {
    name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
