// SPDX-License-Identifier: MIT

package import JSON

/// A finding about one matter.
package struct Finding {
  package let name: String
  /// What there is, a line each.
  package internal(set) var lines: [String] = []
  package internal(set) var json: JSONValue = .null
  /// What stands in the way, and what to do about it.
  package internal(set) var problems: [String] = []
  /// Whether a kiosk can be shown by it.
  package internal(set) var isUsable = false

  init(_ name: String) { self.name = name }

  /// `members` and the problems as JSON.
  func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(
      members.map { JSONValue.Member($0.key, $0.value) }
        + [.init("problems", .array(problems.map { .string($0) }))])
  }

  package var text: String {
    "\(name)\n" + lines.map { "  \($0)\n" }.joined()
      + problems.map { "  ! \($0)\n" }.joined()
  }
}
