// SPDX-License-Identifier: MIT

internal import Declarations
internal import JSON
internal import Kiosk

/// The kiosk file's JSON Schema, for editors that complete and check while the author types.
package enum KioskSchema {
  /// The schema as text, ending in a line break (JSON Schema draft 2020-12). It comes from the tables
  /// by which the file is read, so the two cannot differ.
  package static var json: String { schema.indented() + "\n" }

  /// The parts to which controls refer, as they know no actions.
  static var definitions: Definitions {
    Definitions(["actions": { Form<[Action]>.action.list("actions").schema(&$0) }])
  }

  static var schema: JSONValue {
    var definitions = definitions
    let root = Table.kiosk.form.schema(&definitions)
    let head: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Roundel kiosk",
    ]
    return head.with(root.unlessIncluded).with([
      "$defs": .object(definitions.members.admittingAssembly)
    ])
  }
}
