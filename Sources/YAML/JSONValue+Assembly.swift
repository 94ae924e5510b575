// SPDX-License-Identifier: MIT

package import JSON

extension [JSONValue.Member] {
  /// The parts of a schema where maps in lists may be repeated, lists and maps be included, and a
  /// `$name` stand for what is no text. It adds what that refers to.
  package var admittingAssembly: [JSONValue.Member] {
    let tables = Set(
      filter { ["object", "array"].contains($0.value.type) }.map { "#/$defs/\($0.name)" })
    let listed = reduce(into: Set<String>()) { $0.formUnion($1.value.listedReferences) }
    var definitions = Definitions()
    let cases = LoopParameters.form.schema(&definitions).admittingInclusions(of: [])
      .admittingParameters
    let parts = map { part in
      let isListed = listed.contains("#/$defs/\(part.name)")
      let whole = part.value.admittingInclusions(of: tables, isRoot: true).admittingParameters
      return JSONValue.Member(part.name, isListed ? whole.admittingRepetition : whole)
    }
    return parts + [
      .init(
        "parameter",
        ["description": "A name from a \"for\".", "type": "string", "pattern": "\\$"]),
      .init("for", JSONValue.object([.init("description", "Repeats the map.")]).with(cases)),
      .init(
        "include",
        [
          "description": "A map or a list from another file, relative to this one.",
          "type": "object",
          "properties": ["include": ["type": "string"], "for": ["$ref": "#/$defs/for"]],
          "required": ["include"], "additionalProperties": false,
        ]),
    ]
  }
}

extension JSONValue {
  private var members: [Member] { if case .object(let members) = self { members } else { [] } }

  fileprivate var type: String? { self["type"]?.string }

  /// What an item of a list in it may be, by reference.
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

  /// The references that a value may follow, itself or by choice.
  private var references: Set<String> {
    var found: Set<String> = self["$ref"]?.string.map { [$0] } ?? []
    if case .array(let choices)? = self["anyOf"] {
      for choice in choices { found.formUnion(choice.references) }
    }
    return found
  }

  /// The schema of a table with the key `for`.
  fileprivate var admittingRepetition: JSONValue {
    .object(
      members.map { member in
        guard member.name == "properties", case .object(let keys) = member.value else {
          return member
        }
        return Member("properties", .object(keys + [.init("for", ["$ref": "#/$defs/for"])]))
      })
  }

  /// The schema where an `include` may stand for each list and each of some tables in it.
  fileprivate func admittingInclusions(of tables: Set<String>, isRoot: Bool = false) -> JSONValue {
    guard case .object(let members) = self else {
      guard case .array(let items) = self else { return self }
      return .array(items.map { $0.admittingInclusions(of: tables) })
    }
    let inclusion: JSONValue = ["$ref": "#/$defs/include"]
    let deep = members.map { member in
      guard member.name == "anyOf", case .array(let choices) = member.value else {
        return Member(member.name, member.value.admittingInclusions(of: tables))
      }
      let whole = choices.map { $0.admittingInclusions(of: tables, isRoot: true) }
      let isIncludable = choices.contains { $0.isIncludable(of: tables) }
      return Member("anyOf", .array(whole + (isIncludable ? [inclusion] : [])))
    }
    guard !isRoot, isIncludable(of: tables) else { return .object(deep) }
    let notes = deep.filter { ["description", "default"].contains($0.name) }
    let rules = deep.filter { !["description", "default"].contains($0.name) }
    return .object(notes + [.init("anyOf", [.object(rules), inclusion])])
  }

  private func isIncludable(of tables: Set<String>) -> Bool {
    self["$ref"]?.string.map(tables.contains) ?? ["array", "object"].contains(type)
  }
}
