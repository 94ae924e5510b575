// SPDX-License-Identifier: MIT

internal import CRoundelFontconfig
internal import RoundelDeclarations

/// The fonts installed on this machine, found with fontconfig.
///
/// With 58 fonts on a two-core virtual machine, creating an instance takes 3.1 ms, 2.9 of them for
/// fontconfig's configuration (about 35 XML files), and finding a family 0.2 ms. Only the
/// configuration has the administrator's choice for `sans-serif` and the font folders.
// Safe: the handle is created in `init` and destroyed in `deinit`. Patterns never leave the
// methods.
@safe package final class SystemFonts {
  /// The administrator chooses the meaning of these families.
  package static let genericFamilies = [
    "sans-serif", "serif", "monospace", "system-ui", "cursive", "fantasy", "emoji", "math",
    "sans", "mono",
  ]

  private let config: OpaquePointer
  /// The last order of fonts with outlines (false) and with colours (true).
  private var matches: [Bool: Matches] = [:]

  /// Fonts in fontconfig's order for families, weight and language.
  // Safe: the set owns the patterns, and callers use them only while they keep this object.
  @safe private final class Matches {
    struct Key: Equatable {
      var families: [String]
      var weight: Int
      var language: String
    }

    let key: Key
    private let set: UnsafeMutablePointer<FcFontSet>

    /// Takes ownership of `set`.
    init(key: Key, _ set: UnsafeMutablePointer<FcFontSet>) {
      self.key = key
      unsafe self.set = set
    }

    deinit {
      unsafe FcFontSetDestroy(set)
    }

    func first(where isWanted: (OpaquePointer) -> Bool) -> OpaquePointer? {
      for number in 0..<Int(unsafe set.pointee.nfont) {
        if let font = unsafe set.pointee.fonts[number], unsafe isWanted(font) { return unsafe font }
      }
      return nil
    }
  }

  package init() throws(SystemFontError) {
    guard let config = unsafe FcInitLoadConfigAndFonts() else { throw .noConfiguration }
    unsafe self.config = config
  }

  deinit {
    unsafe FcConfigDestroy(config)
  }

  /// The upright face at normal width with the weight nearest to `weight`.
  ///
  /// Names are case-insensitive. Throws for an unknown name, except for the generic families.
  /// Fontconfig itself returns another family.
  package func file(
    for family: String, weight: Int = 400
  ) throws(SystemFontError) -> FontFile {
    guard let pattern = unsafe pattern(for: [family], weight: weight) else {
      throw .noConfiguration
    }
    defer { unsafe FcPatternDestroy(pattern) }
    var result = FcResultMatch
    guard let match = unsafe FcFontMatch(config, pattern, &result) else { throw .noFonts }
    defer { unsafe FcPatternDestroy(match) }

    let isGeneric = Self.genericFamilies.contains(family.lowercased())
    guard
      unsafe isGeneric || Self.names(in: match).contains(where: { Self.isSame($0, family) })
    else {
      throw .unknownFamily(family, nearest: (families + Self.genericFamilies).similar(to: family))
    }
    guard let file = unsafe Self.file(of: match) else { throw .noFonts }
    return file.isForWeb ? installedFile(for: family) ?? file : file
  }

  /// Returns the family's first file that isn't compressed for web pages, which HarfBuzz can't read.
  private func installedFile(for family: String) -> FontFile? {
    // The configuration owns the set and its patterns.
    guard let set = unsafe FcConfigGetFonts(config, FcSetSystem) else { return nil }
    for number in 0..<Int(unsafe set.pointee.nfont) {
      guard let pattern = unsafe set.pointee.fonts[number],
        unsafe Self.names(in: pattern).contains(where: { Self.isSame($0, family) }),
        let file = unsafe Self.file(of: pattern), !file.isForWeb
      else { continue }
      return file
    }
    return nil
  }

  /// The first font with all of `characters`, in fontconfig's order after `families`.
  ///
  /// Sorting all fonts takes a millisecond per hundred fonts, so the last order is kept.
  /// - Parameter language: A language such as `de` or `zh-TW`, or an empty string for the
  ///   environment's.
  /// - Parameter isColored: Whether to find a font with colour images instead of outlines.
  package func file(
    having characters: [Unicode.Scalar], after families: [String], weight: Int, language: String,
    isColored: Bool = false
  ) -> FontFile? {
    let families = isColored ? ["emoji"] : families
    let wanted = Matches.Key(families: families, weight: weight, language: language)
    if matches[isColored]?.key != wanted {
      matches[isColored] = nil
      guard
        let pattern = unsafe pattern(
          for: families, weight: weight, language: language, isColored: isColored)
      else { return nil }
      defer { unsafe FcPatternDestroy(pattern) }
      var result = FcResultMatch
      // Trimming would skip a colour font with the same characters as a font before it.
      guard
        let set = unsafe FcFontSort(config, pattern, isColored ? FcFalse : FcTrue, nil, &result)
      else { return nil }
      unsafe matches[isColored] = Matches(key: wanted, set)
    }
    return unsafe matches[isColored]?.first {
      unsafe Self.has(characters, in: $0, isColored: isColored)
    }.flatMap { unsafe Self.file(of: $0) }
  }

  /// Whether a font has outlines, or colours, for all characters. Other bitmaps can't be rotated,
  /// and variable fonts are also listed as their instances.
  private static func has(
    _ characters: [Unicode.Scalar], in font: OpaquePointer, isColored: Bool
  ) -> Bool {
    var (isWanted, isVariable) = (FcFalse, FcFalse)
    var set: OpaquePointer?
    guard
      unsafe FcPatternGetBool(font, isColored ? FC_COLOR : FC_OUTLINE, 0, &isWanted)
        == FcResultMatch,
      isWanted != FcFalse,
      unsafe FcPatternGetBool(font, FC_VARIABLE, 0, &isVariable) != FcResultMatch
        || isVariable == FcFalse,
      unsafe FcPatternGetCharSet(font, FC_CHARSET, 0, &set) == FcResultMatch
    else { return false }
    return characters.allSatisfy { unsafe FcCharSetHasChar(set, $0.value) != FcFalse }
  }

  /// Returns a query, or nil if there isn't enough memory, or no configuration.
  private func pattern(
    for families: [String], weight: Int, language: String = "", isColored: Bool = false
  ) -> OpaquePointer? {
    guard let pattern = unsafe FcPatternCreate() else { return nil }
    for family in families { unsafe FcPatternAddString(pattern, FC_FAMILY, family) }
    unsafe FcPatternAddInteger(pattern, FC_WEIGHT, FcWeightFromOpenType(Int32(clamping: weight)))
    unsafe FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN)
    unsafe FcPatternAddInteger(pattern, FC_WIDTH, FC_WIDTH_NORMAL)
    if !language.isEmpty { unsafe FcPatternAddString(pattern, FC_LANG, language) }
    // Other bitmaps can't be rotated or scaled.
    unsafe FcPatternAddBool(pattern, isColored ? FC_COLOR : FC_OUTLINE, FcTrue)
    // A variable font is selected by its named instances, which have their own index.
    unsafe FcPatternAddBool(pattern, FC_VARIABLE, FcFalse)
    guard unsafe FcConfigSubstitute(config, pattern, FcMatchPattern) != 0 else {
      unsafe FcPatternDestroy(pattern)
      return nil
    }
    unsafe FcDefaultSubstitute(pattern)
    return unsafe pattern
  }

  private static func file(of pattern: OpaquePointer) -> FontFile? {
    guard let path = unsafe string(FC_FILE, 0, in: pattern) else { return nil }
    var index: Int32 = 0
    _ = unsafe FcPatternGetInteger(pattern, FC_INDEX, 0, &index)
    var weight: Int32 = 0
    _ = unsafe FcPatternGetInteger(pattern, FC_WEIGHT, 0, &weight)
    return FontFile(
      path: path, faceIndex: Int(index), isBold: weight >= FC_WEIGHT_DEMIBOLD)
  }

  /// Sorted.
  package var families: [String] {
    var found: Set<String> = []
    // The configuration owns the set and its patterns.
    guard let set = unsafe FcConfigGetFonts(config, FcSetSystem) else { return [] }
    for number in 0..<Int(unsafe set.pointee.nfont) {
      guard let pattern = unsafe set.pointee.fonts[number] else { continue }
      unsafe found.formUnion(Self.names(in: pattern))
    }
    return found.sorted()
  }

  /// Returns all names of the family, in every language.
  private static func names(in pattern: OpaquePointer) -> [String] {
    var names: [String] = []
    while let name = unsafe string(FC_FAMILY, names.count, in: pattern) { names.append(name) }
    return names
  }

  private static func string(
    _ property: String, _ number: Int, in pattern: OpaquePointer
  ) -> String? {
    var value: UnsafeMutablePointer<FcChar8>?
    guard unsafe FcPatternGetString(pattern, property, Int32(number), &value) == FcResultMatch,
      let value = unsafe value
    else { return nil }
    // The pattern owns the string and outlives this call. A copy is returned.
    return unsafe String(cString: value)
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    unsafe FcStrCmpIgnoreCase(a, b) == 0
  }
}

/// An error that occurs when a font is looked up.
package enum SystemFontError: Error, Hashable, CustomStringConvertible {
  case noConfiguration
  case noFonts
  case unknownFamily(String, nearest: [String])

  package var description: String {
    switch self {
    case .noConfiguration:
      "cannot load the fontconfig configuration; use a font file instead of a family"
    case .noFonts: "no fonts are installed; install fonts-dejavu-core, or use a font file"
    case .unknownFamily(let family, let nearest):
      "no font family \"\(family)\" is installed"
        + (nearest.isEmpty ? "" : "; did you mean \(nearest.joined(separator: ", "))?")
    }
  }
}
