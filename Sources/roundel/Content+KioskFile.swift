// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import Kiosk
import KioskFile
import Review
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

  /// Reads the file at `path`; a copy's programs are those beside its original.
  init(_ path: String, copyOf original: String? = nil) {
    do throws(Failure) {
      let assets = Assets(of: original)
      let reading = try ParsedKiosk(kioskFile: path, assets: assets)
      mistakes = reading.mistakes
      files = reading.files(of: path)
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
    }
  }
}

extension ParsedKiosk {
  /// Reads the kiosk file at `path`, with all that it shows and how well.
  init(kioskFile path: String, assets: Assets) throws(Failure) {
    self.init(try Files.read(path, .kiosk), path: path, assets: assets, limit: .ofKioskFile)
    guard description != nil else { return }
    assets.addFallback()
    review(with: assets.fonts, limit: .ofReview)
  }

  /// The files that the kiosk at `path` is made of.
  func files(of path: String) -> [String] {
    [path] + includedFiles + images + sounds + fonts.filter(\.isFile).map(\.family)
  }

  /// The programs of the kiosk at `path` that are beside it.
  func ownPrograms(of path: String) -> [String] {
    let folder = Programs.folder(of: path)
    return programs.compactMap { name in
      guard !name.hasPrefix("/") else { return nil }
      let place = folder + name
      return (try? Programs.path(of: name, for: path)) == place ? place : nil
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

  /// How the picture is turned where no panel says how it is mounted: as the command says, else the file.
  func rotation(_ override: Rotation?) -> Rotation {
    override ?? description.screen.rotation ?? .none
  }
}

extension TimeLimit {
  /// For a kiosk file with all of its images and fonts. The largest that is allowed takes two seconds
  /// on a small board.
  static var ofKioskFile: TimeLimit {
    TimeLimit(seconds: 10, from: MonotonicClock.now)
  }

  /// For warnings, which take a few milliseconds for most kiosks.
  static var ofReview: TimeLimit { TimeLimit(seconds: 1, from: MonotonicClock.now) }

  private convenience init(seconds: Double, from start: Timestamp) {
    self.init(seconds: seconds) { MonotonicClock.now - start }
  }
}
