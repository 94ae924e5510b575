// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry

extension Label {
  package static let keys = ControlKeys<Label>(
    "label", "A line or paragraph of text.", home: .reading("text")
  ) { keys, at in
    let text = keys.required("text", .text.as(.state), "The text, which may contain {expressions}.")
    keys.optional(
      "font_size", .fontSize, "The font size. The default is the theme's.", at: \Label.fontSize)
    keys.optional(
      "color", .color,
      "The colour of the text. The default is the theme's text colour, or white or near-black for contrast.",
      at: \Label.color)
    keys.optional(
      "align",
      .choice([
        "start": TextRun.Alignment.start, "center": .center, "end": .end, "left": .left,
        "right": .right,
      ]),
      default: "center",
      "The part of the text at `at`, or the horizontal alignment of the lines within `size`.",
      at: \Label.alignment)
    keys.optional(
      "valign",
      .choice(["top": TextRun.VerticalAlignment.top, "middle": .middle, "bottom": .bottom]),
      default: "middle",
      "The part of the text at the height of `at`, or the vertical alignment of the lines within `size`.",
      at: \Label.verticalAlignment)
    let size = keys.optional(
      "size", .size(),
      "Width and height of the box for wrapping the text. By default, the label is as wide as its lines."
    )
    keys.optional(
      "lines", .integer(1...1_000), "The maximum number of lines. The default is as many as fit.",
      at: \Label.lines)
    keys.optional(
      "scroll", .flag, default: false,
      "Whether a text taller than `size` scrolls by touch. It fades out at edges with more lines.",
      at: \Label.scrolls)
    keys.hold(at: \Label.hold)
    keys.rule { (label: Label) throws(Conflict) in
      guard label.scrolls, label.size == nil else { return }
      throw Conflict(
        "a label without a size cannot scroll", at: "scroll", expected: "size: [width, height]")
    }
    return { fields in
      var label = Label(center: fields[at], text: fields[text], size: fields[size])
      let screen = fields.reader.controlFile.screenSize
      label.standardSize = Theme.fontSize(onSide: min(screen.width, screen.height))
      return label
    }
  }
}
