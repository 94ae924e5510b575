// SPDX-License-Identifier: MIT

package import RoundelJSON

package enum MessageContent: Hashable, Sendable {
  case bytes([UInt8])
  case json(JSONValue)
}

package struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(description: String) { self.description = description }
}
