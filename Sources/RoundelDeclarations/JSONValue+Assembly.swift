// SPDX-License-Identifier: MIT

package import RoundelJSON

extension [JSONValue.Member] {
  /// The keys of a map that control its repetition in a list.
  fileprivate static var directives: [JSONValue.Member] {
    ["for", "as", "if"].map { .init($0, ["$ref": .string("#/$defs/\($0)")]) }
  }

  /// The definitions, extended for repeated maps in lists, included lists and maps, and a `$name`
  /// instead of values except unrestricted strings.
  package var admittingAssembly: [JSONValue.Member] {
    let tables = Set(
      filter { ["object", "array"].contains($0.value.type) }.map { "#/$defs/\($0.name)" })
    var listed = reduce(into: Set<String>()) { $0.formUnion($1.value.listedReferences) }
    // A choice between several kinds is repeated as each of them.
    for part in self where listed.contains("#/$defs/\(part.name)") {
      listed.formUnion(part.value.references)
    }
    var definitions = Definitions()
    let cases = LoopParameters.form.schema(&definitions).admittingInclusions(of: [])
      .admittingParameters()
    let parts = map { part in
      let isListed = listed.contains("#/$defs/\(part.name)")
      let whole = part.value.admittingInclusions(of: tables, isRoot: true)
      return JSONValue.Member(part.name, isListed ? whole.admittingRepetition : whole)
    }
    return parts.admittingParameters + [
      .init(
        "parameter",
        ["description": "A name from \"for\".", "type": "string", "pattern": "\\$"]),
      .init("for", JSONValue.object([.init("description", "Repeats the map.")]).with(cases)),
      .init(
        "as",
        JSONValue.object([.init("description", "Names the cases of \"for\": $name.member.")]).with(
          Form<String>.parameterName.schema(&definitions))),
      .init(
        "if",
        [
          "description": "An expression of constants. If it is false, the map is omitted.",
          "type": ["string", "boolean"],
        ]),
      .init(
        "include",
        [
          "description": "A map or a list from another file, relative to this one.",
          "type": "object",
          "properties": JSONValue.object([.init("include", ["type": "string"])] + .directives),
          "required": ["include"], "additionalProperties": false,
        ]),
    ]
  }
}

extension JSONValue {
  private var members: [Member] { if case .object(let members) = self { members } else { [] } }

  fileprivate var type: String? { self["type"]?.string }

  fileprivate var listedReferences: Set<String> {
    switch self {
    case .array(let items): items.reduce(into: []) { $0.formUnion($1.listedReferences) }
    case .object(let members):
      members.reduce(into: []) { found, member in
        if member.name == "items" { found.formUnion(member.value.references) }
        found.formUnion(member.value.listedReferences)
      }
    default: []
    }
  }

  /// The references from a value, directly or through a choice.
  fileprivate var references: Set<String> {
    var found: Set<String> = self["$ref"]?.string.map { [$0] } ?? []
    for member in members {
      switch (member.name, member.value) {
      case ("anyOf", .array(let choices)), ("allOf", .array(let choices)):
        for choice in choices { found.formUnion(choice.references) }
      case ("then", let choice), ("else", let choice): found.formUnion(choice.references)
      default: break
      }
    }
    return found
  }

  /// The schema of a table with the keys that control its repetition.
  fileprivate var admittingRepetition: JSONValue {
    let known: [Member] = if case .object(let keys)? = self["properties"] { keys } else { [] }
    let more = [Member].directives.filter { new in !known.contains { $0.name == new.name } }
    guard self["properties"] != nil || self["additionalProperties"] != nil else { return self }
    return .object(
      members.filter { $0.name != "properties" } + [.init("properties", .object(known + more))])
  }

  /// Allows an `include` instead of each list, each of some tables, and any list item.
  fileprivate func admittingInclusions(of tables: Set<String>, isRoot: Bool = false) -> JSONValue {
    guard case .object(let members) = self else {
      guard case .array(let items) = self else { return self }
      return .array(items.map { $0.admittingInclusions(of: tables) })
    }
    let deep = JSONValue.object(
      members.map { member in
        switch (member.name, member.value) {
        // A condition distinguishes the actual values.
        case ("if", _): return member
        case ("anyOf", .array(let choices)), ("allOf", .array(let choices)):
          let whole = choices.map { $0.admittingInclusions(of: tables, isRoot: true) }
          return Member(member.name, .array(whole))
        case ("then", let choice), ("else", let choice):
          return Member(member.name, choice.admittingInclusions(of: tables, isRoot: true))
        case ("items", let item):
          return Member(
            member.name, item.admittingInclusions(of: tables, isRoot: true).unlessIncluded)
        default: return Member(member.name, member.value.admittingInclusions(of: tables))
        }
      })
    let open = deep.countingItems
    return !isRoot && isIncludable(of: tables) ? open.unlessIncluded : open
  }

  /// The schema of a list with at least two items, or an included file with several items.
  private var countingItems: JSONValue {
    guard let least = self["minItems"]?.number, least > 1 else { return self }
    let rest = JSONValue.object(members.filter { $0.name != "minItems" })
    return rest.with([
      "if": ["contains": ["type": "object"]], "else": ["minItems": .number(least)],
    ])
  }

  package var unlessIncluded: JSONValue {
    unless(["type": "object", "required": ["include"]], then: ["$ref": "#/$defs/include"])
  }

  private func isIncludable(of tables: Set<String>) -> Bool {
    if case .array(let choices)? = self["anyOf"] {
      return choices.contains { $0.isIncludable(of: tables) }
    }
    if let choice = self["else"] { return choice.isIncludable(of: tables) }
    if case .array(let types)? = self["type"] { return types.contains("array") }
    return self["$ref"]?.string.map(tables.contains) ?? ["array", "object"].contains(type)
  }
}
