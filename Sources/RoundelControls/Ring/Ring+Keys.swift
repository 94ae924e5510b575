// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry

extension Ring {
  package static let keys = ControlKeys<Ring>(
    "ring", "A number on an arc, or two: a gauge, a progress indicator or a slider.",
    home: .number("value")
  ) { keys, at in
    let radius = keys.required("radius", .length, "The outer radius of the arc.")
    let thickness = keys.optional(
      "thickness", .length, "The width of the arc. The default is 14 % of the radius.")
    keys.optional(
      "from", .direction, default: -135, "The direction of the minimum.", at: \Ring.from)
    keys.optional(
      "to", .direction, default: 135,
      "The direction of the maximum. If it is less than `from`, the arc runs counterclockwise.",
      at: \Ring.to)
    let numbers = SliderKeys(&keys, of: Ring.self, "arc")
    let spinning = keys.optional(
      "spinning", .flag, default: false,
      "Whether the ring spins without a value, as a busy indicator.", at: \Ring.isSpinning)
    keys.optional(
      "needle", .flag, default: false, "Whether a needle points at the value.", at: \Ring.hasNeedle)
    SliderKeys.declareTicks(&keys, of: Ring.self, "along the inside")
    keys.optional(
      "color", .color, default: "accent", "The colour of the arc up to the value.", at: \Ring.color)
    keys.optional(
      "track", .color, default: "surface", "The colour of the arc beyond the value.",
      at: \Ring.track)
    let text = keys.optional(
      "text", .text.as(.state), default: "",
      "The text in the centre, which may contain {expressions}.")
    keys.optional(
      "font_size", .fontSize, "The maximum font size. By default, it is derived from the radius.",
      at: \Ring.fontSize)
    keys.textColor("the text", at: \Ring.textColor)
    keys.home(at: \Ring.isClimate)
    keys.rule(check)
    return { fields in
      guard let slider = numbers.slider(fields) else { return nil }
      if let width = fields[thickness], width > fields[radius] {
        return fields.error(
          "an arc of \(width.brief) pixels is wider than its radius", at: thickness,
          expected: "at most \(fields[radius].brief)")
      }
      let ring = Ring(
        center: fields[at], radius: fields[radius], thickness: fields[thickness], slider: slider,
        text: fields[text])
      if !fields[spinning] {
        numbers.checkTargets(
          "the ring", size: .square(2 * fields[radius]), knob: 2 * ring.knobReach, fields,
          at: radius)
      }
      return ring
    }
  }

  @Sendable private static func check(_ ring: Ring) throws(Conflict) {
    let sweep = abs((ring.to - ring.from).degrees)
    guard sweep > 0, sweep <= 360 else {
      throw Conflict(
        "the arc covers \(sweep.brief) degrees", at: "to",
        expected: "more than 0 and at most 360 degrees from \"from\"")
    }
    guard !ring.slider.isPair || !ring.hasNeedle else {
      throw Conflict(
        "a needle with \"low\" and \"high\"", at: "needle", expected: "no needle, or one value")
    }
  }
}
