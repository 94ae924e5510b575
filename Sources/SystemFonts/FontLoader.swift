// SPDX-License-Identifier: MIT

package import Drawing
package import Text

/// Loads the fonts that a kiosk names: files, and families of this machine.
package final class FontLoader {
  /// Those that have been loaded.
  package let library = FontLibrary()

  private var systemFonts: SystemFonts?
  private var loadedBytes = 0

  /// What all font files of a kiosk may take. One for Chinese, Japanese and Korean takes 20 MiB.
  private static let maximumBytes = 48 << 20

  package init() {}

  /// Loads a face, unless it has been loaded.
  ///
  /// A family without a bold face has its regular one made bold by the typesetter, which needs to know
  /// that one, and no other under the bold one's name.
  package func load(_ name: FontName) throws {
    let file =
      name.isFile
      ? FontFile(path: name.family)
      : try knownFonts().file(for: name.family, bold: name.bold)
    let face = name.bold && !file.isBold ? FontName(name.family) : name
    guard !library.contains(face) else { return }
    let bytes = try FontFile.read(file.path, maximumBytes: Self.maximumBytes - loadedBytes)
    try library.add(face, bytes: bytes, faceIndex: file.faceIndex)
    loadedBytes += bytes.count
  }

  /// Loads the system's own font for characters that the others lack. A machine without one shows boxes
  /// for them.
  package func loadFallback() {
    let name = FontName("sans-serif")
    guard (try? load(name)) != nil else { return }
    library.fallbacks = [name]
  }

  /// Fontconfig takes milliseconds to start, which a kiosk that names font files need not spend.
  private func knownFonts() throws(SystemFontError) -> SystemFonts {
    if let systemFonts { return systemFonts }
    let fonts = try SystemFonts()
    systemFonts = fonts
    return fonts
  }
}
