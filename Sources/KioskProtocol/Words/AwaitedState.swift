// SPDX-License-Identifier: MIT

/// An argument of `wait`: an expression, or `name=value` in the older syntax.
package enum AwaitedState: Sendable {
  case expression(String)
  case assignment(Assignment)

  package init?(argument: String) {
    guard Self.isAssignment(argument) else {
      self = .expression(argument)
      return
    }
    guard let assignment = Assignment(argument: argument) else { return nil }
    self = .assignment(assignment)
  }

  /// Whether there is a single `=` before any quotation mark.
  private static func isAssignment(_ text: String) -> Bool {
    let head = text.utf8.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
    guard let equals = head.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let before = head[..<equals].last.map { "!<>".utf8.contains($0) } ?? false
    let after = text.utf8[equals...].dropFirst().first == UInt8(ascii: "=")
    return !before && !after
  }
}
