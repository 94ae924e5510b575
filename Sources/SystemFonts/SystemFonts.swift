// SPDX-License-Identifier: MIT

internal import CFontconfig
internal import Expressions

/// The fonts that are installed on this machine, as fontconfig knows them.
///
/// Measured with 58 fonts on a two-core virtual machine: making it takes 3.1 ms, of which fontconfig spends
/// 2.9 on parsing its configuration (about 35 XML files) and 0.1 on mapping its caches; finding a
/// family takes 0.2 ms. A configuration without those files would load in 0.05 ms, but would not know
/// what the administrator made of `sans-serif`, nor where fonts lie. A kiosk that names font files
/// needs none of it.
// Safe: the handle is made in `init` and destroyed in `deinit`; patterns never leave the methods.
@safe package final class SystemFonts {
  /// The families that stand for whatever the administrator chose.
  package static let genericFamilies = [
    "sans-serif", "serif", "monospace", "system-ui", "cursive", "fantasy", "emoji", "math",
    "sans", "mono",
  ]

  private let config: OpaquePointer
  /// At most one of fonts with outlines and one of fonts with colours.
  private var matches: [Bool: Matches] = [:]

  /// Fonts in fontconfig's order for families, weight and language.
  // Safe: the patterns belong to the set, and callers use them while they hold on to the order.
  @safe private final class Matches {
    struct Key: Equatable {
      var families: [String]
      var weight: Int
      var language: String
    }

    let key: Key
    private let set: UnsafeMutablePointer<FcFontSet>

    /// Takes the set over.
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

  /// Reads fontconfig's configuration and caches.
  package init() throws(SystemFontError) {
    guard let config = unsafe FcInitLoadConfigAndFonts() else { throw .noConfiguration }
    unsafe self.config = config
  }

  deinit {
    unsafe FcConfigDestroy(config)
  }

  /// The upright face of a family at normal width, with the weight nearest to `weight`.
  ///
  /// Case does not count. Fontconfig answers an unknown name with a font of another family; here that
  /// is an error, but for the generic families, which stand for another one by their nature.
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
      throw .unknownFamily(family, nearest: nearest(to: family))
    }
    guard let file = unsafe Self.file(of: match) else { throw .noFonts }
    return file
  }

  /// The first font that has all of `characters`, in fontconfig's order after `families` for a language;
  /// nil where none has them.
  ///
  /// Sorting all fonts of a machine takes a millisecond for a hundred, so the last order is kept.
  /// - Parameter language: as `de` or `zh-TW`; empty for the one of the environment.
  /// - Parameter isColored: whether the font has pictures in colour for them, and not outlines.
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
      // Fonts that add no characters to those before them are left out, but the same characters with colours
      // are others.
      guard
        let set = unsafe FcFontSort(config, pattern, isColored ? FcFalse : FcTrue, nil, &result)
      else { return nil }
      unsafe matches[isColored] = Matches(key: wanted, set)
    }
    return unsafe matches[isColored]?.first {
      unsafe Self.has(characters, in: $0, isColored: isColored)
    }.flatMap { unsafe Self.file(of: $0) }
  }

  /// Whether a font has outlines, or colours, for all of the characters. Other bitmaps cannot be turned, and
  /// a variable font is there a second time as its instances.
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

  /// A query for fontconfig; nil where it has no memory or no configuration.
  private func pattern(
    for families: [String], weight: Int, language: String = "", isColored: Bool = false
  ) -> OpaquePointer? {
    guard let pattern = unsafe FcPatternCreate() else { return nil }
    for family in families { unsafe FcPatternAddString(pattern, FC_FAMILY, family) }
    unsafe FcPatternAddInteger(pattern, FC_WEIGHT, FcWeightFromOpenType(Int32(clamping: weight)))
    unsafe FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN)
    unsafe FcPatternAddInteger(pattern, FC_WIDTH, FC_WIDTH_NORMAL)
    if !language.isEmpty { unsafe FcPatternAddString(pattern, FC_LANG, language) }
    // Other bitmaps cannot be turned or scaled.
    unsafe FcPatternAddBool(pattern, isColored ? FC_COLOR : FC_OUTLINE, FcTrue)
    // A variable font is wanted as the instances that it names: they have an index of their own.
    unsafe FcPatternAddBool(pattern, FC_VARIABLE, FcFalse)
    guard unsafe FcConfigSubstitute(config, pattern, FcMatchPattern) != 0 else {
      unsafe FcPatternDestroy(pattern)
      return nil
    }
    unsafe FcDefaultSubstitute(pattern)
    return unsafe pattern
  }

  /// The file that a pattern of fontconfig's names.
  private static func file(of pattern: OpaquePointer) -> FontFile? {
    guard let path = unsafe string(FC_FILE, 0, in: pattern) else { return nil }
    var index: Int32 = 0
    _ = unsafe FcPatternGetInteger(pattern, FC_INDEX, 0, &index)
    var weight: Int32 = 0
    _ = unsafe FcPatternGetInteger(pattern, FC_WEIGHT, 0, &weight)
    return FontFile(
      path: path, faceIndex: Int(index), isBold: weight >= FC_WEIGHT_DEMIBOLD)
  }

  /// The names of all families, sorted.
  package var families: [String] {
    var found: Set<String> = []
    // The set and its patterns belong to the configuration.
    guard let set = unsafe FcConfigGetFonts(config, FcSetSystem) else { return [] }
    for number in 0..<Int(unsafe set.pointee.nfont) {
      guard let pattern = unsafe set.pointee.fonts[number] else { continue }
      unsafe found.formUnion(Self.names(in: pattern))
    }
    return found.sorted()
  }

  /// The known families whose names are most like `family`, the most alike first, at most three.
  private func nearest(to family: String) -> [String] {
    let wanted = family.lowercased()
    let limit = min(max(2, wanted.utf8.count / 3), 6)
    return (families + Self.genericFamilies)
      .filter { abs($0.utf8.count - wanted.utf8.count) <= limit }
      .map { (name: $0, distance: editDistance(wanted, $0.lowercased())) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }

  /// Every name of the family, in every language.
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
    // The string belongs to the pattern, which outlives this call; a copy is given away.
    return unsafe String(cString: value)
  }

  private static func isSame(_ a: String, _ b: String) -> Bool {
    unsafe FcStrCmpIgnoreCase(a, b) == 0
  }
}

/// Why the system has no such font.
package enum SystemFontError: Error, Hashable, CustomStringConvertible {
  /// Fontconfig cannot load its configuration.
  case noConfiguration
  /// No font is installed.
  case noFonts
  case unknownFamily(String, nearest: [String])

  package var description: String {
    switch self {
    case .noConfiguration:
      "cannot load fontconfig's configuration; name a font file instead of a family"
    case .noFonts: "no fonts are installed; install fonts-dejavu-core or name a font file"
    case .unknownFamily(let family, let nearest):
      "no font family \"\(family)\" is installed"
        + (nearest.isEmpty ? "" : "; did you mean \(nearest.joined(separator: ", "))?")
    }
  }
}
