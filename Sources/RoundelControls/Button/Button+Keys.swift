// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension Button {
  package static let keys = ControlKeys<Button>(
    "button", "A push button.", home: .events(EventType.choices, deviceClass: "button")
  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height.")
    keys.optional("text", .text, default: "", "The text.", at: \Button.text)
    keys.optional(
      "image", .image, "An image that covers the button, behind the icon and the text.",
      at: \Button.image)
    keys.optional("hit", .hit, Hit.summary, at: \Button.hit)
    let icon = keys.icon(
      "The icon next to the text, or above it unless the button is wide", at: \Button.icon)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size. The default depends on the height and the theme.",
      at: \Button.fontSize)
    keys.optional("color", .color, default: "surface", "The colour.", at: \Button.color)
    keys.textColor("the text", at: \Button.textColor)
    keys.optional(
      "shape", .choice(["round": Button.Shape.round, "rounded": .rounded]), default: "round",
      "The outline: a disc or pill, or a rectangle with rounded corners.", at: \Button.shape)
    keys.optional(
      "blink", Table<Blink.Pattern>.blink.form,
      "The blinking after a selection. By default, the button doesn't blink.",
      at: \Button.explicitBlink)
    keys.selected("the button", at: \Button.isSelected)
    keys.hold(at: \Button.hold)
    return { fields in
      fields.target("the button", size: fields[size], at: size)
      return Button(center: fields[at], size: fields[size], text: "", iconFont: icon.font(fields))
    }
  }
}
