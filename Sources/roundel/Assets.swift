// SPDX-License-Identifier: MIT

import Drawing
import KioskFile
import Raster
import SystemFonts
import Text

/// The fonts and images of a kiosk. Whether one can be used is found out by loading it, so that what
/// passes the check is there to be shown.
final class Assets: AssetProbe {
  let fonts = FontLibrary()
  private(set) var images: [String: Bitmap] = [:]

  private var systemFonts: SystemFonts?
  private var imageProblems: [String: String] = [:]
  private var fontProblems: [FontName: String?] = [:]

  /// The files that were read or looked for, but for the fonts of the system.
  var files: [String] {
    Array(images.keys) + imageProblems.keys + fontProblems.keys.filter(\.isFile).map(\.family)
  }

  func imageProblem(at path: String) -> String? {
    if images[path] != nil { return nil }
    if let problem = imageProblems[path] { return problem }
    do {
      images[path] = try PNG.decode(try Files.read(path, "image"))
      return nil
    } catch let failure as Failure {
      imageProblems[path] = failure.message
    } catch {
      imageProblems[path] = "\(error)"
    }
    return imageProblems[path]
  }

  func fontProblem(_ family: String, bold: Bool) -> String? {
    let name = FontName(family, bold: bold)
    if let known = fontProblems[name] { return known }
    let problem: String?
    do {
      try add(name)
      problem = nil
    } catch {
      problem = "\(error)"
    }
    fontProblems[name] = .some(problem)
    return problem
  }

  private func add(_ name: FontName) throws {
    let file =
      name.isFile
      ? FontFile(path: name.family)
      : try knownFonts().file(for: name.family, bold: name.bold)
    // A family without a bold face has its regular one made bold by the typesetter, which needs to
    // know that one, and no other under the bold one's name.
    let face = name.bold && !file.isBold ? FontName(name.family) : name
    if !fonts.contains(face) {
      try fonts.add(face, bytes: try FontFile.read(file.path), faceIndex: file.faceIndex)
    }
  }

  /// Makes the system's own font known, for characters that a kiosk's font lacks. A machine without
  /// one shows boxes for them.
  func addFallback() {
    let name = FontName("sans-serif")
    if fontProblem(name.family, bold: false) == nil { fonts.fallbacks = [name] }
  }

  /// Fontconfig takes milliseconds to start, which a kiosk that names font files need not spend.
  private func knownFonts() throws(SystemFontError) -> SystemFonts {
    if let systemFonts { return systemFonts }
    let fonts = try SystemFonts()
    systemFonts = fonts
    return fonts
  }
}
