// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelDrawing
internal import RoundelExpressions
internal import RoundelJSON

extension Form where Value == Color {
  /// A colour that doesn't depend on the theme.
  package static var plainColor: Form {
    Form<ColorWord>.colors(themed: false, none: false).map { $0.color?.color(in: .dark) ?? .clear }
  }
}

extension Form where Value == ThemeColor {
  package static var color: Form {
    Form<ColorWord>.colors(themed: true, none: false).map { $0.color ?? .clear }
  }
}

extension Form where Value == Feedback {
  /// A colour, or `none`.
  package static var feedback: Form {
    Form<ColorWord>.colors(themed: true, none: true).map { $0.color.map(Feedback.color) ?? .none }
  }
}

/// A colour, or nil if the word is `none`.
private struct ColorWord {
  var color: ThemeColor?
}

extension Form where Value == ColorWord {
  fileprivate static func colors(themed: Bool, none: Bool) -> Form {
    let expected =
      "a colour: #rgb, #rrggbb, #rrggbbaa or a CSS name"
      + (themed ? ", or one of \(ThemeColor.named.keys.sorted().alternatives)" : "")
      + (none ? ", or none" : "")
    let names = Color.named.keys.sorted() + (themed ? ThemeColor.named.keys.sorted() : [])
    return Form(
      expected, from: [.scalar, .nothing], as: .text,
      schema: { definitions in
        let css = definitions.reference("css_color") { _ in schema }
        let color: JSONValue =
          themed
          ? definitions.reference("theme_color") { _ in
            [
              "anyOf": [
                css, ["enum": .array(ThemeColor.named.keys.sorted().map(JSONValue.string))],
              ]
            ]
          } : css
        return none ? ["anyOf": [color, ["const": "none"]]] : color
      },
      decode: { (value, _) throws(InvalidValueError) in
        guard value.shape == .scalar else {
          throw InvalidValueError(
            value, expected + "; \"#\" begins a comment, so a colour needs quotes"
          ) {
            subject, _ in "\(subject) has no value"
          }
        }
        let text = value.scalarText
        if none && text == "none" { return ColorWord() }
        if themed, let color = ThemeColor.named[text] { return ColorWord(color: color) }
        guard let color = Color(css: text) else {
          throw InvalidValueError(
            nil, expected, meaning: text.hasPrefix("#") ? nil : text, among: names
          ) { subject, _ in "\(subject) is not a colour: \(text.quoted)" }
        }
        return ColorWord(color: .fixed(color))
      })
  }

  private static var schema: JSONValue {
    [
      "description": "#rgb, #rrggbb, #rrggbbaa or a CSS colour name", "type": "string",
      "anyOf": [
        ["pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"],
        ["enum": .array(Color.named.keys.sorted().map(JSONValue.string))],
        // JSON Schema can't express that CSS names are case-insensitive, so names with capitals
        // aren't checked.
        ["pattern": "^(?=.*[A-Z])[A-Za-z]+$"],
      ],
    ]
  }
}

extension Color {
  package init?(css text: String) {
    guard text.hasPrefix("#") else {
      guard let color = Self.named[text.lowercased()] else { return nil }
      self = color
      return
    }
    let digits = text.dropFirst().map(\.hexDigitValue)
    let values = digits.compactMap { $0.map(UInt8.init) }
    // `hexDigitValue` also accepts full-width digits, which aren't valid in CSS.
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
