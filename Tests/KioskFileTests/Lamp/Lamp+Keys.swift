// SPDX-License-Identifier: MIT

package import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

extension Lamp {
  package static let keys = ControlKeys<Lamp>(
    "lamp", "A lamp that is dark, lit or blinks.", home: .reading("state")
  ) { keys, at in
    let radius = keys.required("radius", .length, "Its radius.")
    let state = keys.optional(
      "state",
      .choice(["dark": Lamp.State.dark, "lit": .lit, "blinking": .blinking]).as(.state),
      default: "dark", "How it is initially.")
    keys.optional(
      "color", .color, default: "accent", "Its colour while it is lit.", at: \Lamp.color)
    keys.optional(
      "period", .number(0.05...60, "seconds"), default: 0.5,
      "The time from one change to the next while it blinks, in seconds.", at: \Lamp.period)
    return { fields in
      fields.target("the lamp", size: Size(2 * fields[radius], 2 * fields[radius]), at: radius)
      return Lamp(center: fields[at], radius: fields[radius], state: fields[state])
    }
  }
}
