// SPDX-License-Identifier: MIT

package import RoundelDrawing
internal import LinuxIO
package import RoundelText

/// Loads the fonts named by a kiosk: files, and families installed on this machine.
package final class FontLoader {
  package let library = FontLibrary()

  /// Fontconfig takes milliseconds to start, on another thread while the kiosk's file is read.
  private let installed = Future<Result<SystemFonts, SystemFontError>> {
    Result { () throws(SystemFontError) in try SystemFonts() }
  }
  private var loadedBytes = 0

  /// The limit for all of a kiosk's font files. A Chinese, Japanese and Korean file takes 20 MiB.
  private static let maximumBytes = 48 << 20

  package init() {}

  /// Loads a face, unless it is already loaded.
  ///
  /// If a family has no bold face, the typesetter emboldens the regular one. The library must then
  /// contain that, and none under the bold name.
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

  /// Makes the system's other fonts available for missing characters.
  package func loadFallback() {
    // A separate instance, because fontconfig's memory isn't kept after the fonts are loaded.
    var fonts: SystemFonts?
    library.iconFallback = { Self.addIcons(to: $0, try? SystemFonts()) }
    let hyphenation = Hyphenation()
    library.hyphenation = { hyphenation.breaks(in: $0, $1) }
    library.fallback = { character, font, library in
      if fonts == nil { fonts = try? SystemFonts() }
      return fonts.flatMap { Self.fallback(for: character, font, library, $0) }
    }
  }

  /// The family of icons with names, in Debian's package fonts-material-design-icons-iconfont.
  private static let iconFamily = "Material Icons"

  package var icons: IconFont? {
    if library.iconFallback == nil {
      library.iconFallback = { [installed] in Self.addIcons(to: $0, try? installed.value.get()) }
    }
    return library.icons
  }

  private static func addIcons(to library: FontLibrary, _ fonts: SystemFonts?) -> FaceName? {
    guard let file = try? fonts?.file(for: iconFamily), let data = try? FontFile.map(file.path)
    else { return nil }
    let name = FaceName(file.path)
    guard (try? library.add(name, data, faceIndex: file.faceIndex)) != nil else { return nil }
    return name
  }

  /// Fallback fonts are mapped, because text uses only a fraction of a Chinese font's 20 MiB.
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
