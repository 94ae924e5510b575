// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Geometry

extension Label {
  package static let keys = ControlKeys<Label>(
    "label", "A text.",
    home: .reading("text")
  ) { keys, at in
    let text = keys.required(
      "text", .text.as(.state), "The text, which may have {expressions} in it.")
    keys.optional("font_size", .fontSize, "Size of the text; the theme's.", at: \Label.fontSize)
    keys.optional(
      "color", .color, "Colour of the text; the theme's, or black or white, by contrast.",
      at: \Label.color)
    keys.optional(
      "align",
      .choice([
        "start": TextRun.Alignment.start, "center": .center, "end": .end, "left": .left,
        "right": .right,
      ]),
      default: "center", "The position of `at` within the text, or of the lines within `size`.",
      at: \Label.alignment)
    keys.optional(
      "valign",
      .choice(["top": TextRun.VerticalAlignment.top, "middle": .middle, "bottom": .bottom]),
      default: "middle",
      "Which part of the text is at the height of `at`, or where the lines stand within `size`.",
      at: \Label.verticalAlignment)
    let size = keys.optional(
      "size", .size(), "Width and height within which the text is wrapped; as wide as its lines.")
    keys.optional(
      "lines", .integer(1...1_000), "The maximum number of lines; as many as there is room for.",
      at: \Label.lines)
    keys.optional(
      "scroll", .flag, default: false,
      "Whether a finger scrolls a text that is higher than `size`; its lines fade where more follow.",
      at: \Label.scrolls)
    keys.hold(at: \Label.hold)
    keys.rule { (label: Label) throws(Conflict) in
      guard label.scrolls, label.size == nil else { return }
      throw Conflict(
        "a text without a size cannot scroll", at: "scroll", expected: "size: [width, height]")
    }
    return { fields in
      var label = Label(center: fields[at], text: fields[text], size: fields[size])
      let screen = fields.reader.controlFile.screenSize
      label.standardSize = Theme.fontSize(onSide: min(screen.width, screen.height))
      return label
    }
  }
}
