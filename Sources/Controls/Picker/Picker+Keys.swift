// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

extension Picker {
  package static let keys = ControlKeys<Picker>(
    "picker", "Wheels side by side, whose middle row is selected.",
    home: .choices(ofParts: "index")
  ) { keys, at in
    let size = keys.required("size", .size(8...100_000), "Width and height of all wheels.")
    let rows = keys.optional(
      "rows", .integer(1...Picker.maximumRows), default: 5, "The number of visible rows.",
      at: \Picker.rows)
    keys.optional(
      "mute", .number(0...1), default: 0.6,
      "Opacity of `mute_color` over rows that are not selected.", at: \Picker.mute)
    keys.optional(
      "mute_color", .color,
      "The colour laid over rows that are not selected; white, or the background's over the theme's.",
      at: \Picker.muteColor)
    keys.optional(
      "color", .color, default: "surface", "Colour of rows without one.", at: \Picker.color)
    keys.optional(
      "text_color", .color, "Colour of their text; black or white, by contrast.",
      at: \Picker.textColor)
    keys.optional("font_size", .fontSize, "Maximum size of the text.", at: \Picker.fontSize)
    keys.optional(
      "tap", .choice(["row": false, "step": true]), default: "row",
      "What a tap does: turns to the row under it, or by one row towards it.",
      at: \Picker.stepsByTap)
    keys.optional(
      "inertia", .inertia, default: "normal", "How wheels slow down when released.",
      at: \Picker.inertia)
    let wheels = keys.required(
      "wheels", wheel.form.list(atMost: 100, "wheels"), "From left to right.", at: \Picker.columns)
    return { fields in
      let frame = fields[size]
      fields.target(
        "a row",
        room: Size(
          frame.width / Double(fields[wheels].count), frame.height / Double(fields[rows])),
        at: size)
      return Picker(center: fields[at], size: frame, columns: fields[wheels])
    }
  }

  private static let wheel = Table<Picker.Column>("wheel", "A wheel of a picker.") { keys in
    let id = keys.item()
    let items = keys.required(
      "items", Form<Picker.Item>.row.list("items"), "Texts or maps, from top to bottom.",
      at: \Picker.Column.items)
    keys.places(in: "items")
    keys.optional(
      "wrap", .flag, default: true, "Whether it turns without end; otherwise it has stops.",
      at: \Picker.Column.wraps)
    keys.optional(
      "value", .integer(0...Int(Int32.max)), default: 0, "The index that is selected initially.",
      at: \Picker.Column.value)
    keys.rule { (wheel: Picker.Column) throws(Conflict) in
      guard wheel.value < wheel.items.count else {
        throw Conflict(
          "\"value\" is out of range: \(wheel.value)", at: "value",
          expected: "less than the number of items, \(wheel.items.count)")
      }
    }
    return { fields in Picker.Column(id: fields[id], items: fields[items]) }
  }

  fileprivate static let row = Table<Picker.Item>("row", "A row of a wheel.") { keys in
    keys.place()
    keys.optional("label", .text, default: "", "Its text.", at: \Picker.Item.label)
    keys.optional("color", .color, "Colour of its row; the picker's.", at: \Picker.Item.color)
    keys.optional(
      "image", .image, "An image that is shown instead of the text.", at: \Picker.Item.image)
    keys.optional(
      "fit", .imageFit, default: "contain", ImageFit.rowSummary, at: \Picker.Item.fit)
    keys.optional(
      "enabled", .flag, default: true,
      "Whether a wheel may rest on it; otherwise it goes on to the nearest that is enabled.",
      at: \Picker.Item.isEnabled)
    keys.optional(
      "value", .scalar, "The value that it stands for; its text.", at: \Picker.Item.value)
    return { _ in Picker.Item(label: "") }
  }
}

extension Form where Value == Picker.Item {
  /// A string or a map.
  fileprivate static var row: Form {
    Form<String>.text.map { Picker.Item(label: $0) }.or(Picker.row.form)
  }
}

extension Form where Value == Expressions.Value {
  /// A number, a flag or a string. Times count as strings.
  fileprivate static var scalar: Form {
    Form(
      "a text, a number or a flag",
      schema: { _ in ["type": ["string", "number", "boolean"]] },
      decode: { (value, _) throws(Unsuitable) in
        if case .time = value { .text(value.display) } else { value }
      })
  }
}
