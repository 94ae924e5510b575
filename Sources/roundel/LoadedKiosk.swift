// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import Kiosk
import KioskFile
import Raster

/// A kiosk file that was read and found good, with everything that it shows.
struct LoadedKiosk {
  var description: Description
  var assets: Assets

  /// Reads the file at `path`. Its mistakes go to the standard error; with an error among them, the
  /// kiosk is bad.
  init(_ path: String) throws(Failure) {
    let assets = Assets()
    let reading = Reading(try Files.read(path, "the kiosk file"), path: path, assets: assets)
    for mistake in reading.mistakes { StandardError.write("\(mistake)\n") }
    guard let description = reading.description else { throw Failure(.badFile) }
    assets.addFallback()
    self.description = description
    self.assets = assets
  }

  /// The rotation of the panel: the command's, else the file's.
  func rotation(_ override: Rotation?) -> Rotation { override ?? description.screen.rotation }

  /// The panel on which the kiosk is shown at its design size.
  func designPanel(_ rotation: Rotation) -> PixelSize {
    let size = description.screen.size
    return rotation.applied(
      to: PixelSize(max(1, Int(size.width.rounded())), max(1, Int(size.height.rounded()))))
  }

  /// A painter for an upright canvas.
  func painter(canvas: PixelSize) -> Painter {
    Painter(
      size: canvas, viewport: Viewport(fitting: description.screen.size, into: canvas),
      fonts: assets.fonts, images: assets.images)
  }
}
