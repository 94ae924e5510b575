// SPDX-License-Identifier: MIT

import ArgumentParser
import Drawing
import Geometry

/// Overrides of the kiosk file's picture settings.
struct PictureOptions: ParsableArguments {
  @Option(help: "How the picture is turned on the panel (default: as the file says).")
  var rotate: Rotation?

  @Option(
    help:
      "The bits of colour that the panel shows, to which the picture is dithered (default: as the file says)."
  )
  var depth: ColorDepth?
}
