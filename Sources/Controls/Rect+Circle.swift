// SPDX-License-Identifier: MIT

internal import Geometry

extension Rect {
  init(around center: Point, _ radius: Double) {
    self.init(center: center, size: Size(2 * radius, 2 * radius))
  }
}
