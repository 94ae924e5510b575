// SPDX-License-Identifier: MIT

internal import Declarations
internal import JSON

/// The pages of browsers that show a kiosk.
final class StudioPages {
  /// Sends a message to all of them but one.
  var send: (_ message: JSONValue, _ excepted: ObjectIdentifier?) -> Void = { _, _ in }

  /// Sends a message to the page that has asked.
  typealias Reply = (JSONValue) -> Void

  func tell(_ message: JSONValue, butTo excepted: ObjectIdentifier? = nil) {
    send(message, excepted)
  }
}

extension JSONValue {
  /// A message about a problem, for a page to show.
  static func problem(_ text: String) -> JSONValue { ["type": "problem", "text": .string(text)] }
}
