// SPDX-License-Identifier: MIT

package import RoundelJSON
package import RoundelDeclarations

extension Diagnostic {
  package var json: JSONValue {
    .object([
      .init("file", .string(file)), .init("line", .number(Double(line))),
      .init("column", .number(Double(column))), .init("severity", .string(severity.rawValue)),
      .init("message", .string(message)),
    ])
  }
}
