// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// The identity of a page's current picture.
enum SeenPicture: Hashable {
  case here(frame: Int, PanelFace)
  case there(frame: Int, PixelSize)
}
