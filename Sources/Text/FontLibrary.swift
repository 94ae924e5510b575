// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry

/// The fonts of a kiosk, and the typesetter that makes texts into masks.
///
/// Fonts are given as bytes, under the names that text runs use.
package final class FontLibrary {
  /// Finds the face in which to show characters that a text's own font lacks, and adds it to the library;
  /// nil where there is none. Characters that no face has show the box of the text's font.
  package typealias Fallback = (
    _ character: [Unicode.Scalar], _ font: Font, _ library: FontLibrary
  ) -> FaceName?

  /// Asked once for each character, weight and language.
  package var fallback: Fallback? { didSet { (substitutes, sharedSizes) = ([:], [:]) } }

  let shapingBuffer = ShapingBuffer()
  private let freeType = FreeType()
  private var faces: [FaceName: FontFace] = [:]
  private var substitutes: [Substitution: FaceName?] = [:]

  private struct Substitution: Hashable {
    var character: [Unicode.Scalar]
    var weight: Int?
    var language: String
  }

  private var sharedSizes: [TextSizing: TypeScale.Shared] = [:]

  /// More rings and wheels than a kiosk shows at once.
  private static let maximumSharedSizes = 256
  /// A text that walks through Unicode must not fill the memory.
  private static let maximumSubstitutes = 4096

  package init() {}

  /// Makes a face known as `name`, in place of any known so far.
  ///
  /// A variable font takes the weight of the name. Where a family has no bold face, texts asking for one
  /// get the regular one emboldened.
  /// - Parameter faceIndex: the face in a file of several; its upper 16 bits may name an instance of
  ///   a variable font.
  /// - Parameter weight: the weight that the file has, unless it can take any; nil for that of the name.
  package func add(
    _ name: FaceName, _ data: FontData, faceIndex: Int = 0, weight: Int? = nil
  ) throws(FontError) {
    let face = try FontFace(freeType, data, index: faceIndex, weight: name.weight)
    let own = face.hasVariableWeight ? name.weight : weight ?? name.weight
    faces[FaceName(name.family, weight: own)] = face
  }

  /// The same from bytes, which are copied.
  package func add(
    _ name: FaceName, bytes: [UInt8], faceIndex: Int = 0
  ) throws(FontError) {
    try add(name, FontData(copying: bytes), faceIndex: faceIndex)
  }

  /// Whether a face was added as `name`.
  package func contains(_ name: FaceName) -> Bool { faces[name] != nil }

  /// Whether the face that was added as `name` can take any weight.
  package func hasVariableWeight(_ name: FaceName) -> Bool {
    faces[name]?.hasVariableWeight ?? false
  }

  /// How the run covers the pixels inside `clip`, in canvas pixels.
  ///
  /// The mask is no larger than `clip`, however long the text. A run whose size, place or angle is no
  /// finite number, or whose font is not known and has no fallback, has no ink.
  package func mask(for run: TextRun, viewport: Viewport, clip: PixelRect) -> GlyphMask {
    guard let block = layout(run) else { return .empty }
    return GlyphMask(block, of: run, freeType: freeType, viewport: viewport, clip: clip)
  }

  /// The lines of a run, in ems, and the em size at which they fit; nil where nothing can be set. O(n) in the
  /// number of letters, for each size that is tried.
  package func layout(_ run: TextRun) -> TextBlock? {
    guard run.size > 0, run.size.isFinite, run.scale > 0, run.scale.isFinite,
      let face = anyFace(for: run.font)
    else { return nil }
    let typesetting = Typesetting(
      fonts: self, font: run.font, size: run.size, tabularFigures: run.tabularFigures)
    return TextBlock(
      fitting: ShapedText(run.text, typesetting), of: run,
      sizes: sizes(of: run.sizing, typesetting, face),
      lineHeight: face.lineHeight, capHeight: face.capHeight,
      ellipsisWidth: typesetting.ellipsisWidth)
  }

  /// The em sizes that the texts have in common, in design pixels; the maximum where there are none. They are
  /// remembered; the first time takes O(n) of their letters.
  private func sizes(
    of sizing: TextSizing, _ typesetting: Typesetting, _ face: FontFace
  ) -> TypeScale.Shared {
    guard !sizing.peers.texts.isEmpty else { return TypeScale.Shared(sizing.size) }
    if let known = sharedSizes[sizing] { return known }
    let minimum = TextBlock.minimumSize(sizing.minimumSize, of: sizing.size)
    let fits = sizing.peers.texts.map { peer in
      guard let room = peer.room ?? sizing.room else { return sizing.size }
      let fitting = TextFitting(
        ShapedText(peer.text, typesetting), in: room, lines: sizing.lines,
        lineHeight: face.lineHeight, capHeight: face.capHeight)
      return fitting.maximumFit(from: minimum, to: sizing.size)?.size ?? minimum
    }
    let sizes = TypeScale.Shared(fits)
    if sharedSizes.count >= Self.maximumSharedSizes { sharedSizes.removeAll() }
    sharedSizes[sizing] = sizes
    return sizes
  }

  /// The characters of a text that neither the font nor the fallback has, each once, in order.
  package func missingCharacters(of text: String, in font: Font) -> [Character] {
    var seen: Set<Character> = []
    let listed = faces(of: font)
    return Array(text).filter { character in
      let scalars = character.unicodeScalars.filter {
        !Self.isUnseen($0) && !$0.properties.isWhitespace
      }
      return
        !(face(for: scalars, in: font, among: listed).map { has(scalars, $0.face) }
        ?? scalars.isEmpty)
        && seen.insert(character).inserted
    }
  }

  /// Whether a character has nothing to be seen, whatever the font.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return true }
    return !properties.isWhitespace
      && (properties.generalCategory == .control || properties.generalCategory == .format)
  }

  /// The face that gives a text its line height.
  private func anyFace(for font: Font) -> FontFace? {
    font.faces.lazy.compactMap { self.face($0)?.face }.first
      ?? substitute(for: ["x"], in: font)?.face
  }

  /// The face of the name, or its family's other weight.
  private func face(_ name: FaceName) -> TypesetFace? {
    if let face = faces[name] { return TypesetFace(face: face, isEmboldened: false) }
    let other = FaceName(name.family, weight: name.isBold ? FaceName.regular : FaceName.bold)
    return faces[other].map {
      TypesetFace(face: $0, isEmboldened: name.isBold && !other.isBold && !$0.isColored)
    }
  }

  /// The faces that a font lists, in order.
  func faces(of font: Font) -> [TypesetFace] { font.faces.compactMap(face) }

  /// The first of `listed`, a font's faces, that has all letters of a character, else one of the system's, else
  /// the first, which shows boxes for them; nil where there is none. A character that asks to be an emoji, or
  /// not to be one, takes the first face of that kind, if there is one.
  func face(
    for character: some Collection<Unicode.Scalar>, in font: Font, among listed: [TypesetFace]
  ) -> TypesetFace? {
    let presentation = EmojiPresentation(of: character)
    if presentation.isWanted {
      let wanted = listed.first {
        $0.face.isColored == presentation.isColored && has(character, $0.face)
      }
      if let face = wanted ?? substitute(for: Array(character), in: font),
        face.face.isColored == presentation.isColored
      {
        return face
      }
    }
    return listed.first { has(character, $0.face) }
      ?? substitute(for: Array(character), in: font) ?? listed.first
  }

  private func has(_ character: some Collection<Unicode.Scalar>, _ face: FontFace) -> Bool {
    character.allSatisfy {
      face.glyphIndex(of: $0) != nil || $0.properties.isDefaultIgnorableCodePoint
    }
  }

  private func substitute(for character: [Unicode.Scalar], in font: Font) -> TypesetFace? {
    guard let fallback else { return nil }
    let key = Substitution(character: character, weight: font.weight, language: font.language)
    if let known = substitutes[key] { return known.flatMap(face) }
    let found = fallback(character, font, self)
    if substitutes.count >= Self.maximumSubstitutes { substitutes.removeAll() }
    substitutes[key] = .some(found)
    return found.flatMap(face)
  }
}
