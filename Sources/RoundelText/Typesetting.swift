// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelExpressions

/// A face of a font, emboldened if its family has no bold one.
struct TypesetFace: Equatable {
  let face: FontFace
  let isEmboldened: Bool

  static func == (a: TypesetFace, b: TypesetFace) -> Bool {
    a.face === b.face && a.isEmboldened == b.isEmboldened
  }

  func glyph(_ index: UInt32) -> Glyph { face.glyph(at: index, emboldened: isEmboldened) }

  /// A combining mark keeps its width.
  func growth(ofAdvance advance: Double) -> Double {
    isEmboldened && advance > 0 ? face.emboldening : 0
  }

  var figureWidth: Double { face.figureWidth + (isEmboldened ? face.emboldening : 0) }
}

struct Typesetting {
  let fonts: FontLibrary
  let font: Font
  var tabularFigures = false
  /// The additional distance between characters in ems, negative for closer ones.
  let tracking: Double

  /// - Parameter size: The maximum em size, in design pixels.
  init(fonts: FontLibrary, font: Font, size: Double, tabularFigures: Bool = false) {
    self.fonts = fonts
    self.font = font
    self.tabularFigures = tabularFigures
    tracking = font.families.first == "Inter" && size >= Self.displaySize ? Self.displayTracking : 0
  }

  /// The minimum size for closer Inter. Its designers recommend −0.0223 + 0.185·e^(−0.1745·size)
  /// ems, almost constant at larger sizes.
  private static let displaySize = 48.0
  private static let displayTracking = -0.022

  /// Inter covers the scripts before Hebrew. Others come from other fonts, and are not changed.
  func tracking(after letter: Unicode.Scalar) -> Double { letter.value < 0x590 ? tracking : 0 }

  /// A paragraph's scalars to set, with their fonts, or nil.
  func letters(of paragraph: Substring) -> (letters: [Unicode.Scalar], faces: [TypesetFace?]) {
    var letters: [Unicode.Scalar] = []
    var faces: [TypesetFace?] = []
    let listed = fonts.faces(of: font)
    var previous: TypesetFace?
    var icon = ""
    for character in paragraph {
      let scalars = character.unicodeScalars
      if let first = scalars.first, IconText.isPart(first) {
        if let letter = IconText.letter(first) {
          icon.unicodeScalars.append(letter)
          continue
        }
        if let (symbol, face) = fonts.icon(named: icon) {
          letters.append(symbol)
          faces.append(face)
        } else {
          // Without the icon font, its name is the best description.
          for letter in icon.unicodeScalars {
            letters.append(letter)
            faces.append(fonts.face(for: [letter], in: font, among: listed))
          }
        }
        icon = ""
        continue
      }
      // A control character is a separate cluster (UAX #29).
      if scalars.first?.isControl ?? true { continue }
      let face =
        scalars.allSatisfy(\.isSetByAnyFont) && previous != nil
        ? previous : fonts.face(for: scalars, in: font, among: listed)
      for scalar in scalars {
        // Wide and narrow spaces are rare in fonts.
        let isMissingSpace =
          scalar.isSpace && face?.face.glyphIndex(of: scalar) == nil
        letters.append(isMissingSpace && scalar.isBreakable ? " " : scalar)
        faces.append(face)
      }
      // An emoji is as wide as two letters, and so is the space in its font.
      if face?.face.isColored != true { previous = face }
    }
    return (letters, faces)
  }

  func shape(
    _ run: ShapingRun, of letters: [UInt32], in face: TypesetFace
  ) -> [ShapedGlyph] {
    let glyphs = face.face.shaping.shape(run, of: letters, in: fonts.shapingBuffer)
    guard fonts.isIconFace(face.face) else { return glyphs }
    return glyphs.map { glyph in
      var glyph = glyph
      glyph.offset.y -= Self.iconDepth
      return glyph
    }
  }

  /// The distance of icons below the baseline in ems, so that they are centred on capitals.
  private static let iconDepth = 0.14

  var hyphenWidth: Double {
    let hyphen = ShapedText(ShapedText.Ending.hyphen.rawValue, self)
    return hyphen.width(hyphen.clusters.indices)
  }

  var ellipsisWidth: Double {
    let ellipsis = ShapedText(ShapedText.Ending.ellipsis.rawValue, self)
    return ellipsis.width(ellipsis.clusters.indices)
  }
}

extension Unicode.Scalar {
  /// Unicode's tables are slow, so ASCII doesn't use them.
  var isSpace: Bool {
    isASCII ? self == " " || (0x9...0xd).contains(value) : properties.isWhitespace
  }

  /// Whether the scalar is a control character without any effect on shaping, and not a space.
  fileprivate var isControl: Bool {
    isASCII
      ? (value < 0x20 || value == 0x7f) && !isSpace
      : properties.generalCategory == .control && !isSpace
  }

  fileprivate var isSetByAnyFont: Bool {
    isSpace || !isASCII && properties.isDefaultIgnorableCodePoint
  }
}
