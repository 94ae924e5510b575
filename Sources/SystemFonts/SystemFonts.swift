// SPDX-License-Identifier: MIT

internal import CFontconfig

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

  /// Reads fontconfig's configuration and caches.
  package init() throws(SystemFontError) {
    guard let config = unsafe FcInitLoadConfigAndFonts() else { throw .noConfiguration }
    unsafe self.config = config
  }

  deinit {
    unsafe FcConfigDestroy(config)
  }

  /// The upright face of a family at normal width, bold where asked for and where the family has one.
  ///
  /// Case does not count. Fontconfig answers an unknown name with a font of another family; here that
  /// is an error, but for the generic families, which stand for another one by their nature.
  package func file(
    for family: String, bold: Bool = false
  ) throws(SystemFontError) -> FontFile {
    guard let pattern = unsafe FcPatternCreate() else { throw .noConfiguration }
    defer { unsafe FcPatternDestroy(pattern) }
    unsafe FcPatternAddString(pattern, FC_FAMILY, family)
    unsafe FcPatternAddInteger(pattern, FC_WEIGHT, bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR)
    unsafe FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN)
    unsafe FcPatternAddInteger(pattern, FC_WIDTH, FC_WIDTH_NORMAL)
    // Bitmaps cannot be turned or scaled.
    unsafe FcPatternAddBool(pattern, FC_OUTLINE, FcTrue)
    // A variable font is wanted as the instances that it names: they have an index of their own.
    unsafe FcPatternAddBool(pattern, FC_VARIABLE, FcFalse)
    guard unsafe FcConfigSubstitute(config, pattern, FcMatchPattern) != 0 else {
      throw .noConfiguration
    }
    unsafe FcDefaultSubstitute(pattern)
    var result = FcResultMatch
    guard let match = unsafe FcFontMatch(config, pattern, &result) else { throw .noFonts }
    defer { unsafe FcPatternDestroy(match) }

    let isGeneric = Self.genericFamilies.contains(family.lowercased())
    guard
      unsafe isGeneric || Self.names(in: match).contains(where: { Self.isSame($0, family) })
    else {
      throw .unknownFamily(family, nearest: nearest(to: family))
    }
    guard let path = unsafe Self.string(FC_FILE, 0, in: match) else { throw .noFonts }
    var index: Int32 = 0
    _ = unsafe FcPatternGetInteger(match, FC_INDEX, 0, &index)
    var weight: Int32 = 0
    _ = unsafe FcPatternGetInteger(match, FC_WEIGHT, 0, &weight)
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
    let wanted = Array(family.lowercased().utf8)
    let limit = min(max(2, wanted.count / 3), 6)
    return (families + Self.genericFamilies)
      .filter { abs($0.utf8.count - wanted.count) <= limit }
      .map { (name: $0, distance: editDistance(wanted, Array($0.lowercased().utf8))) }
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

/// The least number of bytes to insert, remove or replace that makes one of the other (Levenshtein).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let replaced = diagonal + (x == y ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
