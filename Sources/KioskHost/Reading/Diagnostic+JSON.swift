// SPDX-License-Identifier: MIT

package import JSON
package import Declarations

extension Diagnostic {
  package var json: JSONValue {
    .object([
      .init("file", .string(file)), .init("line", .number(Double(line))),
      .init("column", .number(Double(column))), .init("severity", .string(severity.rawValue)),
      .init("message", .string(message)),
    ])
  }
}
