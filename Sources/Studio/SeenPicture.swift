// SPDX-License-Identifier: MIT

internal import Geometry

/// What a page shows of a picture.
enum SeenPicture: Hashable {
  /// Of the kiosk that lives here.
  case here(frame: Int, PanelFace)
  /// Of the one that runs on another machine.
  case there(frame: Int, PixelSize)
}
