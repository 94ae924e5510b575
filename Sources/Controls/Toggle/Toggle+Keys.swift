// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry

extension Toggle {
  package static let keys = ControlKeys<Toggle>(
    "toggle", "A switch that is on or off.",
    home: .flag("value")
  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height, the label included.")
    keys.optional("label", .text, default: "", "Text beside the switch.", at: \Toggle.label)
    let value = keys.optional(
      "value", .flag.as(.state), default: false, "Whether it is on initially.")
    keys.optional(
      "on_color", .color, default: "accent", "Colour of the switch while it is on.",
      at: \Toggle.onColor)
    keys.optional("color", .color, default: "surface", "Colour while it is off.", at: \Toggle.color)
    keys.optional(
      "font_size", .fontSize, "Maximum size of the label; by the height and the theme.",
      at: \Toggle.fontSize)
    keys.optional(
      "text_color", .color, "Colour of the label; the theme's, or black or white, by contrast.",
      at: \Toggle.textColor)
    return { fields in
      fields.target("the toggle", room: fields[size], at: size)
      return Toggle(center: fields[at], size: fields[size], value: fields[value])
    }
  }
}
