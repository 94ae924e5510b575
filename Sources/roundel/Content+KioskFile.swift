// SPDX-License-Identifier: MIT

import Geometry
import Kiosk
import KioskFile
import LinuxIO
import Motion
import Runtime
import YAML

extension Content {
  /// Reads the kiosk file at `path`, and all that it shows. Its mistakes go to the standard error;
  /// with an error among them, the kiosk is bad.
  init(kioskFile path: String) throws(Failure) {
    let assets = Assets()
    let reading = Reading(
      try Files.read(path, .kiosk), path: path, assets: assets, limit: .ofKioskFile)
    for mistake in reading.mistakes { StandardError.write("\(mistake)\n") }
    guard let description = reading.description else { throw Failure(.badFile) }
    assets.addFallback()
    self.init(description, fonts: assets.fonts, images: assets.images)
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
