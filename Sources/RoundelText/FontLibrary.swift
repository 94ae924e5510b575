// SPDX-License-Identifier: MIT

package import RoundelDrawing
internal import RoundelExpressions
package import RoundelGeometry

/// The fonts of a kiosk, and the typesetter that renders text into masks.
package final class FontLibrary {
  /// Adds a face for characters missing from the text's font. If it returns nil, that font shows a
  /// box.
  package typealias Fallback = (
    _ character: [Unicode.Scalar], _ font: Font, _ library: FontLibrary
  ) -> FaceName?

  /// Called once per character, weight and language.
  package var fallback: Fallback? { didSet { (substitutes, sharedSizes) = ([:], [:]) } }

  /// Returns the numbers of characters before each break within a word, in increasing order.
  package typealias Hyphenation = (_ word: [Unicode.Scalar], _ language: String) -> [Int]

  /// Breaks words that don't fit otherwise. Nil for none.
  package var hyphenation: Hyphenation? { didSet { sharedSizes = [:] } }

  /// Finds the icon font, and adds it to the library. Called once, for the first icon's name.
  package var iconFallback: ((_ library: FontLibrary) -> FaceName?)?
  private var iconFace: TypesetFace??

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

  /// Adds or replaces a face. If a family has no bold face, the regular one is emboldened.
  /// - Parameter faceIndex: As in `FontFace`.
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

  /// The coverage inside `clip`, empty if the run's size, position or angle isn't finite, or no
  /// font is known.
  package func mask(for run: TextRun, viewport: Viewport, clip: PixelRect) -> GlyphMask {
    guard let block = layout(run) else { return .empty }
    return GlyphMask(block, of: run, freeType: freeType, viewport: viewport, clip: clip)
  }

  /// Returns nil if the run can't be set. O(n) in the characters, for each size tried.
  package func layout(_ run: TextRun) -> TextBlock? {
    guard run.size > 0, run.size.isFinite, run.scale > 0, run.scale.isFinite,
      let face = anyFace(for: run.font)
    else { return nil }
    let typesetting = Typesetting(
      fonts: self, font: run.font, size: run.size, tabularFigures: run.tabularFigures)
    let sizes = sizes(of: run.sizing, typesetting, face)
    func block(_ text: String) -> TextBlock {
      TextBlock(
        fitting: ShapedText(text, typesetting), of: run, sizes: sizes,
        lineHeight: face.lineHeight, capHeight: face.capHeight,
        ellipsisWidth: typesetting.ellipsisWidth)
    }
    let whole = block(run.text)
    // Words are only broken if that avoids smaller or cut text.
    guard run.bounds != nil, whole.size < sizes.size || whole.isCut,
      let hyphenated = hyphenated(run.text, run.font)
    else { return whole }
    let broken = block(hyphenated)
    return broken.size > whole.size || whole.isCut && !broken.isCut ? broken : whole
  }

  /// The peers' common em sizes in design pixels, or the maximum without peers. At first O(n) in
  /// their characters.
  private func sizes(
    of sizing: TextSizing, _ typesetting: Typesetting, _ face: FontFace
  ) -> TypeScale.Shared {
    guard !sizing.peers.texts.isEmpty else { return TypeScale.Shared(sizing.size) }
    if let known = sharedSizes[sizing] { return known }
    let minimum = TextBlock.minimumSize(sizing.minimumSize, of: sizing.size)
    let fits = sizing.peers.texts.map { peer in
      guard let bounds = peer.bounds ?? sizing.bounds else { return sizing.size }
      func fit(_ text: String) -> Double? {
        let fitting = TextFitting(
          ShapedText(text, typesetting), in: bounds, lines: sizing.lines,
          lineHeight: face.lineHeight, capHeight: face.capHeight)
        return fitting.maximumFit(from: minimum, to: sizing.size)?.size
      }
      let whole = fit(peer.text)
      guard whole.map({ $0 < sizing.size }) ?? true,
        let hyphenated = hyphenated(peer.text, sizing.font)
      else { return whole ?? minimum }
      return max(whole ?? minimum, fit(hyphenated) ?? minimum)
    }
    let sizes = TypeScale.Shared(fits)
    if sharedSizes.count >= Self.maximumSharedSizes { sharedSizes.removeAll() }
    sharedSizes[sizing] = sizes
    return sizes
  }

  /// Returns a text with soft hyphens in its words, or nil if no word can be broken.
  private func hyphenated(_ text: String, _ font: Font) -> String? {
    guard let hyphenation, !font.language.isEmpty, text.utf8.count <= 512,
      !text.unicodeScalars.contains("\u{ad}")
    else { return nil }
    var (result, word) = (String.UnicodeScalarView(), [Unicode.Scalar]())
    var hasBreaks = false
    func endWord() {
      var start = 0
      for end in hyphenation(word, font.language) where (start + 1..<word.count).contains(end) {
        result.append(contentsOf: word[start..<end])
        result.append("\u{ad}")
        (start, hasBreaks) = (end, true)
      }
      result.append(contentsOf: word[start...])
      word.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic {
        word.append(scalar)
      } else {
        endWord()
        result.append(scalar)
      }
    }
    endWord()
    return hasBreaks ? String(result) : nil
  }

  /// Characters missing from the font and the fallback, each once.
  package func missingCharacters(of text: String, in font: Font) -> [Character] {
    var seen: Set<Character> = []
    let listed = faces(of: font)
    return Array(text).filter { character in
      let scalars = character.unicodeScalars.filter {
        !Self.isUnseen($0) && !$0.properties.isWhitespace && !IconText.isPart($0)
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

  private var foundIconFace: TypesetFace? {
    if let iconFace { return iconFace }
    let found = iconFallback?(self).flatMap(face)
    iconFace = .some(found)
    return found
  }

  func isIconFace(_ face: FontFace) -> Bool { iconFace??.face === face }

  /// The symbols of the icon font, or nil if it isn't installed.
  package var icons: IconFont? { foundIconFace?.face.icons }

  /// Returns nil if the name is unknown or the icon font isn't installed.
  func icon(named name: String) -> (symbol: Unicode.Scalar, face: TypesetFace)? {
    guard let face = foundIconFace, let symbol = face.face.icons[name] else { return nil }
    return (symbol, face)
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

  /// The first face of `listed` with all scalars, otherwise one of the system's, otherwise the
  /// first, which shows boxes. If the text selects or rejects an emoji, the first face of that kind
  /// is preferred.
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
