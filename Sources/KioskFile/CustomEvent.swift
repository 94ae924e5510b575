// SPDX-License-Identifier: MIT

package import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

/// A custom event as written in a file: `NAME`, or `{name: NAME, FIELD: value}`.
package struct CustomEvent: Sendable {
  package let name: Node
  /// The fields. Each kind of file decides on their names and values.
  package let fields: [Node.Pair]
}

extension Form where Value == CustomEvent {
  package static var customEvent: Form {
    let name = Form<String>.word("the name of an event")
    let expected = "\(name.expected), or a map {name: NAME, FIELD: value}"
    let reserved = CommandKind.reservedFields.filter { $0 != "name" }
    return Form(
      expected, from: [.scalar, .map],
      schema: { definitions in
        [
          "anyOf": [
            name.schema(&definitions),
            [
              "type": "object", "required": ["name"],
              "properties": ["name": name.schema(&definitions)],
              "propertyNames": ["pattern": .string("^(?!(\(reserved.joined(separator: "|")))$)")],
              "additionalProperties": ["type": ["string", "number", "boolean", "array"]],
            ],
          ]
        ]
      },
      read: { node, reader in
        guard node.kind == .map else {
          return name.read(node, reader).map { _ in CustomEvent(name: node, fields: []) }
        }
        guard let event = node["name"] else {
          reader.report("missing key \"name\" in emit", at: node.mark, expected: name.expected)
          return nil
        }
        return reader.inside(key: "name") { name.read(event, reader) }.map { _ in
          CustomEvent(name: event, fields: node.pairs.filter { $0.key != "name" })
        }
      })
  }
}
