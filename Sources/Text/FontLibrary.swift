// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry

/// The fonts of a kiosk, and the typesetter that makes texts into masks.
///
/// Fonts are given as bytes, under the names that text runs use.
package final class FontLibrary {
  /// Where characters come from that a run's own font lacks, the first that has one. What none
  /// has shows the box that the run's font keeps for it.
  package var fallbacks: [FontName] = []

  let shapingBuffer = ShapingBuffer()
  private let freeType = FreeType()
  private var faces: [FontName: FontFace] = [:]

  package init() {}

  /// Makes a font known as `name`, in place of any known so far.
  ///
  /// Where a family has no bold font of its own, texts asking for it get the regular one emboldened.
  /// - Parameter faceIndex: the face in a file of several; its upper 16 bits may name an instance of
  ///   a variable font.
  package func add(
    _ name: FontName, bytes: [UInt8], faceIndex: Int = 0
  ) throws(FontError) {
    faces[name] = try FontFace(freeType, bytes: bytes, index: faceIndex)
  }

  /// Whether a font was added as `name`.
  package func contains(_ name: FontName) -> Bool { faces[name] != nil }

  /// How the run covers the pixels inside `clip`, in canvas pixels.
  ///
  /// The mask is no larger than `clip`, however long the text. A run whose size, place or angle is no
  /// finite number, or whose font is not known and has no fallback, has no ink.
  package func mask(for run: TextRun, viewport: Viewport, clip: PixelRect) -> GlyphMask {
    guard let block = layout(run) else { return .empty }
    return GlyphMask(
      block, freeType: freeType, em: block.size * run.scale * viewport.scale,
      anchor: viewport.canvasPoint(run.anchor), angle: run.angle, alignment: run.alignment,
      clip: clip)
  }

  /// The lines of a run, in ems, and the em size at which they fit; nil where nothing can be set.
  package func layout(_ run: TextRun) -> TextBlock? {
    guard run.size > 0, run.size.isFinite, run.scale > 0, run.scale.isFinite,
      let face = anyFace(for: run.font)
    else { return nil }
    let typesetting = Typesetting(
      fonts: self, font: run.font, language: run.language, tabularFigures: run.tabularFigures)
    return TextBlock(
      fitting: ShapedText(run.text, typesetting), of: run, lineHeight: face.lineHeight,
      capHeight: face.capHeight, ellipsisWidth: typesetting.ellipsisWidth)
  }

  /// The characters of a text that neither the font nor the fallbacks have, each once, in order.
  package func missingCharacters(of text: String, in font: FontName) -> [Character] {
    var seen: Set<Character> = []
    return Array(text).filter { character in
      let lacks = character.unicodeScalars.contains { scalar in
        !Self.isUnseen(scalar) && !scalar.properties.isWhitespace && self.lacks(scalar, in: font)
      }
      return lacks && seen.insert(character).inserted
    }
  }

  /// Whether a character has nothing to be seen, whatever the font.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return true }
    return !properties.isWhitespace
      && (properties.generalCategory == .control || properties.generalCategory == .format)
  }

  private func anyFace(for name: FontName) -> FontFace? {
    candidates(for: name).lazy.compactMap { self.face($0)?.face }.first
  }

  /// The names under which to look for a character, first to last.
  private func candidates(for name: FontName) -> [FontName] {
    [name] + fallbacks.map { FontName($0.family, bold: $0.bold || name.bold) }
  }

  /// The face of the name, or its family's other weight.
  private func face(_ name: FontName) -> (face: FontFace, isEmboldened: Bool)? {
    if let face = faces[name] { return (face, false) }
    return faces[FontName(name.family, bold: !name.bold)].map { ($0, name.bold) }
  }

  /// The first face that has all letters of a character, else the first one, which shows boxes for
  /// them; nil where there is none.
  func face(for character: [Unicode.Scalar], in name: FontName) -> TypesetFace? {
    var first: TypesetFace?
    for candidate in candidates(for: name) {
      guard let (face, isEmboldened) = face(candidate) else { continue }
      let own = TypesetFace(face: face, isEmboldened: isEmboldened)
      if character.allSatisfy({
        $0.properties.isDefaultIgnorableCodePoint || face.glyphIndex(of: $0) != nil
      }) {
        return own
      }
      if first == nil { first = own }
    }
    return first
  }

  private func lacks(_ scalar: Unicode.Scalar, in name: FontName) -> Bool {
    !candidates(for: name).contains { face($0)?.face.glyphIndex(of: scalar) != nil }
  }
}
