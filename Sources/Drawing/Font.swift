// SPDX-License-Identifier: MIT

/// The typeface of a text: its families, weight and language.
public struct Font: Hashable, Sendable {
  /// Families that fontconfig knows, or paths of font files. Each character comes from the first one that
  /// has it, or else from the system's fonts, in fontconfig's order for the language.
  /// Empty for the families of the text's surroundings.
  public var families: [String]
  /// From 1, thin, to 1000, black: 400 is regular, 700 bold. Nil for the control's own choice.
  public var weight: Int?
  /// The language of the text, as `de` or `zh-TW`; empty where that is not known. Some letters look
  /// otherwise in some languages, and some lines break elsewhere.
  public var language: String

  /// A font by its families, in the order in which characters are looked for.
  public init(_ families: [String] = [], weight: Int? = nil, language: String = "") {
    self.families = families
    self.weight = weight
    self.language = language
  }

  /// A font by its family or file.
  public init(_ family: String, weight: Int? = nil, language: String = "") {
    self.init([family], weight: weight, language: language)
  }

  /// True if the language is written from right to left, or nil if the language is unknown.
  package var isRightToLeft: Bool? {
    language.isEmpty ? nil : LanguageTag(language).isRightToLeft
  }

  /// The same font, completed by that of its surroundings.
  package func inheriting(from outer: Font) -> Font {
    Font(
      families.isEmpty ? outer.families : families, weight: weight ?? outer.weight,
      language: language.isEmpty ? outer.language : language)
  }

  /// The same font, with a weight where none was asked for.
  package func preferring(weight: Int) -> Font {
    var font = self
    font.weight = self.weight ?? weight
    return font
  }

  /// Whether it is bold in the sense of WCAG 2.1.
  package var isBold: Bool { (weight ?? FaceName.regular) >= FaceName.bold }

  /// The faces that it means, in order.
  package var faces: [FaceName] {
    families.map { FaceName($0, weight: weight ?? FaceName.regular) }
  }
}

extension Font: ExpressibleByStringLiteral {
  /// A font by its family or file.
  public init(stringLiteral family: String) { self.init(family) }
}

/// One face of a family or a font file.
package struct FaceName: Hashable, Sendable {
  package static let regular = 400
  package static let bold = 700

  /// A family that fontconfig knows, or the path of a font file.
  package var family: String
  /// From 1 to 1000.
  package var weight: Int

  package init(_ family: String, weight: Int = regular) {
    self.family = family
    self.weight = weight
  }

  /// Whether it stands out from regular text.
  package var isBold: Bool { weight >= 600 }

  /// Whether it names a font file, by its suffix.
  package var isFile: Bool {
    [".ttf", ".otf", ".ttc", ".woff"].contains { family.lowercased().hasSuffix($0) }
  }
}
