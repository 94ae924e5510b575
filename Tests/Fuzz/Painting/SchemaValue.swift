// SPDX-License-Identifier: MIT

package import RoundelJSON
import KioskFile
package import TestSupport

/// Keys of controls with random values from the schema. A new key is included automatically.
package enum SchemaValue {
  private static let definitions =
    (try? JSONValue(parsing: KioskSchema.json.utf8))?["$defs"] ?? .null

  /// A random key of a control type, or nil if it has no keys.
  package static func member(of kind: String, _ random: inout SeededGenerator) -> JSONValue.Member?
  {
    guard case .object(let members)? = own(definitions[kind] ?? .null)["properties"],
      let key = members.randomElement(using: &random)
    else { return nil }
    return .init(key.name, value(key.value, &random, depth: 0))
  }

  /// The names of a control type's keys.
  static func keys(of kind: String) -> [String] {
    guard case .object(let members)? = own(definitions[kind] ?? .null)["properties"] else {
      return []
    }
    return members.map(\.name)
  }

  /// The rules for plain values: neither inclusions nor templates.
  private static func own(_ schema: JSONValue) -> JSONValue { schema["else"].map(own) ?? schema }

  /// A random value for a schema.
  static func value(
    _ schema: JSONValue, _ random: inout SeededGenerator, depth: Int = 0
  ) -> JSONValue {
    if let name = schema["$ref"]?.string?.split(separator: "/").last {
      return value(definitions[String(name)] ?? .null, &random, depth: depth + 1)
    }
    if let written = schema["else"], depth < 12 {
      // Templates are allowed occasionally; inclusions aren't.
      let isTemplate = schema["then"] == nil && Int.random(in: 0..<6, using: &random) == 0
      return value(isTemplate ? .null : written, &random, depth: depth + 1)
    }
    if case .array(let choices)? = schema["anyOf"], depth < 12 {
      return value(choices.randomElement(using: &random) ?? .null, &random, depth: depth + 1)
    }
    if let word = schema["const"] { return word }
    if case .array(let words)? = schema["enum"] {
      return words.randomElement(using: &random) ?? .null
    }
    var type = schema["type"]?.string
    if case .array(let types)? = schema["type"] { type = types.first?.string }
    switch type {
    case "number", "integer":
      let low = max(schema["minimum"]?.number ?? -9, -200)
      let high = max(min(schema["maximum"]?.number ?? 9, 200), low)
      let number = Double.random(in: low...high, using: &random)
      return .number(type == "integer" || number > 1 ? number.rounded() : number)
    case "boolean": return .bool(Bool.random(using: &random))
    case "array":
      let least = Int(schema["minItems"]?.number ?? 0)
      let most = max(min(Int(schema["maxItems"]?.number ?? 4), least + 3), least)
      return .array(
        (0..<Int.random(in: least...most, using: &random)).map { _ in
          value(schema["items"] ?? .null, &random, depth: depth + 1)
        })
    case "object":
      guard case .object(let members)? = schema["properties"] else { return .object([]) }
      var required: [String] = []
      if case .array(let names)? = schema["required"] { required = names.compactMap(\.string) }
      return .object(
        members.compactMap { member in
          let isWanted = Int.random(in: 0..<4, using: &random) == 0 && member.name != "on"
          guard required.contains(member.name) || isWanted && depth < 12 else { return nil }
          return .init(member.name, value(member.value, &random, depth: depth + 1))
        })
    default:
      let words = [
        "a.png", "#123456", "#12345640", "gold", "accent", "none", "6px", "7", "{n}", "{f}", "{t}",
        "{f ? 'red' : 'blue'}", RandomText.any(&random),
      ]
      return .string(words.randomElement(using: &random) ?? "")
    }
  }
}
