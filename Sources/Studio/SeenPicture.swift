// SPDX-License-Identifier: MIT

internal import Geometry

/// The identity of a page's current picture.
enum SeenPicture: Hashable {
  /// A picture of the local kiosk.
  case here(frame: Int, PanelFace)
  /// A picture of the kiosk on another machine.
  case there(frame: Int, PixelSize)
}
