// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry

/// The fonts of a kiosk, and the typesetter that renders text into masks.
package final class FontLibrary {
  /// Finds a face for characters missing from the text's font, and adds it to the library. If it
  /// returns nil, the text's font shows a box.
  package typealias Fallback = (
    _ character: [Unicode.Scalar], _ font: Font, _ library: FontLibrary
  ) -> FaceName?

  /// Called once per character, weight and language.
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
  /// A limit for text that cycles through Unicode.
  private static let maximumSubstitutes = 4096

  package init() {}

  /// Adds a face as `name`, replacing an existing one. If a family has no bold face, the regular
  /// one is emboldened.
  /// - Parameter faceIndex: The face in a file with several. The upper 16 bits may select an
  ///   instance of a variable font.
  /// - Parameter weight: The file's weight unless it is variable, or nil for the weight of the
  ///   name.
  package func add(
    _ name: FaceName, _ data: FontData, faceIndex: Int = 0, weight: Int? = nil
  ) throws(FontError) {
    let face = try FontFace(freeType, data, index: faceIndex, weight: name.weight)
    let own = face.hasVariableWeight ? name.weight : weight ?? name.weight
    faces[FaceName(name.family, weight: own)] = face
  }

  package func add(
    _ name: FaceName, bytes: [UInt8], faceIndex: Int = 0
  ) throws(FontError) {
    try add(name, FontData(copying: bytes), faceIndex: faceIndex)
  }

  package func contains(_ name: FaceName) -> Bool { faces[name] != nil }

  package func hasVariableWeight(_ name: FaceName) -> Bool {
    faces[name]?.hasVariableWeight ?? false
  }

  /// Returns the coverage of the pixels inside `clip`. The mask is empty if the run's size,
  /// position or angle isn't finite, or if neither its font nor a fallback is known.
  package func mask(for run: TextRun, viewport: Viewport, clip: PixelRect) -> GlyphMask {
    guard let block = layout(run) else { return .empty }
    return GlyphMask(block, of: run, freeType: freeType, viewport: viewport, clip: clip)
  }

  /// Returns the lines of a run and their em size, or nil if the run can't be set. O(n) in the
  /// number of characters, for each size tried.
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

  /// Returns the peers' common em sizes in design pixels, or the maximum if there are no peers. The
  /// first call takes O(n) of their characters.
  private func sizes(
    of sizing: TextSizing, _ typesetting: Typesetting, _ face: FontFace
  ) -> TypeScale.Shared {
    guard !sizing.peers.texts.isEmpty else { return TypeScale.Shared(sizing.size) }
    if let known = sharedSizes[sizing] { return known }
    let minimum = TextBlock.minimumSize(sizing.minimumSize, of: sizing.size)
    let fits = sizing.peers.texts.map { peer in
      guard let bounds = peer.bounds ?? sizing.bounds else { return sizing.size }
      let fitting = TextFitting(
        ShapedText(peer.text, typesetting), in: bounds, lines: sizing.lines,
        lineHeight: face.lineHeight, capHeight: face.capHeight)
      return fitting.maximumFit(from: minimum, to: sizing.size)?.size ?? minimum
    }
    let sizes = TypeScale.Shared(fits)
    if sharedSizes.count >= Self.maximumSharedSizes { sharedSizes.removeAll() }
    sharedSizes[sizing] = sizes
    return sizes
  }

  /// Returns the characters missing from both the font and the fallback, each once.
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

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return true }
    return !properties.isWhitespace
      && (properties.generalCategory == .control || properties.generalCategory == .format)
  }

  /// Returns the face that determines the line height of text.
  private func anyFace(for font: Font) -> FontFace? {
    font.faces.lazy.compactMap { self.face($0)?.face }.first
      ?? substitute(for: ["x"], in: font)?.face
  }

  /// Returns the face with this name, or its family's other weight.
  private func face(_ name: FaceName) -> TypesetFace? {
    if let face = faces[name] { return TypesetFace(face: face, isEmboldened: false) }
    let other = FaceName(name.family, weight: name.isBold ? FaceName.regular : FaceName.bold)
    return faces[other].map {
      TypesetFace(face: $0, isEmboldened: name.isBold && !other.isBold && !$0.isColored)
    }
  }

  func faces(of font: Font) -> [TypesetFace] { font.faces.compactMap(face) }

  /// Returns the first face of `listed` with all scalars of a character, otherwise one of the
  /// system's, otherwise the first, which shows boxes. If the text itself selects or rejects an
  /// emoji, the first face of that kind is preferred.
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
