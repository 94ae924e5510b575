// SPDX-License-Identifier: MIT

/// A mistake in the text of an expression or a template.
package struct ExpressionError: Error, Hashable, Sendable {
  /// Where it is, in bytes of UTF-8 from the beginning of the text.
  package var offset: Int
  /// The mistake, in words.
  package var what: String
  /// The text that is expected instead, in words.
  package var expected: String?
  /// A name close to one that is unknown.
  package var near: String?

  /// A mistake at an offset.
  package init(offset: Int, _ what: String, expected: String? = nil, near: String? = nil) {
    self.offset = offset
    self.what = what
    self.expected = expected
    self.near = near
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The mistake in words, without its offset: `WHAT (expected …; did you mean …?)`.
  package var description: String {
    let hints = [expected.map { "expected \($0)" }, near.map { "did you mean \"\($0)\"?" }]
      .compactMap(\.self)
    return hints.isEmpty ? what : "\(what) (\(hints.joined(separator: "; ")))"
  }
}
