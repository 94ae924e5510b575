// SPDX-License-Identifier: MIT

internal import RoundelExpressions
package import RoundelJSON

/// A choice of a map with one key: the key, and the form of its value.
package struct Verb<Value: Sendable>: Sendable {
  package let name: String
  package let summary: String
  package let form: Form<Value>

  package init(_ name: String, _ summary: String, _ form: Form<Value>) {
    self.name = name
    self.summary = summary
    self.form = form
  }
}

extension Form {
  /// A map with one key, the verb's name. `what` has an article: `a step`.
  package static func verb(_ what: String, example: String, _ verbs: [Verb<Value>]) -> Form {
    let names = verbs.map { $0.name }
    return Form(
      "\(what), such as \(example)", from: [.map],
      schema: { definitions in
        let members = verbs.map { verb in
          let head: JSONValue = ["description": .string(verb.summary)]
          return JSONValue.Member(verb.name, head.with(verb.form.schema(&definitions)))
        }
        return [
          "type": "object", "properties": .object(members), "additionalProperties": false,
          "minProperties": 1, "maxProperties": 1,
        ]
      },
      read: { node, reader in
        let misplaced = node.pairs.filter { Node.Directive(rawValue: $0.key) != nil }
        for pair in misplaced {
          reader.report(
            "\(pair.key.quoted) is not allowed in \(what)", at: pair.keyMark,
            expected: reader.place(ofDirective: pair.key))
        }
        guard misplaced.isEmpty else { return nil }
        guard node.pairs.count == 1, let pair = node.pairs.first else {
          let isEachKnown = node.pairs.count > 1 && node.pairs.allSatisfy { names.contains($0.key) }
          reader.report(
            "\(what) with \(node.pairs.count) keys", at: node.mark,
            expected: isEachKnown
              ? "a map for each, such as \(example)" : "one of \(names.alternatives)"
          )
          return nil
        }
        guard let verb = verbs.first(where: { $0.name == pair.key }) else {
          let noun = what.drop { $0 != " " }
          reader.report(
            "unknown\(noun) \(pair.key.quoted)", at: pair.keyMark, expected: names.alternatives,
            suggestion: names.nearest(to: pair.key, by: reader))
          return nil
        }
        return reader.inside(key: verb.name) { verb.form.read(pair.value, reader) }
      })
  }
}

extension JSONValue {
  /// Allows `others` in a map with one key.
  package func allowing(_ others: [JSONValue.Member]) -> JSONValue {
    guard case .object(let members) = self, case .object(let verbs)? = self["properties"] else {
      return self
    }
    let rest = members.filter {
      !["properties", "minProperties", "maxProperties"].contains($0.name)
    }
    return .object(
      rest + [
        .init("properties", .object(verbs + others)),
        .init("oneOf", .array(verbs.map { ["required": [.string($0.name)]] })),
      ])
  }
}
