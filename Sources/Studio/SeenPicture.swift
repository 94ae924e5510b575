// SPDX-License-Identifier: MIT

internal import Geometry

/// The identity of a page's current picture.
enum SeenPicture: Hashable {
  case here(frame: Int, PanelFace)
  case there(frame: Int, PixelSize)
}
