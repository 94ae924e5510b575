// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

extension Dial {
  package static let keys = ControlKeys<Dial>(
    "dial", "A round face that turns by touch, with labels along its rim.", home: .number("value")
  ) { keys, at in
    let radius = keys.required("radius", .length, "The radius of the face.")
    let labels = keys.optional(
      "labels", .labels,
      "The labels, clockwise, each a string or a map. A number n stands for the labels 0 to n - 1.",
      at: \Dial.texts)
    keys.places(in: "labels")
    let endless = keys.optional(
      "endless", .flag.as(.fixed), default: false,
      "Whether the dial turns without labels and counts its steps, like the knob of a radio.",
      at: \Dial.isEndless)
    keys.optional(
      "steps_per_turn", .integer(1...1_000), default: 24,
      "The number of steps per turn of an endless dial.", at: \Dial.stepsPerTurn)
    let scale = ScaleKeys(
      &keys, isDefault: false, at: \Dial.minimum, \Dial.maximum, \Dial.numberStep)
    keys.optional(
      "label_every", .number(1e-9...1e12),
      "The distance between two labelled numbers, a multiple of `step`. The labels are multiples of it, if the scale has such numbers. The default depends on the space.",
      at: \Dial.labelEvery)
    keys.optional(
      "unit", .text, default: "", "The unit after the selected label, such as \" °C\".",
      at: \Dial.unit)
    keys.optional(
      "upright", .flag, default: false, "Whether the labels stay level while the face turns.",
      at: \Dial.isUpright)
    let value = keys.optional(
      "value", .scaleNumber.as(.state),
      "The initial selection: the index of a label, or a number. The default is the first.",
      at: \Dial.firstValue)
    keys.optional(
      "marker", .scaleNumber,
      "The actual number, or the index of a label, shown as a mark at the rim. By default, there is no mark.",
      at: \Dial.marker)
    keys.optional(
      "label_offset", .number(0...100_000, "pixels"),
      "The distance from the rim to the centres of the labels. By default, it is derived from their size and leaves space for lines.",
      at: \Dial.labelOffset)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size of the labels. By default, it is derived from the radius and the number of labels.",
      at: \Dial.fontSize)
    keys.optional(
      "text_color", .color,
      "The colour of the labels. The default is a colour that contrasts with the face.",
      at: \Dial.textColor)
    keys.optional("color", .color, default: "surface", "The colour of the face.", at: \Dial.color)
    keys.optional(
      "background", .face, "A colour or an image on the face. An image turns with the face.",
      at: \Dial.background)
    keys.optional(
      "drag", .choice(["relative": Dial.Drag.relative, "absolute": .absolute]), default: "relative",
      "Whether a touch leaves the face in its position or turns it to the finger.", at: \Dial.drag)
    keys.optional(
      "inertia", .inertia, default: "normal", "The deceleration after release.", at: \Dial.inertia)
    keys.optional(
      "tap", .choice(["label": false, "step": true]), default: "label",
      "The effect of a tap: turning to the label under the finger, or by one step, up on the right half and down on the left half.",
      at: \Dial.stepsByTap)
    keys.optional(
      "wrap", .flag,
      "Whether the dial turns endlessly instead of having stops. The default is true, or false with `min` and `max`.",
      at: \Dial.explicitWrap)
    keys.optional(
      "pointer", .direction, default: 0, "The direction of the selected label.", at: \Dial.pointer)
    keys.optional(
      "ticks", ticks.form, "The automatic turning while the property `ticking` is true.",
      at: \Dial.ticks)
    keys.home(at: \Dial.isClimate)
    keys.rule(check)
    return { fields in
      fields.target("the dial", size: .square(2 * fields[radius]), at: radius)
      if fields[labels] == nil, !fields[endless],
        let numbers = scale.numbers(fields, standardStep: 1)
      {
        if fields.hasError(in: value, numbers) { return nil }
        fields.reader.controlFile.add(values: numbers.lastIndex, at: fields.mark(of: radius))
      }
      return Dial(center: fields[at], radius: fields[radius], labels: [""])
    }
  }

  @Sendable private static func check(_ dial: Dial) throws(Conflict) {
    guard !dial.isClimate || dial.texts == nil && !dial.isEndless else {
      throw Conflict(
        "a thermostat without numbers", at: "home", expected: "\"min\" and \"max\", or no \"home\"")
    }
    let hasNumbers = dial.minimum != nil || dial.maximum != nil || dial.numberStep != nil
    if dial.isEndless {
      guard dial.texts == nil, !hasNumbers, dial.labelEvery == nil, dial.firstValue == nil,
        dial.explicitWrap != false
      else {
        throw Conflict(
          "an endless dial with labels, numbers, a value or stops", at: "endless",
          expected: "no \"labels\", \"min\", \"max\", \"step\", \"value\" or \"wrap\"")
      }
      return
    }
    guard let labels = dial.texts else {
      guard hasNumbers else {
        throw Conflict(
          "a dial without labels", at: "labels",
          expected: "\"labels\", or \"min\" and \"max\", or \"endless\"")
      }
      let numbers = try Scale(
        checking: dial.minimum, dial.maximum, dial.numberStep, standardStep: 1)
      guard let every = dial.labelEvery else { return }
      let steps = every / numbers.step
      guard steps >= 1 - 1e-6, abs(steps - steps.rounded()) < 1e-6 * steps, steps < 1e6 else {
        throw Conflict(
          "\"label_every\" is not a multiple of \"step\": \(every.brief)", at: "label_every",
          expected: "a multiple of \(numbers.step.brief)")
      }
      return
    }
    guard !hasNumbers, dial.labelEvery == nil else {
      throw Conflict(
        "\"labels\" together with \"min\", \"max\", \"step\" or \"label_every\"", at: "labels",
        expected: "only one of them")
    }
    guard let index = Int(exactly: dial.firstValue ?? 0), index >= 0 else {
      throw Conflict(
        "\"value\" has the wrong type: \((dial.firstValue ?? 0).brief)", at: "value",
        expected: "a whole number from 0 to \(labels.count - 1)")
    }
    guard index < labels.count else {
      throw Conflict(
        "\"value\" is out of range: \(index)", at: "value",
        expected: "less than the number of labels, \(labels.count)")
    }
  }

  fileprivate static let dialLabel = Table<String>("dial_label", "A label of a dial.") { keys in
    keys.place()
    keys.required("label", .text, "The text.", at: \String.self)
    return { _ in "" }
  }

  fileprivate static let faceImage = Table<String>("face", "An image on the face of a dial.") {
    keys in
    keys.allowTemplates()
    let image = keys.required("image", .image, "A PNG or JPEG file, relative to this file.")
    return { fields in fields[image] }
  }

  private static let ticks = Table<Dial.Ticks>(
    "ticks", "The automatic turning of a dial, for example for a timer or a clock."
  ) { keys in
    keys.allowTemplates()
    let every = keys.optional(
      "every", .number(0.05...86_400, "seconds"), default: 1, "Seconds between ticks.")
    let step = keys.optional(
      "step", .integer(-9_999...9_999), default: 1,
      "The number of labels per tick. A negative number turns backwards.")
    return { (fields) throws(Conflict) in
      guard fields[step] != 0 else {
        throw Conflict("\"step\" is 0", at: "step", expected: "1, -1 or another number")
      }
      return Dial.Ticks(every: fields[every], step: fields[step])
    }
  }
}

extension Form where Value == [String] {
  /// A number n for the labels "0" to "n − 1", or a list of strings or maps.
  fileprivate static var labels: Form {
    numbers.or(Form<String>.text.or(Dial.dialLabel.form).list("labels"))
  }

  private static var numbers: Form<[String]> {
    let count = Form<Int>.integer(1...10_000)
    return Form(
      count.expected, schema: count.schema,
      read: { node, reader in
        guard let count = count.read(node, reader) else { return nil }
        reader.controlFile.add(values: count, at: node.mark)
        return reader.hasTime(at: node.mark) ? Dial.numbers(count) : nil
      },
      decode: { (value, context) throws(InvalidValueError) in
        Dial.numbers(try count.decode(value, &context))
      }
    )
  }
}

extension Form where Value == Dial.Background {
  fileprivate static var face: Form {
    Form<ThemeColor>.color.map(Dial.Background.color)
      .or(Dial.faceImage.form.map(Dial.Background.image))
  }
}
