// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry

extension Ring {
  package static let keys = ControlKeys<Ring>(
    "ring", "A number on an arc: a gauge, a progress indicator or a slider.", home: .number("value")
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
    let scale = ScaleKeys(
      &keys, isDefault: true, at: \Ring.minimum, \Ring.maximum, \Ring.numberStep)
    let value = keys.optional(
      "value", .scaleNumber.as(.state), "The initial number. The default is the minimum.",
      at: \Ring.firstValue)
    let interactive = keys.optional(
      "interactive", .flag, default: true, "Whether the value can be dragged along the arc.",
      at: \Ring.isInteractive)
    let grab = keys.optional(
      "grab", .choice(["arc": Ring.Grab.arc, "knob": .knob]), default: "arc",
      "The area where a finger grabs the value: the complete arc, or only near the knob.",
      at: \Ring.grab)
    keys.optional(
      "tap", .flag, default: true, "Whether a tap on the arc sets the value.", at: \Ring.takesTaps)
    keys.optional(
      "hold", .number(0...10, "seconds"), default: 0,
      "Seconds a finger must rest before the value follows it.", at: \Ring.hold)
    let spinning = keys.optional(
      "spinning", .flag, default: false,
      "Whether the ring spins without a value, as a busy indicator.", at: \Ring.isSpinning)
    keys.optional(
      "needle", .flag, default: false, "Whether a needle points at the value.", at: \Ring.hasNeedle)
    keys.optional(
      "bands", band.form.list(atMost: 100, "bands"),
      "The coloured parts of the scale, starting at the minimum. They are paler beyond the value, unless a needle or a knob marks the value.",
      at: \Ring.explicitBands)
    keys.optional(
      "ticks", .ticks,
      "Lines along the inside, at the multiples of a number, or a map with labels. By default, there are no lines.",
      at: \Ring.ticks)
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
    keys.rule(check)
    return { fields in
      guard let numbers = Scale(from: 0, to: 100) else { return nil }
      if let numbers = scale.numbers(fields), fields.hasError(in: value, numbers) { return nil }
      if let width = fields[thickness], width > fields[radius] {
        return fields.error(
          "an arc of \(width.brief) pixels is wider than its radius", at: thickness,
          expected: "at most \(fields[radius].brief)")
      }
      if fields[interactive], !fields[spinning] {
        fields.target("the ring", size: .square(2 * fields[radius]), at: radius)
      }
      let ring = Ring(
        center: fields[at], radius: fields[radius], thickness: fields[thickness], scale: numbers,
        text: fields[text])
      if fields[interactive], fields[grab] == .knob {
        fields.target("the knob", size: .square(2 * ring.knobReach), at: grab)
      }
      return ring
    }
  }

  @Sendable private static func check(_ ring: Ring) throws(Conflict) {
    let numbers = try Scale(checking: ring.minimum, ring.maximum, ring.numberStep)
    let sweep = abs((ring.to - ring.from).degrees)
    guard sweep > 0, sweep <= 360 else {
      throw Conflict(
        "the arc covers \(sweep.brief) degrees", at: "to",
        expected: "more than 0 and at most 360 degrees from \"from\"")
    }
    var start = numbers.minimum
    for band in ring.bands {
      guard band.end > start, band.end <= numbers.maximum else {
        throw Conflict(
          "a band of \"bands\" ends at \(band.end.brief)", at: "bands",
          expected: "more than \(start.brief) and at most \(numbers.maximum.brief)")
      }
      start = band.end
    }
    guard let ticks = ring.ticks else { return }
    let range = numbers.maximum - numbers.minimum
    let limit = Double(Ring.Ticks.maximumCount)
    for every in [ticks.every, ticks.labelEvery ?? range] where range / every > limit {
      throw Conflict(
        "there is no space for ticks every \(every.brief)", at: "ticks",
        expected: "at least \((range / limit).brief)")
    }
  }

  private static let band = Table<Ring.Band>("band", "A part of the scale of a ring.") { keys in
    keys.allowTemplates()
    let to = keys.required(
      "to", .scaleNumber, "The end of the band. A band starts at the end of the previous one.",
      at: \Ring.Band.end)
    let color = keys.required("color", .color, "The colour.", at: \Ring.Band.color)
    return { fields in Ring.Band(to: fields[to], color: fields[color]) }
  }

  fileprivate static let ticksOfRing = Table<Ring.Ticks>(
    "ring_ticks", "Lines along the inside of a ring."
  ) { keys in
    keys.allowTemplates()
    let every = keys.required(
      "every", .tickDistance,
      "The distance between the values of two lines. Lines are at its multiples.")
    let labelEvery = keys.optional(
      "label_every", .tickDistance,
      "The distance between two numbered lines, which are at its multiples. By default, there are no numbers."
    )
    return { fields in Ring.Ticks(every: fields[every], labelEvery: fields[labelEvery]) }
  }
}

extension Form where Value == Double {
  fileprivate static var tickDistance: Form { number(1e-9...1e12) }
}

extension Form where Value == Ring.Ticks {
  fileprivate static var ticks: Form {
    Form<Double>.tickDistance.map { Ring.Ticks(every: $0) }.or(Ring.ticksOfRing.form)
  }
}
