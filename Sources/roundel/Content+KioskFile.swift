// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import Kiosk
import KioskFile
import LinuxIO
import Motion
import Runtime
import YAML

/// What came of reading a kiosk file, and all that it shows.
struct KioskReading {
  /// With an error among the mistakes, the kiosk is bad.
  let content: Result<Content, Failure>
  let mistakes: [Mistake]
  /// The files that were read or looked for.
  let files: [String]

  private static let maximumReasons = 20

  /// Why the kiosk is bad, as lines; with many mistakes, the first of them.
  var reasons: [String] {
    let errors = mistakes.filter { $0.severity == .error }
    let more = errors.count - Self.maximumReasons
    return errors.prefix(Self.maximumReasons).map(\.description)
      + (more > 0 ? ["and \(more) more"] : [])
  }

  init(_ path: String) {
    do throws(Failure) {
      let assets = Assets()
      let reading = Reading(
        try Files.read(path, .kiosk), path: path, assets: assets, limit: .ofKioskFile)
      mistakes = reading.mistakes
      files = [path] + reading.images + reading.fonts.filter(\.isFile).map(\.family)
      if let description = reading.description {
        assets.addFallback()
        content = .success(Content(description, fonts: assets.fonts, images: assets.images))
      } else {
        content = .failure(Failure(.badFile))
      }
    } catch {
      content = .failure(error)
      mistakes = []
      files = [path]
    }
  }
}

extension Content {
  /// Reads the kiosk file at `path`, and all that it shows. Its mistakes go to the standard error;
  /// with an error among them, the kiosk is bad.
  init(kioskFile path: String) throws(Failure) {
    let reading = KioskReading(path)
    for mistake in reading.mistakes { StandardError.write("\(mistake)\n") }
    self = try reading.content.get()
  }

  /// The rotation of the panel: the command's, else the file's.
  func rotation(_ override: Rotation?) -> Rotation { override ?? description.screen.rotation }
}

extension TimeLimit {
  /// For a kiosk file with all of its images and fonts. The largest that is allowed takes two seconds
  /// on a small board.
  static var ofKioskFile: TimeLimit {
    let start = MonotonicClock.now
    return TimeLimit(seconds: 10) { MonotonicClock.now - start }
  }
}
