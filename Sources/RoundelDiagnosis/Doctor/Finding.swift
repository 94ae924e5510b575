// SPDX-License-Identifier: MIT

package import RoundelJSON

package struct Finding {
  package let name: String
  /// Results, one per line.
  package internal(set) var lines: [String] = []
  package internal(set) var json: JSONValue = .null
  /// The obstacles, each with its remedy.
  package internal(set) var problems: [String] = []
  package internal(set) var isUsable = false

  init(_ name: String) { self.name = name }

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
