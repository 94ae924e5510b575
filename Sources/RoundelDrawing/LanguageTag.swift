// SPDX-License-Identifier: MIT

/// A language tag (BCP 47) such as `de`, `pt-BR` or `uz-Arab`, or a locale name such as
/// `fa_IR.UTF-8`.
package struct LanguageTag: Hashable, Sendable {
  package let name: String

  package init(_ name: String) { self.name = name }

  /// Right-to-left scripts (ISO 15924).
  private static let scripts = [
    "adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa",
  ]
  /// Languages mostly written in one of these scripts (CLDR, likely subtags).
  private static let languages = [
    "ar", "arc", "azb", "bal", "bgn", "bqi", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "khw",
    "ks", "lah", "lrc", "luz", "mzn", "nqo", "ota", "pnb", "prs", "ps", "rhg", "sd", "sdh",
    "skr", "syr", "ug", "ur", "yi",
  ]

  /// Whether the script, otherwise the language's usual one, is right-to-left. Doesn't allocate,
  /// because frames call this.
  package var isRightToLeft: Bool {
    let language = name.utf8.prefix(while: Self.isOfSubtag)
    let script = name.utf8.dropFirst(language.count + 1).prefix(while: Self.isOfSubtag)
    let (subtag, known) =
      script.count == 4 ? (script, Self.scripts) : (language, Self.languages)
    return known.contains { subtag.elementsEqual($0.utf8) { $0 | 0x20 == $1 } }
  }

  private static func isOfSubtag(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
