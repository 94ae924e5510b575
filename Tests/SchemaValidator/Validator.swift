// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelJSON

extension [JSONValue.Member] {
  package subscript(name: String) -> JSONValue? { first { $0.name == name }?.value }
}

extension JSONValue {
  package var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
  package var members: [Member] { if case .object(let members) = self { members } else { [] } }
  package var strings: [String] { items.compactMap(\.string) }

  package var type: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The value that an editor reads from YAML 1.1.
  package init(_ node: Node) {
    switch node.content {
    case .list(let items): self = .array(items.map { JSONValue($0) })
    case .map(let pairs):
      self = .object(pairs.map { Member($0.key, JSONValue($0.value)) })
    case .scalar where node.kind == .nothing: self = .null
    case .scalar(let text, _):
      self = node.number.map(JSONValue.number) ?? node.flag.map(JSONValue.bool) ?? .string(text)
    }
  }
}

/// Supports the part of JSON Schema that the schemas of kiosks and suites use.
package struct Validator {
  private let root: JSONValue
  private let expressions = Patterns()

  /// A cache of regular expressions, which are expensive to create.
  private final class Patterns {
    private var known: [String: Regex<AnyRegexOutput>] = [:]

    func match(_ pattern: String, _ text: String) -> Bool {
      // These patterns are used everywhere.
      if pattern == "\\$" { return text.utf8.contains(UInt8(ascii: "$")) }
      if let regex = known[pattern] { return (try? regex.firstMatch(in: text)) != nil }
      guard let regex = try? Regex(pattern) else { return false }
      known[pattern] = regex
      return (try? regex.firstMatch(in: text)) != nil
    }
  }

  package init(_ root: JSONValue) {
    self.root = root
  }

  /// Returns why `value` is invalid, or nil if it is valid.
  package func problem(_ value: JSONValue) -> String? { problem(value, root) }

  private func problem(_ value: JSONValue, _ schema: JSONValue) -> String? {
    for keyword in schema.members {
      if let problem = problem(value, keyword, in: schema) { return "\(keyword.name): \(problem)" }
    }
    return nil
  }

  private func problem(_ value: JSONValue, _ keyword: JSONValue.Member, in schema: JSONValue)
    -> String?
  {
    let rule = keyword.value
    func fail(_ holds: Bool) -> String? { holds ? nil : value.text }
    switch keyword.name {
    case "$schema", "$id", "$defs", "title", "description", "default": return nil
    case "$ref":
      guard let name = rule.string?.split(separator: "/").last,
        let definition = root["$defs"]?[String(name)]
      else { return "no such definition" }
      return problem(value, definition)
    case "anyOf":
      let problems = rule.items.map { problem(value, $0) }
      return problems.contains(nil) ? nil : problems.compactMap(\.self).joined(separator: " | ")
    case "allOf": return rule.items.lazy.compactMap { problem(value, $0) }.first
    case "not": return fail(problem(value, rule) != nil)
    case "if":
      let branch = problem(value, rule) == nil ? schema["then"] : schema["else"]
      return branch.flatMap { problem(value, $0) }
    // Handled with their "if".
    case "then", "else": return nil
    case "contains": return fail(value.items.contains { problem($0, rule) == nil })
    case "oneOf":
      return fail(rule.items.count { problem(value, $0) == nil } == 1)
    case "type":
      let types = rule.string.map { [$0] } ?? rule.strings
      let isInteger = value.number.map { $0 == $0.rounded() } ?? false
      return fail(types.contains(value.type) || (types.contains("integer") && isInteger))
    case "enum": return fail(rule.items.contains(value))
    case "const": return fail(rule == value)
    case "minimum": return fail(value.number.map { $0 >= rule.number ?? 0 } ?? true)
    case "maximum": return fail(value.number.map { $0 <= rule.number ?? 0 } ?? true)
    case "minItems":
      return fail(value.type != "array" || value.items.count >= Int(rule.number ?? 0))
    case "maxItems":
      return fail(value.type != "array" || value.items.count <= Int(rule.number ?? 0))
    case "minLength": return fail(value.string?.isEmpty != true)
    case "maxLength":
      return fail((value.string?.unicodeScalars.count ?? 0) <= Int(rule.number ?? 0))
    case "minProperties":
      return fail(value.type != "object" || value.members.count >= Int(rule.number ?? 0))
    case "maxProperties": return fail(value.members.count <= 1)
    case "pattern":
      guard let pattern = rule.string, let text = value.string else { return nil }
      return fail(expressions.match(pattern, text))
    case "items": return value.items.lazy.compactMap { problem($0, rule) }.first
    case "required":
      return fail(rule.strings.allSatisfy { value[$0] != nil })
    case "properties":
      return value.members.lazy.compactMap { member in
        rule[member.name].flatMap { problem(member.value, $0) }
      }.first
    case "additionalProperties":
      let others = schema["patternProperties"]?.members ?? []
      let extra = value.members.filter { member in
        schema["properties"]?[member.name] == nil
          && !others.contains { expressions.match($0.name, member.name) }
      }
      if rule == false { return extra.first?.name }
      return extra.lazy.compactMap { problem($0.value, rule) }.first
    case "patternProperties":
      return value.members.lazy.compactMap { member in
        rule.members.lazy.filter { expressions.match($0.name, member.name) }
          .compactMap { problem(member.value, $0.value) }.first
      }.first
    case "propertyNames":
      return value.members.lazy.compactMap { problem(.string($0.name), rule) }.first
    default: return "unknown keyword"
    }
  }
}
