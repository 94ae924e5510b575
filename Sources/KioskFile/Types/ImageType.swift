// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Geometry

extension ControlType {
  static let image = ControlType("image", "A picture.") { keys, at in
    let file = keys.required("file", .image, "A PNG or JPEG file, relative to this file.")
    let size = keys.required("size", .size(), "Width and height of the frame that it fills.")
    let fit = keys.optional(
      "fit", .choice(["contain": ImageFit.contain, "cover": .cover, "fill": .fill]),
      default: "contain",
      """
      How it fills a frame of other proportions: whole and centred, covering all of it with its \
      sides cut off, or stretched.
      """)
    return { fields in
      Picture(center: fields[at], image: fields[file], size: fields[size], fit: fields[fit])
    }
  }
}
