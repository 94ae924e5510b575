// SPDX-License-Identifier: MIT

/// How a panel's memory holds a pixel. Names and layouts are those of `drm_fourcc.h`: the highest
/// bits first, stored as a little-endian word.
package enum PixelFormat: CaseIterable, Hashable, Sendable {
  case xrgb8888
  /// As `xrgb8888`, for planes that take nothing else; alpha is always 255.
  case argb8888
  /// Ordered dithering hides the steps.
  case rgb565

  package var bytesPerPixel: Int {
    switch self {
    case .xrgb8888, .argb8888: 4
    case .rgb565: 2
    }
  }
}
