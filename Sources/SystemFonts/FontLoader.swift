// SPDX-License-Identifier: MIT

package import Drawing
internal import LinuxIO
package import Text

/// Loads the fonts that a kiosk names: files, and families of this machine.
package final class FontLoader {
  /// The fonts that have been loaded.
  package let library = FontLibrary()

  /// Fontconfig takes milliseconds to start, which it does on a thread of its own while the file is read that
  /// names the fonts.
  private let installed = Future<Result<SystemFonts, SystemFontError>> {
    Result { () throws(SystemFontError) in try SystemFonts() }
  }
  private var loadedBytes = 0

  /// The bytes that all font files of a kiosk may take. One for Chinese, Japanese and Korean takes 20 MiB.
  private static let maximumBytes = 48 << 20

  package init() {}

  /// Loads a face, unless it has been loaded.
  ///
  /// A family without a bold face has its regular one made bold by the typesetter, which needs to know
  /// that one, and no other under the bold one's name.
  package func load(_ name: FaceName) throws {
    let file =
      name.isFile
      ? FontFile(path: name.family)
      : try installed.value.get().file(for: name.family, weight: name.weight)
    let regular = FaceName(name.family)
    let mayLackWeight = name.isBold && !file.isBold
    guard !library.contains(name), !(mayLackWeight && hasOneWeight(regular)) else { return }
    let bytes = try FontFile.read(file.path, maximumBytes: Self.maximumBytes - loadedBytes)
    try library.add(
      name, FontData(copying: bytes), faceIndex: file.faceIndex,
      weight: mayLackWeight ? FaceName.regular : name.weight)
    loadedBytes += bytes.count
  }

  private func hasOneWeight(_ name: FaceName) -> Bool {
    library.contains(name) && !library.hasVariableWeight(name)
  }

  /// Lets the library take characters that a text's fonts lack from the system's other fonts.
  package func loadFallback() {
    // A set of its own: fontconfig's memory is not kept for fonts that have been loaded.
    var fonts: SystemFonts?
    library.fallback = { character, font, library in
      if fonts == nil { fonts = try? SystemFonts() }
      return fonts.flatMap { Self.fallback(for: character, font, library, $0) }
    }
  }

  /// These fonts are found when they are needed, and mapped rather than read: one for Chinese takes
  /// 20 MiB, of which a text shows some.
  private static func fallback(
    for character: [Unicode.Scalar], _ font: Font, _ library: FontLibrary, _ fonts: SystemFonts
  ) -> FaceName? {
    let visible = character.filter { !$0.properties.isDefaultIgnorableCodePoint }
    let weight = font.weight ?? FaceName.regular
    func file(isColored: Bool) -> FontFile? {
      fonts.file(
        having: visible, after: font.families.filter { !FaceName($0).isFile } + ["sans-serif"],
        weight: weight, language: font.language, isColored: isColored)
    }
    let isColored = EmojiPresentation(of: character).isColored
    guard let file = file(isColored: isColored) ?? file(isColored: !isColored) else { return nil }
    let family = file.faceIndex == 0 ? file.path : "\(file.path):\(file.faceIndex)"
    let name = FaceName(family, weight: file.isBold ? FaceName.bold : FaceName.regular)
    if !library.contains(name) {
      guard let data = try? FontFile.map(file.path),
        (try? library.add(name, data, faceIndex: file.faceIndex)) != nil
      else { return nil }
    }
    return FaceName(family, weight: weight >= 600 ? FaceName.bold : FaceName.regular)
  }
}
