// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON

/// The JSON Schema of a kind of file, derived from the declarations of its keys.
struct Schema: Sendable {
  private let definitions: [String: JSONValue]
  private let whole: JSONValue

  /// A kind of permitted value.
  struct Choice: Sendable {
    /// A table such as `wedge`, or nil within a table.
    var table: String?
    var schema: JSONValue

    var description: String? { schema["description"]?.string }

    /// The keys of a map, or an empty array.
    var keys: [JSONValue.Member] {
      if case .object(let members)? = schema["properties"] { members } else { [] }
    }

    var required: [String] { schema["required"]?.texts ?? [] }
  }

  init(_ text: String) {
    whole = (try? JSONValue(parsing: text.utf8)) ?? [:]
    var found: [String: JSONValue] = [:]
    if case .object(let members)? = whole["$defs"] {
      for member in members { found[member.name] = member.value }
    }
    definitions = found
  }

  func root(_ node: SyntaxNode) -> [Choice] { choices(whole, node) }

  func table(_ name: String, _ node: SyntaxNode) -> [Choice] {
    definitions[name].map { choices($0, node, table: name) } ?? []
  }

  func values(of key: String, in maps: [Choice], _ value: SyntaxNode) -> [Choice] {
    maps.flatMap { map -> [Choice] in
      if let schema = map.schema["properties"]?[key] {
        return choices(schema, value).map { inherited($0, from: schema) }
      }
      switch map.schema["additionalProperties"] {
      case .object?: return choices(map.schema["additionalProperties"] ?? [:], value)
      default: return []
      }
    }
  }

  private func inherited(_ choice: Choice, from schema: JSONValue) -> Choice {
    var choice = choice
    if choice.schema["default"] == nil, let value = schema["default"],
      case .object(let members) = choice.schema
    {
      choice.schema = .object(members + [.init("default", value)])
    }
    return choice
  }

  func items(of lists: [Choice], _ item: SyntaxNode) -> [Choice] {
    lists.flatMap { list in list.schema["items"].map { choices($0, item) } ?? [] }
  }

  /// Resolves references, choices and conditions.
  private func choices(
    _ schema: JSONValue, _ node: SyntaxNode, table: String? = nil, depth: Int = 0
  ) -> [Choice] {
    guard depth < 24 else { return [] }
    func follow(_ schema: JSONValue, _ table: String? = table) -> [Choice] {
      choices(schema, node, table: table, depth: depth + 1)
    }
    var found: [Choice] = []
    if let name = schema["$ref"]?.string?.split(separator: "/").last.map(String.init),
      let part = definitions[name]
    {
      found += follow(part, name)
    }
    for word in ["anyOf", "allOf"] {
      if case .array(let parts)? = schema[word] { found += parts.flatMap { follow($0) } }
    }
    if let condition = schema["if"] {
      if let branch = schema[holds(condition, node) ? "then" : "else"] { found += follow(branch) }
    }
    let isLeaf = ["type", "properties", "enum", "const", "items"].contains { schema[$0] != nil }
    if isLeaf { found.append(Choice(table: table, schema: schema)) }
    return found
  }

  /// Supports only the conditions that distinguish choices.
  private func holds(_ condition: JSONValue, _ node: SyntaxNode) -> Bool {
    guard case .object(let members) = condition else { return condition.bool ?? true }
    return members.allSatisfy { member in
      switch member.name {
      case "$ref":
        member.value.string.flatMap { $0.split(separator: "/").last }
          .flatMap { definitions[String($0)] }.map { holds($0, node) } ?? true
      case "required": member.value.texts.allSatisfy { node[$0] != nil }
      case "anyOf": member.value.values.contains { holds($0, node) }
      case "allOf": member.value.values.allSatisfy { holds($0, node) }
      case "not": !holds(member.value, node)
      case "type": member.value.texts.contains { Self.isType($0, node) }
      case "pattern":
        node.text.map { $0.contains(member.value.string?.contains("{") == true ? "{" : "$") }
          ?? false
      case "contains": false
      default: true
      }
    }
  }

  private static func isType(_ type: String, _ node: SyntaxNode) -> Bool {
    switch node.content {
    case .map: type == "object"
    case .list: type == "array"
    case .scalar: ["string", "number", "boolean", "integer"].contains(type)
    case .nothing: type == "null"
    case .alias: true
    }
  }
}

extension JSONValue {
  var values: [JSONValue] { if case .array(let values) = self { values } else { [] } }

  var texts: [String] { string.map { [$0] } ?? values.compactMap(\.string) }
}
