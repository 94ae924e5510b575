// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Geometry

extension Picture {
  package static let keys = ControlKeys<Picture>(
    "image", "A picture.",
    home: .reading("file")
  ) { keys, at in
    keys.required("file", .image, "A PNG or JPEG file, relative to this file.", at: \Picture.image)
    let size = keys.required("size", .size(), "Width and height of the frame that it fills.")
    keys.optional(
      "fit", .imageFit, default: "contain",
      """
      How it fills a frame of other proportions: whole and centred, covering all of it with its \
      sides cut off, or stretched.
      """, at: \Picture.fit)
    keys.hold(at: \Picture.hold)
    return { fields in Picture(center: fields[at], image: "", size: fields[size]) }
  }
}
