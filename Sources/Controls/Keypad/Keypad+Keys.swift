// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import JSON

extension Keypad {
  package static let keys = ControlKeys<Keypad>(
    "keypad", "Keys by which a number, a PIN or a text is typed.",
    home: .events(["entered"])
  ) { keys, at in
    let size = keys.required(
      "size", .size(8...100_000), "Width and height of the keys and the line of text above them.")
    let layout = keys.optional(
      "layout", .layout, default: "digits",
      """
      The keys: digits, pin, text, or rows of keys, each of which types its name; those called \
      delete, enter, shift and space do what they say.
      """)
    let length = keys.optional(
      "length", .integer(1...Keypad.maximumLength), default: .number(Double(Keypad.maximumLength)),
      "The maximum number of letters.", at: \Keypad.length)
    keys.optional(
      "shape", .choice(["round": Keypad.Shape.round, "grid": .grid]), default: "round",
      "Discs, or rectangles that fill their places.", at: \Keypad.shape)
    let value = keys.optional(
      "value", .text.as(.state), default: "", "What has been typed; of a PIN as dots.")
    keys.optional("color", .color, default: "surface", "Colour of the keys.", at: \Keypad.color)
    keys.optional(
      "text_color", .color, "Colour of their letters; black or white, by contrast.",
      at: \Keypad.textColor)
    keys.optional(
      "font_size", .fontSize, "Maximum size of their letters; by the size of the keys.",
      at: \Keypad.fontSize)
    return { fields in
      let keys = fields[layout]
      guard !keys.isSecret || fields[value].isEmpty else {
        return fields.mistake(
          "a PIN has a \"value\" in the file", at: value, expected: "that it is typed")
      }
      let keypad = Keypad(
        center: fields[at], size: fields[size], layout: keys, length: fields[length],
        text: fields[value])
      fields.target("a key", room: keypad.pitch, at: size)
      return keypad
    }
  }
}

extension Form where Value == KeypadLayout {
  /// The name of a layout, or rows of keys.
  fileprivate static var layout: Form {
    Form.choice(["digits": KeypadLayout.digits, "pin": .pin, "text": .text])
      .or(rows)
      .as(.fixed)
  }

  private static var rows: Form {
    Form<String>.word("the name of a key").list(atMost: 40, "keys").list(
      atMost: 20, "rows of keys"
    )
    .compactMap { rows, node, reader in
      let layout = KeypadLayout(rows: rows)
      guard layout.hasLetters else {
        reader.report(
          "\(reader.subject) has no key that types anything", at: node.mark,
          expected: "keys with letters or digits")
        return nil
      }
      return layout
    }
  }
}
