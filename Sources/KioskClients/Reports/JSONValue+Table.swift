// SPDX-License-Identifier: MIT

package import RoundelJSON

extension JSONValue {
  /// The members, one per line. Nested members are indented.
  package var table: String { table(indent: "") }

  private func table(indent: String) -> String {
    guard case .object(let members) = self else { return indent + words + "\n" }
    let width = members.map(\.name.count).max() ?? 0
    return members.map { member in
      if case .object = member.value {
        return indent + member.name + "\n" + member.value.table(indent: indent + "  ")
      }
      let gap = String(repeating: " ", count: width - member.name.count + 2)
      return indent + (member.name + gap + member.value.words).printable + "\n"
    }.joined()
  }

  /// The value with unquoted strings.
  package var words: String {
    switch self {
    case .string(let text): text
    case .array(let values): values.map(\.words).joined(separator: ", ")
    case .null: "-"
    default: text
    }
  }
}
