// SPDX-License-Identifier: MIT

package struct ExpressionError: Error, Hashable, Sendable {
  /// The offset in UTF-8 bytes from the start of the text.
  package var offset: Int
  package var what: String
  package var expected: String?
  package var suggestion: String?

  package init(offset: Int, _ what: String, expected: String? = nil, suggestion: String? = nil) {
    self.offset = offset
    self.what = what
    self.expected = expected
    self.suggestion = suggestion
  }
}

extension ExpressionError: CustomStringConvertible {
  /// `WHAT (expected …; did you mean …?)`.
  package var description: String {
    let hints = [expected.map { "expected \($0)" }, suggestion.map { "did you mean \"\($0)\"?" }]
      .compactMap(\.self)
    return hints.isEmpty ? what : "\(what) (\(hints.joined(separator: "; ")))"
  }
}
