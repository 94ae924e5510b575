// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Geometry
internal import Motion

extension Button {
  package static let keys = ControlKeys<Button>(
    "button", "A push button.",
    home: .events(EventType.choosing, deviceClass: "button")
  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height.")
    keys.optional("text", .text, default: "", "Its text.", at: \Button.text)
    keys.optional(
      "image", .image, "A picture that covers all of it, behind icon and text.", at: \Button.image)
    keys.optional("hit", .hit, Hit.summary, at: \Button.hit)
    let icon = IconKeys(
      &keys, "Beside the text, or above it on a button as high as wide", at: \Button.icon)
    keys.optional(
      "font_size", .fontSize, "Maximum size of the text; by the height and the theme.",
      at: \Button.fontSize)
    keys.optional("color", .color, default: "surface", "Its colour.", at: \Button.color)
    keys.optional(
      "text_color", .color, "Colour of the text; black or white, by contrast.",
      at: \Button.textColor)
    keys.optional(
      "shape", .choice(["round": Button.Shape.round, "rounded": .rounded]), default: "round",
      "A disc or pill, or a rectangle with rounded corners.", at: \Button.shape)
    keys.optional(
      "blink", Table<Blink.Pattern>.blink.form, "How it blinks when chosen; not at all.",
      at: \Button.ownBlink)
    keys.hold(at: \Button.hold)
    return { fields in
      fields.target("the button", room: fields[size], at: size)
      return Button(
        center: fields[at], size: fields[size], text: "", iconFont: icon.font(fields))
    }
  }
}
