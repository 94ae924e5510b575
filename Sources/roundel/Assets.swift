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
      let file: FontFile
      if family.contains("/") || family.hasSuffix(".ttf") || family.hasSuffix(".otf")
        || family.hasSuffix(".ttc") || family.hasSuffix(".woff")
      {
        file = FontFile(path: family)
      } else {
        file = try knownFonts().file(for: family, bold: bold)
      }
      try fonts.add(name, bytes: try FontFile.read(file.path), faceIndex: file.faceIndex)
      problem = nil
    } catch {
      problem = "\(error)"
    }
    fontProblems[name] = .some(problem)
    return problem
  }

  /// Fontconfig takes milliseconds to start, which a kiosk that names font files need not spend.
  private func knownFonts() throws(SystemFontError) -> SystemFonts {
    if let systemFonts { return systemFonts }
    let fonts = try SystemFonts()
    systemFonts = fonts
    return fonts
  }
}
