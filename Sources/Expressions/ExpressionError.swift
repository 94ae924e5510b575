// SPDX-License-Identifier: MIT

/// An error in the text of an expression or a template.
package struct ExpressionError: Error, Hashable, Sendable {
  /// The location, in UTF-8 bytes from the start of the text.
  package var offset: Int
  /// A human-readable description.
  package var what: String
  /// A human-readable description of the expected text.
  package var expected: String?
  /// A suggestion for an unknown name.
  package var near: String?

  /// An error at an offset.
  package init(offset: Int, _ what: String, expected: String? = nil, near: String? = nil) {
    self.offset = offset
    self.what = what
    self.expected = expected
    self.near = near
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The error without its offset: `WHAT (expected …; did you mean …?)`.
  package var description: String {
    let hints = [expected.map { "expected \($0)" }, near.map { "did you mean \"\($0)\"?" }]
      .compactMap(\.self)
    return hints.isEmpty ? what : "\(what) (\(hints.joined(separator: "; ")))"
  }
}
