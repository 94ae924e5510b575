// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry

extension ControlType {
  static let toggle = ControlType(
    "toggle", "A switch that is on or off.",
    events: EventType.all(
      ["pressed", "changed", "cancelled"], [.label, EventField("value", .flag)])

  ) { keys, at in
    let size = keys.required("size", .size(), "Width and height, the label included.")
    let label = keys.optional("label", .text, default: "", "Text beside the switch.")
    let value = keys.optional(
      "value", .flag.as(.state), default: false, "Whether it is on initially.")
    let onColor = keys.optional(
      "on_color", .color, default: "accent", "Colour of the switch while it is on.")
    let color = keys.optional("color", .color, default: "surface", "Colour while it is off.")
    let fontSize = keys.optional(
      "font_size", .fontSize, "Maximum size of the label; by the height and the theme.")
    let textColor = keys.optional(
      "text_color", .color, "Colour of the label; the theme's, or black or white, by contrast.")
    return { fields in
      fields.target("the toggle", room: fields[size], at: size)
      return Toggle(
        center: fields[at], size: fields[size], label: fields[label], value: fields[value],
        color: fields[color], onColor: fields[onColor], fontSize: fields[fontSize],
        textColor: fields[textColor])
    }
  }
}
