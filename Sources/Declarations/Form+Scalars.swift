// SPDX-License-Identifier: MIT

internal import Expressions
package import JSON

extension Form where Value == Double {
  /// A finite number in `range`.
  package static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Form {
    let unit = unit.isEmpty ? "" : " \(unit)"
    let expected =
      "a number from \(range.lowerBound.brief) to \(range.upperBound.brief)\(unit)"
    return Form(
      expected, as: .number,
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
}

extension Form where Value == Int {
  /// A whole number in `range`.
  package static func integer(_ range: ClosedRange<Int>) -> Form {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    let number = Form<Double>.number(Double(range.lowerBound)...Double(range.upperBound))
    return Form(
      expected, as: .number,
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
  package static var flag: Form {
    Form(
      "true or false", as: .flag, schema: { _ in ["type": "boolean"] },
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
  package static var text: Form {
    Form("a text", as: .text, schema: { _ in textSchema }, read: { node, _ in node.text })
  }

  /// A text that is not empty.
  package static func word(_ expected: String) -> Form {
    Form(
      expected, as: .text, schema: { _ in textSchema.with(["minLength": 1]) },
      read: { node, reader in
        guard let text = node.text, !text.isEmpty else {
          reader.report("\(reader.subject) is an empty text", at: node.mark, expected: expected)
          return nil
        }
        return text
      })
  }

  package static var textSchema: JSONValue { ["type": ["string", "number", "boolean"]] }
}

extension Form {
  /// A choice among words or numbers, each of which stands for a value.
  package static func choice(_ choices: KeyValuePairs<String, Value>) -> Form {
    // Key paths of a generic type are made at run time, which would take longer than all the rest.
    choice(choices.map { $0.key }, choices.map { $0.value })
  }

  /// A choice among words or numbers, the first of which stands for the first value, and so on.
  package static func choice(_ words: [String], _ values: [Value]) -> Form {
    Form(
      words.alternatives, as: words.contains { Double($0) != nil } ? .any : .text,
      schema: { _ in
        let texts = words.map(JSONValue.string)
        let plain = words.map { word in Double(word).map(JSONValue.number) ?? .string(word) }
        let schema: JSONValue = ["enum": .array(plain)]
        // A number may be in quotes.
        return plain == texts
          ? schema : schema.unless(["type": "string"], then: ["enum": .array(texts)])
      },
      read: { node, reader in
        guard let text = node.text, let place = words.firstIndex(of: text) else {
          reader.report(
            "\(reader.subject) is \(node.summary)", at: node.mark, expected: words.alternatives,
            near: node.text.flatMap { words.nearest(to: $0, by: reader) })
          return nil
        }
        return values[place]
      })
  }
}
