// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelJSON
import KioskProtocol
import QRCodes
import JSONRPC
import Testing

@testable import HomeAssistant

/// A kiosk's answer to `tree`, from its JSON.
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

/// The entities that the controls declare.
private let homes: [String: HomeEntity] = [
  "pinwheel": Pinwheel.keys.home, "dial": Dial.keys.home, "menu": Menu.keys.home,
  "slots": Slots.keys.home, "picker": Picker.keys.home, "resistor": Resistor.keys.home,
  "button": Button.keys.home, "label": Label.keys.home, "image": Picture.keys.home,
  "timer": Timer.keys.home, "ring": Ring.keys.home, "toggle": Toggle.keys.home,
  "qr": QRCode.keys.home, "keypad": Keypad.keys.home, "list": List.keys.home,
  "chart": Chart.keys.home, "bar": Bar.keys.home, "color": ColorWheel.keys.home,
]

func control(
  _ kind: String, _ id: String, _ properties: String = "{}", items: [String] = []
) -> String {
  let items = items.map { #"{"id": "\#($0)", "at": null, "enabled": true}"# }
  let home = homes[kind].map { #", "home": \#($0.json.text)"# } ?? ""
  return """
    {"id": "\(id)", "kind": "\(kind)", "at": null, "enabled": true, "visible": true, \
    "moving": false, "properties": \(properties), "items": [\(items.joined(separator: ","))]\(home)}
    """
}

func entity(
  _ name: String, _ controls: String, values: String = "{}", ranges: String = "{}",
  bound: String = "{}"
) throws -> Entity {
  try #require(
    KioskEntities(try tree(controls, values: values, ranges: ranges, bound: bound))[name])
}
