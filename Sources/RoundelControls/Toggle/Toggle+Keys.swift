// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry

extension Toggle {
  package static let keys = ControlKeys<Toggle>(
    "toggle", "A switch that is on or off.", home: .flag("value")
  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height, including the label.")
    keys.optional("label", .text, default: "", "The text next to the switch.", at: \Toggle.label)
    let value = keys.optional(
      "value", .flag.as(.state), default: false, "Whether the switch is initially on.")
    keys.optional(
      "on_color", .color, default: "accent", "The colour of the switch while it is on.",
      at: \Toggle.onColor)
    keys.optional(
      "color", .color, default: "surface", "The colour of the switch while it is off.",
      at: \Toggle.color)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size of the label. The default depends on the height and the theme.",
      at: \Toggle.fontSize)
    keys.textColor("the label", at: \Toggle.textColor)
    return { fields in
      fields.target("the toggle", size: fields[size], at: size)
      return Toggle(center: fields[at], size: fields[size], value: fields[value])
    }
  }
}
