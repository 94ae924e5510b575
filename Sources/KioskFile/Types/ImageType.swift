// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import YAML

extension ControlType {
  static let image = ControlType("image", "A picture.") { keys, at in
    let file = keys.required("file", .image, "A PNG or JPEG file, relative to this file.")
    let size = keys.required("size", .size(), "Width and height to which it is stretched.")
    return { fields in
      Picture(center: fields[at], image: fields[file], size: fields[size])
    }
  }
}
