// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

extension Picture {
  package static let keys = ControlKeys<Picture>("image", "An image.", home: .reading("file")) {
    keys, at in
    keys.required("file", .image, "A PNG or JPEG file, relative to this file.", at: \Picture.image)
    let size = keys.required("size", .size(), "Width and height of the frame.")
    keys.optional(
      "fit", .imageFit, default: "contain",
      "The scaling to a frame with another aspect ratio: complete and centred, cropped to cover the frame, or stretched.",
      at: \Picture.fit)
    keys.hold(at: \Picture.hold)
    return { fields in Picture(center: fields[at], image: "", size: fields[size]) }
  }
}
