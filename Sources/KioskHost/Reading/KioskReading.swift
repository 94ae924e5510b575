// SPDX-License-Identifier: MIT

package import Geometry
internal import Kiosk
internal import KioskFile
package import KioskService
package import LinuxIO
internal import Motion
internal import Review
package import Runtime
package import Declarations

/// A kiosk file as it was read, with all that it shows.
package struct KioskReading {
  /// With an error among the mistakes, the kiosk is bad.
  package let content: Result<Content, Failure>
  /// The mistakes that reading finds, and after `review` all mistakes.
  package private(set) var mistakes: [Mistake]
  /// The search for the other mistakes.
  let search: WarningSearch?
  /// The files that were read or looked for.
  package let files: [String]
  /// The kiosk file among its versions; nil where it cannot be read.
  package let identity: FileIdentity?

  private static let maximumReasons = 20

  /// Why the kiosk is bad, as lines; with many mistakes, the first of them.
  package var reasons: [String] {
    let errors = mistakes.filter { $0.severity == .error }
    let more = errors.count - Self.maximumReasons
    return errors.prefix(Self.maximumReasons).map(\.description)
      + (more > 0 ? ["and \(more) more"] : [])
  }

  /// Reads the file at `path`; a copy's programs are those beside its original. `canvas` is the upright canvas on
  /// which it is shown.
  package init(_ path: String, copyOf original: String? = nil, canvas: PixelSize?) {
    self.init(path, copyOf: original, panel: canvas, rotation: Rotation.none)
  }

  /// Reads the file at `path`; a copy's programs are those beside its original.
  ///
  /// - Parameters:
  ///   - panel: the pixels of the panel, by which a file with several sizes is laid out; nil for its first size.
  ///   - rotation: how the picture is turned on the panel; nil for as the file says.
  package init(
    _ path: String, copyOf original: String? = nil, panel: PixelSize? = nil,
    rotation: Rotation? = nil
  ) {
    do throws(Failure) {
      let assets = Assets(of: original)
      let text = try Files.read(path, .checkedKiosk)
      let reading = ParsedKiosk(
        text, path: path, assets: assets, panel: panel, rotation: rotation)
      mistakes = reading.mistakes
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
      mistakes = []
      files = [path]
      search = nil
      identity = nil
    }
  }

  /// Adds the warnings of what is shown, but not well.
  package mutating func review() {
    if let search { mistakes = search.end(besides: mistakes) }
  }

  /// The same with these warnings.
  package consuming func reviewed() -> KioskReading {
    review()
    return self
  }
}

extension TimeLimit {
  /// For a kiosk file with all of its images and fonts. The largest that is allowed takes two seconds
  /// on a small board.
  package static var ofKioskFile: TimeLimit {
    TimeLimit(seconds: 10, from: MonotonicClock.now)
  }

  /// For warnings, which take a few milliseconds for most kiosks.
  static var ofReview: TimeLimit { TimeLimit(seconds: 1, from: MonotonicClock.now) }

  private convenience init(seconds: Double, from start: Timestamp) {
    self.init(seconds: seconds) { MonotonicClock.now - start }
  }
}
