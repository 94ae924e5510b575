// SPDX-License-Identifier: MIT

internal import Drawing
internal import Expressions
internal import JSON
internal import YAML

extension Form where Value == Color {
  static var color: Form { Form<Color?>.colors(none: false).map { $0 ?? .clear } }
}

extension Form where Value == Color? {
  /// A colour, or `none` for nothing at all.
  static var colorOrNone: Form { colors(none: true) }

  fileprivate static func colors(none: Bool) -> Form {
    let expected =
      "a colour: #rgb, #rrggbb, #rrggbbaa or a CSS name" + (none ? ", or none" : "")
    return Form(
      expected, from: [.scalar, .nothing], as: .text,
      schema: { definitions in
        let color = definitions.reference("color") { _ in schema }
        return none ? ["anyOf": [color, ["const": "none"]]] : color
      },
      read: { node, reader in
        guard let text = node.text else {
          reader.report(
            "\(reader.subject) has no value", at: node.mark,
            expected: expected + "; \"#\" begins a comment, so it needs quotes")
          return nil
        }
        if none && text == "none" { return .some(nil) }
        guard let color = Color(css: text) else {
          reader.report(
            "\(reader.subject) is not a colour: \(text.quoted)", at: node.mark, expected: expected,
            near: text.hasPrefix("#")
              ? nil : Color.named.keys.sorted().nearest(to: text, by: reader))
          return nil
        }
        return color
      })
  }

  private static var schema: JSONValue {
    [
      "description": "#rgb, #rrggbb, #rrggbbaa or a CSS colour name",
      "type": "string",
      "anyOf": [
        ["pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"],
        ["enum": .array(Color.named.keys.sorted().map(JSONValue.string))],
        // Names are case-insensitive in CSS, not in JSON Schema: names with capitals are not checked.
        ["pattern": "^(?=.*[A-Z])[A-Za-z]+$"],
      ],
    ]
  }
}

extension Color {
  /// The colour that `#rgb`, `#rrggbb`, `#rrggbbaa` or a CSS colour name stands for.
  init?(css text: String) {
    guard text.hasPrefix("#") else {
      guard let color = Self.named[text.lowercased()] else { return nil }
      self = color
      return
    }
    let digits = text.dropFirst().map(\.hexDigitValue)
    let values = digits.compactMap { $0.map(UInt8.init) }
    // Character.hexDigitValue also knows full-width digits, which are no CSS.
    guard values.count == digits.count, text.utf8.count == digits.count + 1 else { return nil }
    switch values.count {
    case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
    case 6, 8:
      let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
      self.init(
        red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count == 4 ? bytes[3] : 255)
    default: return nil
    }
  }
}
