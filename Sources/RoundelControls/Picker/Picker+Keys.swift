// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

extension Picker {
  package static let keys = ControlKeys<Picker>(
    "picker", "Wheels side by side. The middle row of each is selected.",
    home: .choices(ofParts: "index")
  ) { keys, at in
    let size = keys.required("size", .size(8...100_000), "Width and height of all wheels.")
    let rows = keys.optional(
      "rows", .integer(1...Picker.maximumRows), default: 5, "The number of visible rows.",
      at: \Picker.rows)
    keys.optional(
      "mute", .number(0...1), default: 0.6,
      "The opacity of `mute_color` over unselected rows.", at: \Picker.mute)
    keys.optional(
      "mute_color", .color,
      "The colour over unselected rows. The default is white, or the theme's background over the theme's colours.",
      at: \Picker.muteColor)
    keys.optional(
      "color", .color, default: "surface", "The colour of rows without a colour.", at: \Picker.color
    )
    keys.textColor("the text of rows without a colour", at: \Picker.textColor)
    keys.optional("font_size", .fontSize, "The maximum font size.", at: \Picker.fontSize)
    keys.empty("wheels without items", at: \Picker.emptyText)
    keys.optional(
      "tap", .choice(["row": false, "step": true]), default: "row",
      "The effect of a tap: turning to the row under the finger, or by one row towards it.",
      at: \Picker.stepsByTap)
    keys.optional(
      "inertia", .inertia, default: "normal", "The deceleration of the wheels after release.",
      at: \Picker.inertia)
    let wheels = keys.required(
      "wheels", wheel.form.list(atMost: 100, "wheels"), "The wheels, from left to right.",
      at: \Picker.columns)
    return { fields in
      let frame = fields[size]
      fields.target(
        "a row",
        size: Size(frame.width / Double(fields[wheels].count), frame.height / Double(fields[rows])),
        at: size)
      return Picker(center: fields[at], size: frame, columns: fields[wheels])
    }
  }

  private static let wheel = Table<Picker.Column>("wheel", "A wheel of a picker.") { keys in
    let id = keys.item()
    let items = keys.required(
      "items", Form<Picker.Item>.row.list(atLeast: 0, "items"),
      "The items, from top to bottom, each a string or a map. The list may be empty.",
      at: \Picker.Column.items)
    keys.places(in: "items")
    keys.optional(
      "wrap", .flag, default: true, "Whether the wheel turns endlessly instead of having stops.",
      at: \Picker.Column.wraps)
    keys.optional(
      "value", .integer(0...Int(Int32.max)), default: 0, "The index of the initially selected row.",
      at: \Picker.Column.value)
    keys.rule { (wheel: Picker.Column) throws(Conflict) in
      guard wheel.value < wheel.shownItems.count else {
        throw Conflict(
          "\"value\" is out of range: \(wheel.value)", at: "value",
          expected: "less than the number of items, \(wheel.items.count)")
      }
    }
    return { fields in Picker.Column(id: fields[id], items: fields[items]) }
  }

  fileprivate static let row = Table<Picker.Item>("row", "A row of a wheel.") { keys in
    keys.place()
    keys.optional("label", .text, default: "", "The text.", at: \Picker.Item.label)
    keys.optional(
      "color", .color, "The colour of the row. The default is the picker's.", at: \Picker.Item.color
    )
    keys.optional("image", .image, "An image instead of the text.", at: \Picker.Item.image)
    keys.optional("fit", .imageFit, default: "contain", ImageFit.rowSummary, at: \Picker.Item.fit)
    keys.optional(
      "enabled", .flag, default: true,
      "Whether the wheel can stop at this row. Otherwise, it continues to the nearest enabled row.",
      at: \Picker.Item.isEnabled)
    keys.optional(
      "value", .scalar, "The value of the row. The default is its text.", at: \Picker.Item.value)
    return { _ in Picker.Item(label: "") }
  }
}

extension Form where Value == Picker.Item {
  fileprivate static var row: Form {
    Form<String>.text.map { Picker.Item(label: $0) }.or(Picker.row.form)
  }
}

extension Form where Value == RoundelExpressions.Value {
  /// Times count as strings.
  fileprivate static var scalar: Form {
    Form(
      "a string, a number or a flag",
      schema: { _ in ["type": ["string", "number", "boolean"]] },
      decode: { (value, _) throws(InvalidValueError) in
        if case .time = value { .text(value.display) } else { value }
      })
  }
}
