// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import Glibc
internal import Motion

extension Pinwheel {
  package static let keys = ControlKeys<Pinwheel>(
    "pinwheel", "A ring of wedges, each a button.",
    home: .choice("item")
  ) { keys, at in
    let radius = keys.required("radius", .length, "Radius of the rim.")
    let hole = keys.optional(
      "hole", .number(0...100_000, "pixels"), "Radius of the hole; a quarter of the rim's.",
      at: \Pinwheel.ownHole)
    let gap = keys.optional(
      "gap", .gap, default: 1, "The gap between wedges: degrees, or 6px for parallel edges.",
      at: \Pinwheel.gap)
    keys.optional(
      "start", .direction, default: 0, "Direction of the middle of the first wedge.",
      at: \Pinwheel.start)
    keys.optional(
      "press", .answer, "Laid over a held wedge, or none; white, or black where that shows more.",
      at: \Pinwheel.ownPress)
    keys.optional(
      "highlight", .highlight,
      "Laid over a lit wedge, or none, or an image turned to it; white, or black where that shows more.",
      at: \Pinwheel.ownHighlight)
    keys.optional(
      "blink", Table<Blink.Pattern>.blink.form, default: [:], "How a chosen wedge blinks.",
      at: \Pinwheel.blink)
    keys.hold(at: \Pinwheel.hold)
    keys.optional(
      "font_size", .fontSize, "Maximum size of the labels; by the radius.", at: \Pinwheel.fontSize)
    keys.optional(
      "text_color", .color, "Colour of the labels; black or white, by contrast.",
      at: \Pinwheel.textColor)
    keys.optional(
      "labels",
      Form<Pinwheel.LabelStyle?>.choice([
        "auto": nil, "radial": .radial, "upright": .upright, "curved": .curved,
      ]), default: "auto",
      """
      How labels stand: along the wedge, level, or along the arc; `auto`: level for up to 3 wedges \
      and where at least as many fit level, else along the wedge.
      """, at: \Pinwheel.ownLabelStyle)
    keys.optional(
      "icon_size", .number(1...10_000, "pixels"), "Side of the icons; by the room in the wedges.",
      at: \Pinwheel.iconSize)
    let iconFont = keys.iconFont()
    let wedges = keys.required(
      "wedges", wedge.form.list("wedges"), "Clockwise, from `start`.", at: \Pinwheel.wedges)
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
      fields.target("a wedge", room: .square(pinwheel.roomInWedge), at: radius)
      return pinwheel
    }
  }

  private static let wedge = Table<Pinwheel.Wedge>("wedge", "A wedge of a pinwheel.") {
    keys in
    let id = keys.item(events: EventType.choosing)
    keys.optional("label", .text, default: "", "Text along the wedge.", at: \Pinwheel.Wedge.label)
    keys.optional(
      "detail", .text, default: "", "A second, smaller line below the label.",
      at: \Pinwheel.Wedge.detail)
    keys.optional(
      "icon", .icon, "Beside or above the label: \(Icon.summary)", at: \Pinwheel.Wedge.icon)
    keys.optional("color", .color, "Its colour; one of a palette.", at: \Pinwheel.Wedge.color)
    keys.optional(
      "enabled", .flag, default: true, "A disabled wedge swallows the touch.",
      at: \Pinwheel.Wedge.isEnabled)
    keys.optional(
      "image", .image, "An image, stretched over the square around the wheel.",
      at: \Pinwheel.Wedge.image)
    keys.optional(
      "press_image", .image, "The image while it is held or lit.", at: \Pinwheel.Wedge.pressImage)
    keys.optional(
      "photo", .image, "A picture that fills the wedge alone, upright; the label is on a scrim.",
      at: \Pinwheel.Wedge.photo)
    keys.optional(
      "fit", .imageFit, default: "cover",
      "How the photo fills the rectangle around the wedge, which cuts it.",
      at: \Pinwheel.Wedge.fit)
    keys.hold(ofItemAt: \Pinwheel.Wedge.hold)
    keys.optional("hit", .hit, Hit.summary, at: \Pinwheel.Wedge.hit)
    return { fields in Pinwheel.Wedge(id: fields[id]) }
  }
}

extension Pinwheel {
  fileprivate static let highlightImage = Table<String>(
    "highlight", "An image that lights a wedge up."
  ) { keys in
    keys.takeTemplates()
    let image = keys.required(
      "image", .image,
      "A PNG or JPEG file as for a wedge at the top, stretched over the square around the wheel.")
    return { fields in fields[image] }
  }
}

extension Form where Value == Answer {
  fileprivate static var highlight: Form {
    Form<Answer>.answer.or(Pinwheel.highlightImage.form.map(Answer.image))
  }
}

extension Form where Value == Pinwheel.Gap {
  fileprivate static var gap: Form {
    let expected = "a number from 0 to 360 degrees, or pixels as 6px"
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
      decode: { (value, _) throws(Unsuitable) in
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
        throw Unsuitable(value, expected) { "\($0) is not a gap: \($1)" }
      })
  }
}

extension Pinwheel {
  /// The diameter of the largest disc inside a wedge. A disc that touches the rim and both edges of a sector with the
  /// half angle h has the radius r with r = (R − r) sin h.
  fileprivate var roomInWedge: Double {
    let sector = sector(0)
    let half = sin(min(sector.sweep.radians / 2, .pi / 2))
    return min(radius - hole, 2 * (radius * half - sector.inset) / (1 + half))
  }
}
