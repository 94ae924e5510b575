// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Geometry
internal import Motion
internal import YAML

extension ControlType {
  static let dial = ControlType(
    "dial", "A round face with labels along its rim that a finger turns.",
    events: ["pressed", "passing", "settled"]
  ) { keys, at in
    let radius = keys.required("radius", .length, "Radius of the face.")
    let labels = keys.required(
      "labels", .labels, "A number n for 0 to n - 1, or texts or maps, clockwise.")
    keys.places(in: "labels")
    let value = keys.optional(
      "value", .integer(0...Int(Int32.max)).as(.state), default: 0,
      "The index that is selected initially.")
    let labelOffset = keys.optional(
      "label_offset", .number(0...100_000, "pixels"),
      "Distance from the rim to the middles of the labels; by their size, with room for lines.")
    let fontSize = keys.optional(
      "font_size", .fontSize, "Maximum size of the labels; the theme's.")
    let textColor = keys.optional(
      "text_color", .color, "Colour of the labels; readable on the face.")
    let color = keys.optional("color", .color, default: "surface", "Colour of the face.")
    let background = keys.optional(
      "background", .face, "A colour or an image on the face, turning with it.")
    let drag = keys.optional(
      "drag", .choice(["relative": Dial.Drag.relative, "absolute": .absolute]),
      default: "relative", "Whether a touch leaves the face where it is or turns it to the finger.")
    let inertia = keys.optional(
      "inertia", .inertia, default: "normal", "How it slows down when released.")
    let wrap = keys.optional(
      "wrap", .flag, default: true, "Whether it turns without end; otherwise it has stops.")
    let pointer = keys.optional(
      "pointer", .degrees, default: 0, "The direction in which a label is selected.")
    let ticks = keys.optional(
      "ticks", ticks.form, "How it turns by itself while its property `ticking` is true.")
    return { fields in
      let texts = fields[labels]
      let index = fields[value]
      guard index < texts.count else {
        return fields.mistake(
          "\"value\" is out of range: \(index)", at: value,
          expected: "less than the number of labels, \(texts.count)")
      }
      fields.target("the dial", room: .square(2 * fields[radius]), at: radius)
      return Dial(
        center: fields[at], radius: fields[radius], labels: texts, value: index,
        labelOffset: fields[labelOffset], fontSize: fields[fontSize],
        textColor: fields[textColor], color: fields[color],
        background: fields[background], drag: fields[drag], inertia: fields[inertia],
        wraps: fields[wrap], pointer: .degrees(fields[pointer]),
        ticks: fields[ticks])
    }
  }

  fileprivate static let dialLabel = Table<String>("dial_label", "A label of a dial.") { keys in
    keys.place()
    let label = keys.required("label", .text, "Its text.")
    return { fields in fields[label] }
  }

  private static let ticks = Table<Dial.Ticks>(
    "ticks", "How a dial turns by itself, like that of a timer or clock."
  ) { keys in
    let every = keys.optional(
      "every", .number(0.05...86_400, "seconds"), default: 1, "Seconds from one tick to the next.")
    let step = keys.optional(
      "step", .integer(-9_999...9_999), default: 1,
      "The number of labels per tick; negative for backwards.")
    return { fields in
      guard fields[step] != 0 else {
        return fields.mistake("\"step\" is 0", at: step, expected: "1, -1 or another number")
      }
      return Dial.Ticks(every: fields[every], step: fields[step])
    }
  }
}

extension Form where Value == [String] {
  /// A number n, for "0" … "n − 1", or a list of texts or maps.
  fileprivate static var labels: Form {
    numbers.or(Form<String>.text.or(ControlType.dialLabel.form).list("labels"))
  }

  private static var numbers: Form<[String]> {
    let count = Form<Int>.integer(1...10_000)
    return Form(
      count.expected, schema: count.schema,
      read: { node, reader in
        guard let count = count.read(node, reader) else { return nil }
        reader.kiosk.add(values: count, at: node.mark)
        return reader.hasTime(at: node.mark) ? Dial.numbers(count) : nil
      })
  }
}

extension Form where Value == Dial.Background {
  fileprivate static var face: Form {
    Form<ThemeColor>.color.map(Dial.Background.color)
      .or(Table<String>.backdrop.form.map(Dial.Background.image))
  }
}

extension Form where Value == Wheel.Inertia {
  /// How far something that turns runs on.
  static var inertia: Form {
    choice(["normal": Wheel.Inertia.normal, "fast": .fast, "none": Wheel.Inertia.none])
  }
}
