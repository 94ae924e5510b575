// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Geometry
internal import Motion

extension ControlType {
  static let button = ControlType(
    "button", "A push button.", events: EventType.choosing([.label])
  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height.")
    let text = keys.optional("text", .text, default: "", "Its text.")
    let icon = IconKeys(&keys, "Beside the text, or above it on a button as high as wide")
    let fontSize = keys.optional(
      "font_size", .fontSize, "Maximum size of the text; by the height and the theme.")
    let color = keys.optional("color", .color, default: "surface", "Its colour.")
    let textColor = keys.optional(
      "text_color", .color, "Colour of the text; black or white, by contrast.")
    let shape = keys.optional(
      "shape", .choice(["round": Button.Shape.round, "rounded": .rounded]), default: "round",
      "A disc or pill, or a rectangle with rounded corners.")
    let blink = keys.optional(
      "blink", Table<Blink.Pattern>.blink.form, "How it blinks when chosen; not at all.")
    return { fields in
      fields.target("the button", room: fields[size], at: size)
      return Button(
        center: fields[at], size: fields[size], text: fields[text], icon: icon.icon(fields),
        fontSize: fields[fontSize],
        color: fields[color], textColor: fields[textColor], shape: fields[shape],
        blink: fields[blink] ?? .none, iconFont: icon.font(fields))
    }
  }
}
