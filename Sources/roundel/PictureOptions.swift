// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDrawing
import RoundelGeometry

/// Overrides of the kiosk file's picture settings.
struct PictureOptions: ParsableArguments {
  @Option(help: "The picture's rotation on the panel (default: from the file).")
  var rotate: Rotation?

  @Option(
    help:
      "The panel's colour depth in bits, to which the picture is dithered (default: from the file)."
  )
  var depth: ColorDepth?
}
