// SPDX-License-Identifier: MIT

package import RoundelGeometry
internal import Kiosk
package import KioskFile
package import KioskService
package import LinuxIO
internal import RoundelMotion
internal import RoundelReview
package import RoundelRuntime
package import RoundelDeclarations

package struct KioskReading {
  /// Fails if `diagnostics` contains errors.
  package let content: Result<Content, Failure>
  /// All diagnostics after `review`, otherwise those found while reading.
  package private(set) var diagnostics: [Diagnostic]
  let search: WarningSearch?
  /// Includes missing files.
  package let files: [String]
  /// The version, or nil if the file can't be read.
  package let identity: FileIdentity?

  private static let maximumReasons = 20

  /// The errors, one per line. A long list is cut short.
  package var reasons: [String] {
    let errors = diagnostics.filter { $0.severity == .error }
    let more = errors.count - Self.maximumReasons
    return errors.prefix(Self.maximumReasons).map(\.description)
      + (more > 0 ? ["and \(more) more"] : [])
  }

  /// The canvas is unrotated.
  package init(
    _ path: String, copyOf original: String? = nil, canvas: PixelSize?, source: KioskSource = .file
  ) {
    self.init(path, copyOf: original, panel: canvas, rotation: Rotation.none, source: source)
  }

  /// The programs of a copy are next to its original.
  ///
  /// - Parameters:
  ///   - panel: The size in pixels, which selects one of the file's, or nil for the first.
  ///   - rotation: The rotation of the picture on the panel, or nil to use the file's.
  package init(
    _ path: String, copyOf original: String? = nil, panel: PixelSize? = nil,
    rotation: Rotation? = nil, source: KioskSource = .file
  ) {
    do throws(Failure) {
      let assets = Assets(of: original)
      let text =
        if let text = source.text { text } else { try Files.read(path, .checkedKiosk) }
      let reading = ParsedKiosk(
        text, path: path, assets: assets, panel: panel, rotation: rotation, source: source)
      diagnostics = reading.diagnostics
      files = reading.files(of: path)
      search = WarningSearch(of: reading, assets, panel)
      identity = FileIdentity(sha256: SHA256.text(of: text), bundle: BundleFolder.version(of: path))
      if let description = reading.description {
        content = .success(
          Content(
            description, fonts: assets.fonts, images: assets.images, sounds: assets.sounds))
      } else {
        content = .failure(Failure(.badFile))
      }
    } catch {
      content = .failure(error)
      diagnostics = []
      files = [path]
      search = nil
      identity = nil
    }
  }

  package mutating func review() {
    if let search { diagnostics = search.end(merging: diagnostics) }
  }

  package consuming func reviewed() -> KioskReading {
    review()
    return self
  }
}

extension TimeLimit {
  /// Includes images and fonts. The largest permitted file takes two seconds on a small board.
  package static var ofKioskFile: TimeLimit {
    TimeLimit(seconds: 10, from: MonotonicClock.now)
  }

  /// A limit for warnings, which take a few milliseconds for most kiosks.
  static var ofReview: TimeLimit { TimeLimit(seconds: 1, from: MonotonicClock.now) }

  private convenience init(seconds: Double, from start: Timestamp) {
    self.init(seconds: seconds) { MonotonicClock.now - start }
  }
}
