// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import Glibc
internal import RoundelMotion

extension Pinwheel {
  package static let keys = ControlKeys<Pinwheel>(
    "pinwheel", "A ring of wedges, each a button.", home: .choice("item")
  ) { keys, at in
    let radius = keys.required("radius", .length, "The radius of the rim.")
    let hole = keys.optional(
      "hole", .number(0...100_000, "pixels"),
      "The radius of the hole. The default is a quarter of the rim's.", at: \Pinwheel.explicitHole)
    let gap = keys.optional(
      "gap", .gap, default: 1,
      "The gap between wedges, in degrees, or in pixels such as 6px for parallel edges.",
      at: \Pinwheel.gap)
    keys.optional(
      "start", .direction, default: 0, "The direction of the centre of the first wedge.",
      at: \Pinwheel.start)
    keys.optional(
      "press", .feedback,
      "The colour over a held wedge, or none. The default is white, or black if that has more contrast.",
      at: \Pinwheel.press.own)
    keys.optional(
      "highlight", .highlight,
      "The colour over a lit wedge, or none, or an image that is rotated to the wedge. The default is white, or black if that has more contrast.",
      at: \Pinwheel.highlight.own)
    keys.optional(
      "blink", Table<Blink.Pattern>.blink.form, default: [:], "The blinking of a selected wedge.",
      at: \Pinwheel.blink)
    keys.hold(at: \Pinwheel.hold)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size of the labels. By default, it is derived from the radius.",
      at: \Pinwheel.fontSize)
    keys.textColor("the labels", at: \Pinwheel.textColor)
    keys.optional(
      "labels",
      Form<Pinwheel.LabelStyle?>.choice([
        "auto": nil, "radial": .radial, "upright": .upright, "curved": .curved,
      ]), default: "auto",
      "The direction of the labels: along the wedge, level, or along the arc. `auto` is level for up to 3 wedges, or if at least as many labels fit level, otherwise along the wedge.",
      at: \Pinwheel.explicitLabelStyle)
    keys.optional(
      "icon_size", .number(1...10_000, "pixels"),
      "The side length of the icons. By default, it is derived from the space in the wedges.",
      at: \Pinwheel.iconSize)
    let iconFont = keys.iconFont()
    let wedges = keys.required(
      "wedges", wedge.form.list("wedges"), "The wedges, clockwise from `start`.",
      at: \Pinwheel.wedges)
    keys.rule { (pinwheel: Pinwheel) throws(Conflict) in
      guard pinwheel.hole < pinwheel.radius else {
        throw Conflict(
          "\"hole\" is out of range: \(pinwheel.hole.brief)", at: "hole",
          expected: "less than the \"radius\" of \(pinwheel.radius.brief)")
      }
    }
    return { fields in
      let pinwheel = Pinwheel(
        center: fields[at], radius: fields[radius], hole: fields[hole], gap: fields[gap],
        iconFont: iconFont.font(fields), wedges: fields[wedges])
      fields.target("a wedge", size: .square(pinwheel.largestDiscInWedge), at: radius)
      return pinwheel
    }
  }

  private static let wedge = Table<Pinwheel.Wedge>("wedge", "A wedge of a pinwheel.") { keys in
    let id = keys.item(events: EventType.choosing)
    keys.optional("label", .text, default: "", "The text on the wedge.", at: \Pinwheel.Wedge.label)
    keys.optional(
      "detail", .text, default: "", "A second, smaller line below the label.",
      at: \Pinwheel.Wedge.detail)
    keys.optional(
      "icon", .icon, "The icon next to or above the label: \(Icon.summary)",
      at: \Pinwheel.Wedge.icon)
    keys.optional(
      "color", .color, "The colour. The default comes from a palette.", at: \Pinwheel.Wedge.color)
    keys.optional(
      "enabled", .flag, default: true,
      "Whether the wedge can be selected. A disabled wedge absorbs touches.",
      at: \Pinwheel.Wedge.isEnabled)
    keys.optional(
      "image", .image, "An image, stretched to the square around the pinwheel.",
      at: \Pinwheel.Wedge.image)
    keys.optional(
      "press_image", .image, "The image while the wedge is held or lit.",
      at: \Pinwheel.Wedge.pressImage)
    keys.optional(
      "photo", .image, "An upright image that fills only the wedge. The label is drawn on a scrim.",
      at: \Pinwheel.Wedge.photo)
    keys.optional(
      "fit", .imageFit, default: "cover",
      "The scaling of the photo to the rectangle around the wedge. The wedge crops it.",
      at: \Pinwheel.Wedge.fit)
    keys.selected("the wedge", at: \Pinwheel.Wedge.isSelected)
    keys.hold(ofItemAt: \Pinwheel.Wedge.hold)
    keys.optional("hit", .hit, Hit.summary, at: \Pinwheel.Wedge.hit)
    return { fields in Pinwheel.Wedge(id: fields[id]) }
  }
}

extension Pinwheel {
  fileprivate static let highlightImage = Table<String>(
    "highlight", "An image that highlights a wedge."
  ) { keys in
    keys.allowTemplates()
    let image = keys.required(
      "image", .image,
      "A PNG or JPEG file for a wedge at the top, stretched to the square around the pinwheel.")
    return { fields in fields[image] }
  }
}

extension Form where Value == Feedback {
  fileprivate static var highlight: Form {
    Form<Feedback>.feedback.or(Pinwheel.highlightImage.form.map(Feedback.image))
  }
}

extension Form where Value == Pinwheel.Gap {
  fileprivate static var gap: Form {
    let expected = "a number from 0 to 360 degrees, or pixels such as 6px"
    return Form(
      expected, notation: .number,
      schema: { _ in
        [
          "anyOf": [
            ["type": "number", "minimum": 0, "maximum": 360],
            ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?px$"],
          ]
        ]
      },
      decode: { (value, _) throws(InvalidValueError) in
        let text = value.scalarText
        if case .number(let degrees) = value, (0...360).contains(degrees) {
          return .degrees(degrees)
        }
        if text.hasSuffix("px"), let first = text.utf8.first,
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
          let pixels = Double(text.dropLast(2)), (0...10_000).contains(pixels)
        {
          return .pixels(pixels)
        }
        throw InvalidValueError(value, expected) { "\($0) is not a gap: \($1)" }
      })
  }
}

extension Pinwheel {
  /// The diameter of the largest disc inside a wedge. A disc that touches the rim and both edges of
  /// a sector with the half angle h has the radius r with r = (R − r) sin h.
  fileprivate var largestDiscInWedge: Double {
    let sector = sector(0)
    let half = sin(min(sector.sweep.radians / 2, .pi / 2))
    return min(radius - hole, 2 * (radius * half - sector.inset) / (1 + half))
  }
}
