// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
package import RoundelJSON
internal import Kiosk

/// The JSON Schema of kiosk files, for completion and checks in editors.
package enum KioskSchema {
  /// JSON Schema draft 2020-12 with a final line break, generated from the tables.
  package static var json: String { schema.indented() + "\n" }

  /// The definitions that controls refer to, because controls don't know actions.
  static var definitions: Definitions {
    Definitions(["actions": { Form<[Action]>.action.list("actions").schema(&$0) }])
  }

  package static var schema: JSONValue {
    var definitions = definitions
    let root = Table.kiosk.form.schema(&definitions)
    let head: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:roundel:kiosk:4",
      "title": "Roundel kiosk",
    ]
    return head.with(root.unlessIncluded).with([
      "$defs": .object(definitions.members.admittingAssembly)
    ])
  }
}
