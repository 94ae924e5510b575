// SPDX-License-Identifier: MIT

internal import CRoundelFreeType
internal import CRoundelHarfBuzz

/// The FreeType library (`FT_Library`), alive as long as any of its faces.
// Safe: the handle is created in `init`, freed in `deinit`, and only passed to calls that don't
// keep it.
@safe final class FreeType {
  let handle: FT_Library

  init() {
    var made: FT_Library?
    _ = unsafe FT_Init_FreeType(&made)
    guard let made = unsafe made else { preconditionFailure("FreeType is out of memory") }
    unsafe handle = made
  }

  deinit {
    _ = unsafe FT_Done_FreeType(handle)
  }
}

/// A face as read by FreeType (`FT_Face`), alive as long as anything read from it.
// Safe: as above. The library and the bytes outlive it.
@safe final class FreeTypeFace {
  let handle: FT_Face
  let freeType: FreeType
  private let data: FontData

  init(_ freeType: FreeType, _ data: FontData, index: Int) throws(FontError) {
    let bytes = unsafe data.bytes
    guard !bytes.isEmpty else { throw .empty }
    guard index >= 0, index <= Int(Int32.max) else { throw .noFace(index: index) }
    var opened: FT_Face?
    let code = unsafe FT_New_Memory_Face(
      freeType.handle, bytes.baseAddress, bytes.count, index, &opened)
    guard code == 0, let handle = unsafe opened else {
      throw FontError(code: code, faceIndex: index)
    }
    self.freeType = freeType
    self.data = data
    unsafe self.handle = handle
  }

  deinit {
    _ = unsafe FT_Done_Face(handle)
  }
}

/// A face of a font file, with a cache of its glyphs.
// Safe: the handle lives as long as the file that owns it.
@safe final class FontFace {
  /// The height of a capital H, in ems.
  private(set) var capHeight = 0.7
  /// The distance between baselines in ems, as intended by the font's designer.
  let lineHeight: Double

  let hasVariableWeight: Bool
  let shaping: ShapingFont
  private let file: FreeTypeFace
  /// The images of a font without outlines.
  private let strike: ColorStrike?
  private let unitsPerEm: Double
  private var glyphs: [GlyphKey: Glyph] = [:]

  private struct GlyphKey: Hashable {
    var index: UInt32
    var isEmboldened: Bool
  }

  /// Text that cycles through Unicode must not fill the memory with outlines.
  private static let rememberedGlyphs = 4096

  /// - Parameter index: The upper 16 bits select an instance of a variable font, which then ignores
  ///   `weight`.
  init(_ freeType: FreeType, _ data: FontData, index: Int, weight: Int) throws(FontError) {
    file = try FreeTypeFace(freeType, data, index: index)
    let handle = unsafe file.handle
    let hasOutlines =
      unsafe handle.pointee.face_flags & FT_FACE_FLAG_SCALABLE != 0
      && handle.pointee.units_per_EM > 0
    strike = hasOutlines ? nil : ColorStrike(file)
    guard hasOutlines || strike != nil else { throw .noOutlines }
    unitsPerEm = unsafe strike?.unitsPerEm ?? Double(handle.pointee.units_per_EM)
    hasVariableWeight =
      unsafe index >> 16 == 0 && Self.setWeight(weight, of: handle, freeType)
    shaping = unsafe ShapingFont(
      data.bytes, index: index, weight: hasVariableWeight ? weight : nil,
      unitsPerEm: Int(unitsPerEm))
    let height = unsafe strike?.lineHeight ?? Double(handle.pointee.height) / unitsPerEm
    // Some fonts have a height of 0. The limits prevent a broken font from stacking its lines.
    lineHeight = min(max(height, 1), 3)
    if let capital = glyphIndex(of: "H") {
      let height = Double(glyph(at: capital, emboldened: false).box.yMax) / unitsPerEm
      if height > 0, height < 2 { capHeight = height }
    }
  }

  var isColored: Bool { strike != nil }

  /// Returns false if the font has no weight axis.
  private static func setWeight(_ weight: Int, of handle: FT_Face, _ freeType: FreeType) -> Bool {
    var variation: UnsafeMutablePointer<FT_MM_Var>?
    guard unsafe FT_Get_MM_Var(handle, &variation) == 0, let variation = unsafe variation else {
      return false
    }
    defer { _ = unsafe FT_Done_MM_Var(freeType.handle, variation) }
    // FreeType counted the axes.
    let axes = unsafe UnsafeBufferPointer(
      start: variation.pointee.axis, count: Int(variation.pointee.num_axis))
    let tag = "wght".utf8.reduce(0) { $0 << 8 | FT_ULong($1) }
    guard let place = unsafe axes.firstIndex(where: { unsafe $0.tag == tag }) else { return false }
    // Fixed-point numbers with 16 fractional bits.
    var coordinates = unsafe axes.map { unsafe $0.def }
    unsafe coordinates[place] = min(
      max(FT_Fixed(weight) << 16, axes[place].minimum), axes[place].maximum)
    return unsafe FT_Set_Var_Design_Coordinates(handle, FT_UInt(coordinates.count), &coordinates)
      == 0
  }

  func glyphIndex(of scalar: Unicode.Scalar) -> UInt32? {
    let index = unsafe FT_Get_Char_Index(file.handle, FT_ULong(scalar.value))
    return index == 0 ? nil : index
  }

  /// Returns a blank glyph if the font file is damaged. Glyph 0 is the box for missing characters.
  func glyph(at index: UInt32, emboldened isEmboldened: Bool) -> Glyph {
    let key = GlyphKey(index: index, isEmboldened: isEmboldened)
    if let known = glyphs[key] { return known }
    if glyphs.count >= Self.rememberedGlyphs { glyphs.removeAll() }
    let loaded = load(key)
    glyphs[key] = loaded
    return loaded
  }

  /// The additional width in ems: 1/24, like in FT_GlyphSlot_Embolden, in whole font units.
  var emboldening: Double { (unitsPerEm / 24).rounded() / unitsPerEm }

  /// The width of the widest digit, in ems.
  private(set) lazy var figureWidth: Double = {
    let figures = (UInt32(0x30)...0x39).map { $0 }
    let run = ShapingRun(
      letters: figures.indices, isRightToLeft: false, script: HB_SCRIPT_COMMON, language: "",
      tabularFigures: true)
    return shaping.shape(run, of: figures, in: ShapingBuffer()).map(\.advance).max() ?? 0
  }()

  /// The symbols by their names. Reads the font's tables, so it takes about a millisecond.
  private(set) lazy var icons: IconFont = {
    let handle = unsafe file.handle
    var scalars: [UInt32: Unicode.Scalar] = [:]
    var glyph: FT_UInt = 0
    var code = unsafe FT_Get_First_Char(handle, &glyph)
    while glyph != 0 {
      if let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) { scalars[glyph] = scalar }
      code = unsafe FT_Get_Next_Char(handle, code, &glyph)
    }
    let tag = "GSUB".utf8.reduce(0) { $0 << 8 | FT_ULong($1) }
    var length: FT_ULong = 0
    // The first call returns the length, and the second one writes at most that many bytes.
    guard unsafe FT_Load_Sfnt_Table(handle, tag, 0, nil, &length) == 0, length > 0,
      length <= Self.maximumTable
    else { return IconFont([], [:]) }
    var table = [UInt8](repeating: 0, count: Int(length))
    guard unsafe FT_Load_Sfnt_Table(handle, tag, 0, &table, &length) == 0 else {
      return IconFont([], [:])
    }
    return IconFont(table, scalars)
  }()

  /// The maximum size of a table of ligatures, in bytes.
  private static let maximumTable: FT_ULong = 4 << 20

  private func load(_ key: GlyphKey) -> Glyph {
    if let strike {
      let advance = strike.advance(of: key.index)
      return unsafe Glyph(
        index: key.index, advance: advance, unitsPerEm: unitsPerEm, copying: FT_Outline(),
        picture: strike.glyph(at: key.index))
    }
    let handle = unsafe file.handle
    guard unsafe FT_Load_Glyph(handle, key.index, FT_Int32(FT_LOAD_NO_SCALE)) == 0,
      let slot = unsafe handle.pointee.glyph,
      unsafe slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else {
      return unsafe Glyph(
        index: key.index, advance: 0, unitsPerEm: unitsPerEm, copying: FT_Outline())
    }
    var advance = unsafe Double(slot.pointee.metrics.horiAdvance)
    if key.isEmboldened {
      // FreeType grows the outline to the right and upwards. Moving it down by half keeps the
      // capitals centred.
      let weight = FT_Pos(emboldening * unitsPerEm)
      _ = unsafe FT_Outline_Embolden(&slot.pointee.outline, weight)
      unsafe FT_Outline_Translate(&slot.pointee.outline, 0, -weight / 2)
      // A combining mark keeps its width.
      if advance > 0 { advance += Double(weight) }
    }
    return unsafe Glyph(
      index: key.index, advance: advance / unitsPerEm, unitsPerEm: unitsPerEm,
      copying: slot.pointee.outline)
  }
}

extension FontError {
  fileprivate init(code: FT_Error, faceIndex: Int) {
    switch Int(code) {
    case FT_Err_Unknown_File_Format: self = .unknownFormat
    case FT_Err_Invalid_Argument where faceIndex > 0: self = .noFace(index: faceIndex)
    default: self = .damaged(code: Int(code))
    }
  }
}
