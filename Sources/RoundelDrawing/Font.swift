// SPDX-License-Identifier: MIT

/// The typeface of text: its families, weight and language.
public struct Font: Hashable, Sendable {
  /// Families known to fontconfig, or font files. A character comes from the first family that has
  /// it, otherwise from fontconfig's fonts for the language. If empty, the surrounding element's
  /// apply.
  public var families: [String]
  /// From 1 (thin) to 1000 (black), where 400 is regular and 700 bold. Nil for the control's
  /// default.
  public var weight: Int?
  /// The language, such as `de` or `zh-TW`, or empty if unknown. It affects some characters' shapes
  /// and line breaks.
  public var language: String

  /// Creates a font from its families, in order of preference.
  public init(_ families: [String] = [], weight: Int? = nil, language: String = "") {
    self.families = families
    self.weight = weight
    self.language = language
  }

  /// Creates a font from its family or file.
  public init(_ family: String, weight: Int? = nil, language: String = "") {
    self.init([family], weight: weight, language: language)
  }

  /// Nil if the language is unknown.
  package var isRightToLeft: Bool? {
    language.isEmpty ? nil : LanguageTag(language).isRightToLeft
  }

  /// Returns the font, completed by the surrounding element's.
  package func inheriting(from outer: Font) -> Font {
    Font(
      families.isEmpty ? outer.families : families, weight: weight ?? outer.weight,
      language: language.isEmpty ? outer.language : language)
  }

  package func preferring(weight: Int) -> Font {
    var font = self
    font.weight = self.weight ?? weight
    return font
  }

  /// As defined by WCAG 2.1.
  package var isBold: Bool { (weight ?? FaceName.regular) >= FaceName.bold }

  /// In order of preference.
  package var faces: [FaceName] {
    families.map { FaceName($0, weight: weight ?? FaceName.regular) }
  }
}

extension Font: ExpressibleByStringLiteral {
  /// Creates a font from its family or file.
  public init(stringLiteral family: String) { self.init(family) }
}

/// One face of a family or a font file.
package struct FaceName: Hashable, Sendable {
  package static let regular = 400
  package static let bold = 700

  /// A family known to fontconfig, or the path of a font file.
  package var family: String
  /// From 1 to 1000.
  package var weight: Int

  package init(_ family: String, weight: Int = regular) {
    self.family = family
    self.weight = weight
  }

  /// Whether the face differs visibly from regular text.
  package var isBold: Bool { weight >= 600 }

  package var isFile: Bool {
    [".ttf", ".otf", ".ttc", ".woff"].contains { family.lowercased().hasSuffix($0) }
  }
}
