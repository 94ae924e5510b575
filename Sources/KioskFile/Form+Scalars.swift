// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Geometry
internal import JSON

extension Form where Value == Double {
  /// A finite number in `range`.
  static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Form {
    let unit = unit.isEmpty ? "" : " \(unit)"
    let expected =
      "a number from \(range.lowerBound.brief) to \(range.upperBound.brief)\(unit)"
    return Form(
      expected,
      schema: { _ in
        [
          "type": "number", "minimum": .number(range.lowerBound),
          "maximum": .number(range.upperBound),
        ]
      },
      read: { node, reader in
        guard let number = node.number else {
          reader.reportType(node, expected: expected)
          return nil
        }
        guard range.contains(number) else {
          reader.report(
            "\(reader.subject) is out of range: \(node.summary)", at: node.mark, expected: expected)
          return nil
        }
        return number
      })
  }

  /// A length in design pixels.
  static var length: Form { number(1...100_000, "pixels") }
  /// A coordinate in design pixels. A place beyond the screen's edge is fine.
  static var coordinate: Form { number(-100_000...100_000, "pixels") }
  /// A direction or a turn. More than a full turn is fine.
  static var degrees: Form { number(-3_600...3_600, "degrees") }
  static var fontSize: Form { number(1...2_000, "pixels") }
}

extension Form where Value == Int {
  /// A whole number in `range`.
  static func integer(_ range: ClosedRange<Int>) -> Form {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    let number = Form<Double>.number(Double(range.lowerBound)...Double(range.upperBound))
    return Form(
      expected,
      schema: { _ in
        [
          "type": "integer", "minimum": .number(Double(range.lowerBound)),
          "maximum": .number(Double(range.upperBound)),
        ]
      },
      read: { node, reader in
        guard let value = number.read(node, reader) else { return nil }
        guard let whole = Int(exactly: value) else {
          reader.reportType(node, expected: expected)
          return nil
        }
        return whole
      })
  }
}

extension Form where Value == Bool {
  static var flag: Form {
    Form(
      "true or false", schema: { _ in ["type": "boolean"] },
      read: { node, reader in
        guard let flag = node.flag else {
          reader.reportType(node, expected: "true or false")
          return nil
        }
        return flag
      })
  }
}

extension Form where Value == String {
  /// A text. Numbers and flags are taken as they are written.
  static var text: Form {
    Form("a text", schema: { _ in textSchema }, read: { node, _ in node.text })
  }

  /// A text that is not empty.
  static func word(_ expected: String) -> Form {
    Form(
      expected, schema: { _ in textSchema.with(["minLength": 1]) },
      read: { node, reader in
        guard let text = node.text, !text.isEmpty else {
          reader.report("\(reader.subject) is an empty text", at: node.mark, expected: expected)
          return nil
        }
        return text
      })
  }

  /// A name that templates, actions and commands can refer to.
  static var id: Form {
    // What stands around an id in `{control.property}` and `control/item` cannot be part of it.
    let reserved = "./{}="
    let expected = "an id without any of \(reserved.map(String.init).joined(separator: " "))"
    return Form(
      expected, schema: { _ in textSchema.with(["minLength": 1, "pattern": "^[^./{}=]+$"]) },
      read: { node, reader in
        guard let text = node.text, !text.isEmpty, !text.contains(where: reserved.contains) else {
          reader.report("\(node.summary) is no id", at: node.mark, expected: expected)
          return nil
        }
        return text
      })
  }

  private static var textSchema: JSONValue { ["type": ["string", "number", "boolean"]] }

  /// The path of an image that can be shown.
  static var image: Form {
    let name = word("the name of a PNG file")
    return Form(
      name.expected, schema: name.schema,
      read: { node, reader in
        name.read(node, reader).flatMap { reader.image($0, at: node.mark) }
      })
  }

  /// A family that the system knows, or the path of a font file.
  static func font(bold: Bool = false) -> Form {
    let name = word("the name of a font family or file")
    return Form(
      name.expected, schema: name.schema,
      read: { node, reader in
        name.read(node, reader).flatMap { reader.font(named: $0, bold: bold, at: node.mark) }
      })
  }
}

extension Form {
  /// One of some words or numbers, each of which stands for a value.
  static func choice(_ choices: KeyValuePairs<String, Value>) -> Form {
    let words = choices.map(\.key)
    let values = choices.map(\.value)
    return Form(
      words.alternatives,
      schema: { _ in
        ["enum": .array(words.map { word in Double(word).map(JSONValue.number) ?? .string(word) })]
      },
      read: { node, reader in
        guard let text = node.text, let place = words.firstIndex(of: text) else {
          reader.report(
            "\(reader.subject) is \(node.summary)", at: node.mark, expected: words.alternatives,
            near: node.text.flatMap { words.nearest(to: $0) })
          return nil
        }
        return values[place]
      })
  }
}

extension Form where Value == Point {
  static var point: Form {
    Form<Double>.coordinate.pair("a point [x, y]").map { Point($0.first, $0.second) }
  }
}

extension Form where Value == Size {
  static func size(_ range: ClosedRange<Double> = 1...100_000) -> Form {
    Form<Double>.number(range, "pixels").pair("a size [width, height]")
      .map { Size($0.first, $0.second) }
  }
}

extension Form where Value == Template {
  /// A text in which `{control.property}` is filled in.
  static var template: Form {
    let text = Form<String>.text
    return Form(
      "a text", schema: text.schema,
      read: { node, reader in
        guard let text = text.read(node, reader) else { return nil }
        do throws(Template.Mistake) {
          let template = try Template(text)
          reader.add(template, at: node.mark)
          return template
        } catch {
          reader.report(
            error.what, at: node.mark, expected: "{control.property}, or {{ and }} for braces")
          return nil
        }
      })
  }
}
