// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import KioskFile
import Raster
import SystemFonts
import Text

/// The fonts and images of a kiosk. What passes the check is loaded, there to be shown.
final class Assets: AssetLoader {
  let fonts = FontLibrary()
  private(set) var images: [String: ImageFile] = [:]

  private var systemFonts: SystemFonts?
  private var imageBytes = 0
  private var fontBytes = 0

  /// What all images of a kiosk may take once they are decoded.
  private static let maximumImageBytes = 128 << 20
  /// What they may take while one of them is decoded from 16 bits a channel.
  private static let maximumDecodingBytes = 160 << 20
  /// What all font files of a kiosk may take. One for Chinese, Japanese and Korean takes 20 MiB.
  private static let maximumFontBytes = 48 << 20

  func loadImage(at path: String) throws(AssetError) {
    guard images[path] == nil else { return }
    do {
      let bytes = try Files.read(path, .image)
      let header = try ImageFile.header(bytes)
      let own = header.size.width * header.size.height * 4
      guard imageBytes + own <= Self.maximumImageBytes,
        imageBytes + header.decodingBytes <= Self.maximumDecodingBytes
      else {
        throw AssetError(
          """
          its \(header.size) pixels take \(own.mebibytes) MiB, and the images before it \
          \(imageBytes.mebibytes) MiB (at most \(Self.maximumImageBytes >> 20) MiB for all images \
          of a kiosk)
          """)
      }
      images[path] = try ImageFile(bytes)
      imageBytes += own
    } catch let failure as Failure {
      throw AssetError(failure.message)
    } catch {
      throw AssetError("\(error)")
    }
  }

  func loadFont(_ family: String, bold: Bool) throws(AssetError) {
    do {
      try add(FontName(family, bold: bold))
    } catch {
      throw AssetError("\(error)")
    }
  }

  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    do {
      let real = try Files.realPath(path)
      let top = try Files.realPath(folder.isEmpty ? "." : folder)
      guard real.hasPrefix(top.hasSuffix("/") ? top : top + "/") else {
        throw AssetError("it is a link out of the kiosk's folder")
      }
      return try Files.read(real, .part)
    } catch let failure as Failure {
      throw AssetError(failure.message)
    } catch let error as AssetError {
      throw error
    } catch {
      throw AssetError("\(error)")
    }
  }

  func findProgram(_ name: String, for kiosk: String) throws(AssetError) {
    _ = try Programs.path(of: name, for: kiosk)
  }

  private func add(_ name: FontName) throws {
    let file =
      name.isFile
      ? FontFile(path: name.family)
      : try knownFonts().file(for: name.family, bold: name.bold)
    // A family without a bold face has its regular one made bold by the typesetter, which needs to
    // know that one, and no other under the bold one's name.
    let face = name.bold && !file.isBold ? FontName(name.family) : name
    guard !fonts.contains(face) else { return }
    let bytes = try FontFile.read(file.path, maximumBytes: Self.maximumFontBytes - fontBytes)
    try fonts.add(face, bytes: bytes, faceIndex: file.faceIndex)
    fontBytes += bytes.count
  }

  /// Makes the system's own font known, for characters that a kiosk's font lacks. A machine without
  /// one shows boxes for them.
  func addFallback() {
    let name = FontName("sans-serif")
    do throws(AssetError) {
      try loadFont(name.family, bold: false)
      fonts.fallbacks = [name]
    } catch {
      // That is such a machine.
    }
  }

  /// Fontconfig takes milliseconds to start, which a kiosk that names font files need not spend.
  private func knownFonts() throws(SystemFontError) -> SystemFonts {
    if let systemFonts { return systemFonts }
    let fonts = try SystemFonts()
    systemFonts = fonts
    return fonts
  }
}

extension Int {
  /// Bytes in MiB, rounded up.
  fileprivate var mebibytes: Int { (self + (1 << 20) - 1) >> 20 }
}
