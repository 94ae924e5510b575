// SPDX-License-Identifier: MIT

internal import RoundelExpressions
package import RoundelJSON

extension Form where Value == Double {
  package static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Form {
    let unit = unit.isEmpty ? "" : " \(unit)"
    let expected = "a number from \(range.lowerBound.brief) to \(range.upperBound.brief)\(unit)"
    return Form(
      expected, as: .number,
      schema: { _ in
        [
          "type": "number", "minimum": .number(range.lowerBound),
          "maximum": .number(range.upperBound),
        ]
      },
      decode: { (value, _) throws(InvalidValueError) in try checked(value, range, expected) })
  }

  fileprivate static func checked(
    _ value: RoundelExpressions.Value, _ range: ClosedRange<Double>, _ expected: String
  ) throws(InvalidValueError) -> Double {
    guard case .number(let number) = value else { throw InvalidValueError(type: value, expected) }
    guard range.contains(number) else {
      throw InvalidValueError(value, expected) { "\($0) is out of range: \($1)" }
    }
    return number
  }
}

extension Form where Value == Int {
  package static func integer(_ range: ClosedRange<Int>) -> Form {
    let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    let numbers = Double(range.lowerBound)...Double(range.upperBound)
    let ofNumbers = Form<Double>.number(numbers).expected
    return Form(
      expected, as: .number,
      schema: { _ in
        [
          "type": "integer", "minimum": .number(Double(range.lowerBound)),
          "maximum": .number(Double(range.upperBound)),
        ]
      },
      decode: { (value, _) throws(InvalidValueError) in
        guard let whole = Int(exactly: try Form<Double>.checked(value, numbers, ofNumbers)) else {
          throw InvalidValueError(type: value, expected)
        }
        return whole
      })
  }
}

extension Form where Value == Bool {
  package static var flag: Form {
    Form(
      "true or false", as: .flag, schema: { _ in ["type": "boolean"] },
      decode: { (value, _) throws(InvalidValueError) in
        guard case .flag(let flag) = value else {
          throw InvalidValueError(type: value, "true or false")
        }
        return flag
      })
  }
}

extension Form where Value == Bool? {
  /// A flag, or nil for `word`.
  package static func flag(or word: String) -> Form {
    let flag = Form<Bool>.flag
    let expected = "\(flag.expected), or \(word)"
    return Form(
      expected, schema: { ["anyOf": [flag.schema(&$0), ["const": .string(word)]]] },
      read: { node, reader in
        if node.text == word { return .some(nil) }
        if let flag = node.flag { return flag }
        reader.reportType(node, expected: expected)
        return nil
      })
  }
}

extension Form where Value == String {
  /// A string, or a number or flag as written.
  package static var text: Form {
    Form(
      "a string", as: .text, schema: { _ in textSchema },
      decode: { (value, _) throws(InvalidValueError) in value.scalarText })
  }

  package static func word(_ expected: String) -> Form {
    Form(
      expected, as: .text, schema: { _ in textSchema.with(["minLength": 1]) },
      decode: { (value, _) throws(InvalidValueError) in
        let text = value.scalarText
        guard !text.isEmpty else {
          throw InvalidValueError(value, expected) { subject, _ in "\(subject) is an empty string" }
        }
        return text
      })
  }

  package static var textSchema: JSONValue { ["type": ["string", "number", "boolean"]] }
}

extension Form {
  package static func choice(_ choices: KeyValuePairs<String, Value>) -> Form {
    // Key paths into generic types are instantiated at run time, which would take longest.
    choice(choices.map { $0.key }, choices.map { $0.value })
  }

  /// A choice among words or numbers. The first word means the first value, and so on.
  package static func choice(_ words: [String], _ values: [Value]) -> Form {
    Form(
      words.alternatives, as: words.contains { Double($0) != nil } ? .any : .text, notation: .text,
      schema: { _ in
        let texts = words.map(JSONValue.string)
        let plain = words.map { word in Double(word).map(JSONValue.number) ?? .string(word) }
        let schema: JSONValue = ["enum": .array(plain)]
        // A number may be in quotes.
        return plain == texts
          ? schema : schema.unless(["type": "string"], then: ["enum": .array(texts)])
      },
      decode: { (value, _) throws(InvalidValueError) in
        let text = value.scalarText
        guard let place = words.firstIndex(of: text) else {
          throw InvalidValueError(value, words.alternatives, meaning: text, among: words) {
            "\($0) is \($1)"
          }
        }
        return values[place]
      })
  }
}
