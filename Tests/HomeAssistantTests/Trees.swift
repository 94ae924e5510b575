// SPDX-License-Identifier: MIT

import JSON
import KioskProtocol
import Remote
import Testing

@testable import HomeAssistant

/// What a kiosk answers to `tree`, from its JSON.
func tree(
  _ controls: String, values: String = "{}", ranges: String = "{}", bound: String = "{}",
  more: String = ""
)
  throws -> TreeAnswer
{
  let text = """
    {"page": "home", "size": [800, 480], "values": \(values), "ranges": \(ranges), "bound": \(bound)\(more),
     "pages": [{"page": "home", "shown": true, "controls": [\(controls)]},
               {"page": "away", "shown": false, "controls": []}]}
    """
  return try #require(TreeAnswer(try JSONValue(parsing: text.utf8)))
}

func control(
  _ kind: String, _ id: String, _ properties: String = "{}", items: [String] = []
) -> String {
  let items = items.map { #"{"id": "\#($0)", "at": null, "enabled": true}"# }
  return """
    {"id": "\(id)", "kind": "\(kind)", "at": null, "enabled": true, "visible": true, \
    "moving": false, "properties": \(properties), "items": [\(items.joined(separator: ","))]}
    """
}

func entity(
  _ name: String, _ controls: String, values: String = "{}", ranges: String = "{}",
  bound: String = "{}"
) throws -> Entity {
  try #require(
    KioskEntities(try tree(controls, values: values, ranges: ranges, bound: bound))[name])
}
