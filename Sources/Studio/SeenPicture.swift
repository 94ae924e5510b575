// SPDX-License-Identifier: MIT

internal import Geometry

/// The picture that a page shows.
enum SeenPicture: Hashable {
  /// A picture of the kiosk that lives here.
  case here(frame: Int, PanelFace)
  /// A picture of the kiosk that runs on another machine.
  case there(frame: Int, PixelSize)
}
