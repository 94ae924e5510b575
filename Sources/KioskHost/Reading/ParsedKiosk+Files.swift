// SPDX-License-Identifier: MIT

internal import Drawing
internal import Kiosk
package import KioskFile
package import KioskProtocol
package import LinuxIO
internal import Review
internal import Declarations

extension ParsedKiosk {
  /// Reads the kiosk file at `path`, with all that it shows and how well, with these settings.
  package init(
    kioskFile path: String, assets: Assets, settings: [Assignment] = []
  ) throws(Failure) {
    try self.init(Files.read(path, .kiosk), kioskFile: path, assets: assets, settings: settings)
  }

  /// The same, of its bytes.
  init(
    _ text: [UInt8], kioskFile path: String, assets: Assets, settings: [Assignment] = []
  ) throws(Failure) {
    self.init(text, path: path, assets: assets, limit: .ofKioskFile)
    guard let description else { return }
    var start = Engine(description, seed: 0)
    try start.prepare(page: nil, settings: settings)
    review(from: start, assets)
  }

  /// The same of a file whose content is `text`, without settings.
  package init(reviewing text: [UInt8], path: String, assets: Assets) {
    self.init(text, path: path, assets: assets, limit: .ofKioskFile)
    if let description { review(from: Engine(description, seed: 0), assets) }
  }

  private mutating func review(from start: Engine, _ assets: Assets) {
    assets.addFallback()
    review(with: assets.fonts, limit: .ofReview, from: start)
  }

  /// The files that the kiosk at `path` is made of.
  package func files(of path: String) -> [String] {
    [path] + includedFiles + images + sounds + fonts.filter(\.isFile).map(\.family)
  }

  /// The programs of the kiosk at `path` that are beside it.
  package func ownPrograms(of path: String) -> [String] {
    let folder = Programs.folder(of: path)
    return programs.compactMap { name in
      guard !name.hasPrefix("/") else { return nil }
      let place = folder + name
      return (try? Programs.path(of: name, for: path)) == place ? place : nil
    }
  }
}
