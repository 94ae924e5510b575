// SPDX-License-Identifier: MIT

internal import Drawing

/// A face of a font, made bold where its family has no bold one.
struct TypesetFace: Equatable {
  let face: FontFace
  let isEmboldened: Bool

  static func == (a: TypesetFace, b: TypesetFace) -> Bool {
    a.face === b.face && a.isEmboldened == b.isEmboldened
  }

  func glyph(_ index: UInt32) -> Glyph { face.glyph(at: index, emboldened: isEmboldened) }

  /// How much an advance grows by emboldening. A combining mark stays as narrow as it is.
  func growth(ofAdvance advance: Double) -> Double {
    isEmboldened && advance > 0 ? face.emboldening : 0
  }

  /// The width of a figure's column.
  var figureWidth: Double { face.figureWidth + (isEmboldened ? face.emboldening : 0) }
}

/// The fonts with which texts are shaped, their language, and how figures stand.
struct Typesetting {
  let fonts: FontLibrary
  let font: Font
  var tabularFigures = false
  /// How much farther apart letters stand, in ems; negative for closer.
  let tracking: Double

  /// A setting of texts whose em is `size` design pixels at most.
  init(fonts: FontLibrary, font: Font, size: Double, tabularFigures: Bool = false) {
    self.fonts = fonts
    self.font = font
    self.tabularFigures = tabularFigures
    tracking = font.families.first == "Inter" && size >= Self.displaySize ? Self.displayTracking : 0
  }

  /// The size from which Inter is set closer, as its makers advise: −0.0223 + 0.185·e^(−0.1745·size) ems,
  /// which no longer changes from here on.
  private static let displaySize = 48.0
  private static let displayTracking = -0.022

  /// How much farther apart than in the font a letter stands from the next. Inter has the scripts before
  /// Hebrew; those of other fonts are left as they are.
  func tracking(after letter: Unicode.Scalar) -> Double { letter.value < 0x590 ? tracking : 0 }

  /// The letters of a paragraph that are set, and the font of each; nil where there is none at all.
  func letters(of paragraph: Substring) -> (letters: [Unicode.Scalar], faces: [TypesetFace?]) {
    var letters: [Unicode.Scalar] = []
    var faces: [TypesetFace?] = []
    let listed = fonts.faces(of: font)
    var previous: TypesetFace?
    for character in paragraph {
      let scalars = character.unicodeScalars
      // A control stands alone (UAX #29).
      if scalars.first?.isControl ?? true { continue }
      let face =
        scalars.allSatisfy(\.isSetByAnyFont) && previous != nil
        ? previous : fonts.face(for: scalars, in: font, among: listed)
      for scalar in scalars {
        // Fonts rarely have the wider and narrower spaces.
        let isMissingSpace =
          scalar.isSpace && face?.face.glyphIndex(of: scalar) == nil
        letters.append(isMissingSpace && scalar.isBreakable ? " " : scalar)
        faces.append(face)
      }
      // An emoji is as wide as two letters, and its font's space as wide as an emoji.
      if face?.face.isColored != true { previous = face }
    }
    return (letters, faces)
  }

  func shape(
    _ run: ShapingRun, of letters: [UInt32], in face: TypesetFace
  ) -> [ShapedGlyph] {
    face.face.shaping.shape(run, of: letters, in: fonts.shapingBuffer)
  }

  /// The width of the hyphen that stands where a line ends at a soft one.
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
  /// Whether it is white space. Unicode's tables take long to ask, so ASCII, which most texts are, does not.
  var isSpace: Bool {
    isASCII ? self == " " || (0x9...0xd).contains(value) : properties.isWhitespace
  }

  /// Whether it is a control that neither shows nor shapes anything, and no space.
  fileprivate var isControl: Bool {
    isASCII
      ? (value < 0x20 || value == 0x7f) && !isSpace
      : properties.generalCategory == .control && !isSpace
  }

  /// Whether it does not matter which font it is set in.
  fileprivate var isSetByAnyFont: Bool {
    isSpace || !isASCII && properties.isDefaultIgnorableCodePoint
  }
}
