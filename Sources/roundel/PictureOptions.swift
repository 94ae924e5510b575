// SPDX-License-Identifier: MIT

import ArgumentParser
import Drawing
import Geometry

/// How a panel shows the picture, where that is not as the kiosk file says.
struct PictureOptions: ParsableArguments {
  @Option(help: "How the picture is turned on the panel (default: as the file says).")
  var rotate: Rotation?

  @Option(
    help:
      "The bits of colour that the panel shows, to which the picture is dithered (default: as the file says)."
  )
  var depth: ColorDepth?
}
