// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

extension Form where Value == [ValueDeclaration] {
  /// `{NAME: first value}`, or `{NAME: {value, min, max, step, unit, options, keep}}`. A template in place of
  /// the first value computes it.
  static var values: Form {
    let declaration = Table<ValueDeclaration>.value
    return Form(
      "a map from names to values", from: [.map],
      schema: { definitions in
        [
          "type": "object", "propertyNames": ["pattern": "^[A-Za-z_][A-Za-z0-9_]*$"],
          "additionalProperties": [
            "anyOf": [
              ["type": ["string", "number", "boolean", "null"]],
              declaration.form.schema(&definitions),
            ]
          ],
        ]
      },
      read: { node, reader in
        let values: [ValueDeclaration] = node.pairs.compactMap { pair in
          reader.inside(key: pair.key) { value(pair, declaration.form, reader) }
        }
        // What follows in the file refers to them.
        reader.kiosk.values = values
        return values
      }
    ).orListOfMaps("values")
  }

  private static func value(
    _ pair: Node.Pair, _ declaration: Form<ValueDeclaration>, _ reader: Reader
  ) -> ValueDeclaration? {
    guard isName(pair, reader) else { return nil }
    let isMap = pair.value.kind == .map
    var node = pair.value
    if let first = isMap ? node["value"] : node, first.kind == .scalar, first.hasBrace {
      guard let standIn = reader.kiosk.computedValue(pair.key, first) else { return nil }
      if reader.kiosk.computed[pair.key] != nil, !isComputable(node, reader) { return nil }
      let pairs = node.pairs.map {
        $0.key == "value" ? Node.Pair(key: $0.key, keyMark: $0.keyMark, value: standIn) : $0
      }
      node = isMap ? Node(.map(pairs), at: node.mark) : standIn
    }
    if isMap {
      var value = declaration.read(node, reader)
      value?.name = pair.key
      return value
    }
    guard let initial = node.literal else {
      reader.reportType(node, expected: "a number, a text or a flag")
      return nil
    }
    return ValueDeclaration(name: pair.key, initial: initial)
  }

  /// Whether a declaration says nothing that needs a value which can be set.
  private static func isComputable(_ node: Node, _ reader: Reader) -> Bool {
    let others = node.pairs.filter { ["min", "max", "step", "options", "keep"].contains($0.key) }
    for pair in others {
      reader.report(
        "a computed value has no \(pair.key.quoted)", at: pair.keyMark, expected: "value and unit")
    }
    return others.isEmpty
  }

  /// Whether a key can be the name of a value.
  private static func isName(_ pair: Node.Pair, _ reader: Reader) -> Bool {
    let functions = [
      "min", "max", "abs", "round", "floor", "ceil", "clamp", "size", "string", "number",
    ]
    let taken = functions + Names.reserved + ["within", "picture"]
    guard !taken.contains(pair.key) else {
      reader.report(
        "\(pair.key.quoted) cannot be the name of a value", at: pair.keyMark,
        expected: "none of \(taken.alternatives)")
      return false
    }
    guard let expression = try? Expression(pair.key), expression.singleName?.parts == [pair.key]
    else {
      reader.report(
        "\(pair.key.quoted) cannot be the name of a value", at: pair.keyMark,
        expected: "letters, digits and _, as in an expression")
      return false
    }
    if pair.key == Description.themeValue {
      reader.report(
        "the value \(pair.key.quoted) hides the name of the theme in use", at: pair.keyMark,
        expected: "another name, where the theme is read", severity: .warning)
    }
    return true
  }
}

extension Table where Value == ValueDeclaration {
  fileprivate static let value = Table("value", "One of the kiosk's own values.") { keys in
    let value = keys.required("value", .literal, "Its initial value, which determines its kind.")
    let minimum = keys.optional("min", .bound, "The minimum of a number.")
    let maximum = keys.optional("max", .bound, "The maximum of a number.")
    let step = keys.optional("step", .number(1e-9...1e9), "The step to which a number is rounded.")
    let unit = keys.optional(
      "unit", .text, default: "", "The unit of a number, for Home Assistant and other programs.")
    let options = keys.optional("options", .options, "The only texts that a text may be.")
    let keep = keys.optional(
      "keep", .keeping, default: false,
      "Whether it is kept across restarts and power cuts; `day`: until midnight.")
    return { fields in
      let bounds = [fields[minimum], fields[maximum], fields[step]]
      if fields[value].kind != .number, bounds.contains(where: { $0 != nil }) {
        return fields.mistake(
          "bounds of \(fields[value].kind)", at: value, expected: "a number with \"min\" or \"max\""
        )
      }
      if let low = fields[minimum], let high = fields[maximum], low > high {
        return fields.mistake(
          "\"min\" is above \"max\"", at: minimum, expected: "at most \(high.brief)")
      }
      if fields[value].kind != .number, !fields[unit].isEmpty {
        return fields.mistake(
          "a unit of \(fields[value].kind)", at: value, expected: "a number with \"unit\"")
      }
      let texts = fields[options] ?? []
      if !texts.isEmpty, !texts.map(Expressions.Value.text).contains(fields[value]) {
        return fields.mistake(
          "the first value is none of the options", at: value, expected: texts.alternatives)
      }
      if Set(texts).count < texts.count {
        return fields.mistake("an option stands there twice", at: options, expected: "each once")
      }
      var declaration = ValueDeclaration(
        name: "", initial: fields[value], minimum: fields[minimum], maximum: fields[maximum],
        step: fields[step], unit: fields[unit], options: texts, isKept: fields[keep] != .no,
        isDaily: fields[keep] == .untilMidnight)
      guard let initial = declaration.fitted(fields[value]) else {
        return fields.mistake(
          "the text is too long", at: value,
          expected: "at most \(ValueDeclaration.maximumBytes) bytes")
      }
      declaration.initial = initial
      return declaration
    }
  }
}

extension Form where Value == [String] {
  fileprivate static var options: Form { Form<String>.word("a text").list("texts") }
}

/// How long a value is kept.
private enum Keeping {
  case no, always, untilMidnight
}

extension Form where Value == Keeping {
  /// `true`, `false` or `day`.
  fileprivate static var keeping: Form {
    let flag = Form<Bool>.flag
    let expected = "\(flag.expected), or day"
    return Form(
      expected, schema: { ["anyOf": [flag.schema(&$0), ["const": "day"]]] },
      read: { node, reader in
        if node.text == "day" { return .untilMidnight }
        guard let isKept = node.flag else {
          reader.reportType(node, expected: expected)
          return nil
        }
        return isKept ? .always : .no
      })
  }
}

extension Form where Value == Double {
  fileprivate static var bound: Form { number(-1e15...1e15) }
}

extension Form where Value == Expressions.Value {
  /// A number, a flag or a text, as it is written in JSON; all else is a text.
  static var literal: Form {
    Form(
      "a number, a text or a flag",
      schema: { _ in ["type": ["string", "number", "boolean"]] },
      read: { node, reader in
        guard let literal = node.literal else {
          reader.reportType(node, expected: "a number, a text or a flag")
          return nil
        }
        return literal
      })
  }
}
