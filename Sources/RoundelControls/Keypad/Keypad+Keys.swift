// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON

extension Keypad {
  package static let keys = ControlKeys<Keypad>(
    "keypad", "Keys for typing a number, a PIN or text.", home: .events(["entered"])
  ) { keys, at in
    let size = keys.required(
      "size", .size(8...100_000), "Width and height, including the line of text above the keys.")
    let layout = keys.optional(
      "layout", .layout, default: "digits",
      "The keys: digits, pin, text, or rows of keys. A key types its name, except for the function keys delete, enter, shift and space."
    )
    let length = keys.optional(
      "length", .integer(1...Keypad.maximumLength), default: .number(Double(Keypad.maximumLength)),
      "The maximum number of characters.", at: \Keypad.length)
    keys.optional(
      "shape", .choice(["round": Keypad.Shape.round, "grid": .grid]), default: "round",
      "The shape of the keys: discs, or rectangles that fill their cells.", at: \Keypad.shape)
    let value = keys.optional(
      "value", .text.as(.state), default: "", "The typed text. A PIN is shown as dots.")
    keys.optional("color", .color, default: "surface", "The colour of the keys.", at: \Keypad.color)
    keys.textColor("the text on the keys", at: \Keypad.textColor)
    keys.optional(
      "font_size", .fontSize,
      "The maximum font size on the keys. By default, it is derived from the size of the keys.",
      at: \Keypad.fontSize)
    return { fields in
      let keys = fields[layout]
      guard !keys.isSecret || fields[value].isEmpty else {
        return fields.error(
          "a PIN with a \"value\" in the file", at: value, expected: "no \"value\"; a PIN is typed")
      }
      let keypad = Keypad(
        center: fields[at], size: fields[size], layout: keys, length: fields[length],
        text: fields[value])
      fields.target("a key", size: keypad.pitch, at: size)
      return keypad
    }
  }
}

extension Form where Value == KeypadLayout {
  fileprivate static var layout: Form {
    Form.choice(["digits": KeypadLayout.digits, "pin": .pin, "text": .text]).or(rows).as(.fixed)
  }

  private static var rows: Form {
    Form<String>.word("the name of a key").list(atMost: 40, "keys").list(
      atMost: 20, "rows of keys"
    )
    .compactMap { rows, node, reader in
      let layout = KeypadLayout(rows: rows)
      guard layout.hasLetters else {
        reader.report(
          "\(reader.subject) has no key for a character", at: node.mark,
          expected: "keys with letters or digits")
        return nil
      }
      return layout
    }
  }
}
