// SPDX-License-Identifier: MIT

package import RoundelAudio
package import RoundelDrawing
internal import RoundelGeometry
package import KioskFile
internal import LinuxIO
internal import RoundelDeclarations
package import RoundelRaster
internal import SystemFonts
package import RoundelText

/// The fonts, images and sounds of a kiosk. Checking an asset also loads it.
package final class Assets: AssetLoader {
  private let fontLoader = FontLoader()
  package private(set) var images: [String: ImageFile] = [:]
  private var ignoredProfiles: [String: IgnoredProfile] = [:]

  package private(set) var sounds: [String: Sound] = [:]

  private var imageBytes = 0
  private var soundBytes = 0
  /// Programs are searched next to the original of a copied file.
  private let original: String?

  /// The unsaved content of a file in an editor, or nil to use the file on disk.
  package var unsaved: (_ path: String) -> [UInt8]? = { _ in nil }

  package init(of original: String? = nil) { self.original = original }

  package var fonts: FontLibrary { fontLoader.library }

  /// Limits all decoded images of a kiosk.
  private static let maximumImageBytes = 128 << 20
  /// Limits decoding of an image with 16 bits per channel.
  private static let maximumDecodingBytes = 160 << 20

  package func loadImage(at path: String) throws(AssetError) {
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
          its \(header.size) pixels need \(own.mebibytes) MiB, and the previous images \
          \(imageBytes.mebibytes) MiB (at most \(Self.maximumImageBytes >> 20) MiB for all images \
          of a kiosk)
          """, expected: "an image scaled down to its size on the panel")
      }
      images[path] = try ImageFile(bytes)
      ignoredProfiles[path] = IgnoredProfile(of: bytes)
      imageBytes += own
    } catch let error as AssetError {
      throw error
    } catch let failure as Failure {
      throw AssetError(failure.message)
    } catch {
      throw AssetError("\(error)")
    }
  }

  package func loadSound(at path: String) throws(AssetError) {
    guard sounds[path] == nil else { return }
    do {
      let sound = try Sound(fileAt: path)
      guard soundBytes + sound.cost <= Sound.maximumBytes else {
        throw AssetError(
          """
          its samples need \(sound.cost.mebibytes) MiB, and the previous sounds \
          \(soundBytes.mebibytes) MiB (at most \(Sound.maximumBytes >> 20) MiB for all sounds of a kiosk)
          """)
      }
      sounds[path] = sound
      soundBytes += sound.cost
    } catch let failure as Failure {
      throw AssetError(failure.message)
    } catch {
      throw AssetError("\(error)")
    }
  }

  package func ignoredProfile(ofImageAt path: String) -> String? {
    ignoredProfiles[path]?.description
  }

  package func loadFont(_ face: FaceName) throws(AssetError) {
    do {
      try fontLoader.load(face)
    } catch {
      throw AssetError("\(error)")
    }
  }

  package func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    if let bytes = unsaved(path) { return bytes }
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

  package func loadOverlay(of path: String) throws(AssetError) -> (path: String, text: [UInt8])? {
    let overlay = Self.overlay(of: path)
    guard Folder.isAnythingAt(overlay) else { return nil }
    do throws(Failure) {
      return (overlay, try Files.read(overlay, .part))
    } catch {
      throw AssetError(error.message)
    }
  }

  /// The machine's override file, such as `lunch.overlay.yaml` next to `lunch.yaml`.
  package static func overlay(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return "\(folder)\(KioskFileName(path).stem).overlay.yaml"
  }

  package func findProgram(_ name: String, for kiosk: String) throws(AssetError) {
    _ = try Programs.path(of: name, for: original ?? kiosk)
  }

  package func findIcon(_ name: String) throws(AssetError) {
    guard let icons = fontLoader.icons else { throw .noIcons }
    guard icons[name] == nil else { return }
    // A name that contains the word is second best, such as `lock_open` for `open`.
    let names = icons.names
    let long = names.filter { $0.split(separator: "_").contains(Substring(name)) }
    let near = Array((names.similar(to: name) + long).prefix(3))
    throw AssetError(
      "there is no such icon" + (near.isEmpty ? "" : "; did you mean \(near.alternatives)?"))
  }

  package func addFallback() { fontLoader.loadFallback() }
}

extension Sound {
  /// Limits all sounds of a kiosk.
  fileprivate static let maximumBytes = 32 << 20

  package init(fileAt path: String) throws {
    try self.init(Files.read(path, .sound))
  }
}

extension Int {
  /// The size in MiB, rounded up.
  fileprivate var mebibytes: Int { (self + (1 << 20) - 1) >> 20 }
}
