// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

extension Bar {
  package static let keys = ControlKeys<Bar>(
    "bar", "A number on a straight scale, or two: a gauge, a level meter or a slider.",
    home: .number("value")
  ) { keys, at in
    let size = keys.required(
      "size", .size(8...100_000),
      "Width and height, including text and ticks. The longer side is the direction: upwards, or from left to right."
    )
    let numbers = SliderKeys(&keys, of: Bar.self, "bar")
    SliderKeys.declareTicks(&keys, of: Bar.self, "below the bar, or at its right")
    keys.optional(
      "segments", .integer(0...maximumSegments), default: 0,
      "The number of equal parts that are lit up to the value. The default is a continuous bar.",
      at: \Bar.segments)
    keys.optional(
      "peak", .number(0...60, "seconds"),
      "Seconds a mark stays at the highest value before it falls back. By default, there is no mark.",
      at: \Bar.peakSeconds)
    keys.optional(
      "color", .color, default: "accent", "The colour of the bar up to the value.", at: \Bar.color)
    keys.optional(
      "track", .color, default: "surface", "The colour of the bar beyond the value.",
      at: \Bar.track)
    let text = keys.optional(
      "text", .text.as(.state), default: "",
      "The text beyond the maximum, which may contain {expressions}.")
    keys.optional(
      "font_size", .fontSize, "The maximum font size. By default, it is derived from the size.",
      at: \Bar.fontSize)
    keys.textColor("the text", at: \Bar.textColor)
    return { fields in
      guard let slider = numbers.slider(fields) else { return nil }
      let bar = Bar(
        center: fields[at], size: fields[size], slider: slider, text: fields[text],
        hasText: fields.isGiven(text))
      numbers.checkTargets(
        "the bar", size: bar.size, knob: 2 * bar.path.reach, fields, at: size)
      return bar
    }
  }
}
