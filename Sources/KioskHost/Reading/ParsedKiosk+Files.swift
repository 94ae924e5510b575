// SPDX-License-Identifier: MIT

internal import Drawing
package import Geometry
internal import Kiosk
package import KioskFile
package import KioskProtocol
package import LinuxIO
internal import Review
internal import Declarations
internal import Raster

extension ParsedKiosk {
  /// Reads the kiosk file at `path`, with all that it shows and how well, with these settings, on a panel.
  package init(
    kioskFile path: String, assets: Assets, settings: [Assignment] = [], panel: PixelSize? = nil
  ) throws(Failure) {
    try self.init(
      Files.read(path, .kiosk), kioskFile: path, assets: assets, settings: settings, panel: panel)
  }

  /// The same, of its bytes.
  init(
    _ text: [UInt8], kioskFile path: String, assets: Assets, settings: [Assignment] = [],
    panel: PixelSize? = nil
  ) throws(Failure) {
    self.init(text, path: path, assets: assets, limit: .ofKioskFile)
    guard let description else { return }
    var start = Engine(description, seed: 0)
    try start.prepare(page: nil, settings: settings)
    review(from: start, assets, panel)
  }

  /// The same of a file whose content is `text`, without settings.
  package init(reviewing text: [UInt8], path: String, assets: Assets) {
    self.init(text, path: path, assets: assets, limit: .ofKioskFile)
    if let description { review(from: Engine(description, seed: 0), assets) }
  }

  private mutating func review(
    from start: Engine, _ assets: Assets, _ panel: PixelSize? = nil
  ) {
    assets.addFallback()
    review(
      with: assets.fonts, images: assets.images.mapValues(\.mask), panel: panel, limit: .ofReview,
      from: start)
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
