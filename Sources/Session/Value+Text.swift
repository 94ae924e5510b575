// SPDX-License-Identifier: MIT

package import Expressions
internal import JSON

extension Value {
  /// The value of a typed text where a kind is expected: `5.10` stays as it is for a text, and is a number
  /// for a number or for several kinds, as in a file. A text that does not suit the kind stays a text, which
  /// the receiver refuses.
  package init(text: String, as kind: Kind?) {
    let value: Value? =
      switch kind {
      case .number where !text.utf8.contains { $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "X") }:
        Double(text).flatMap { $0.isFinite ? .number($0) : nil }
      case .flag: Bool(text).map { .flag($0) }
      case .list, .record, .any: (try? JSONValue(parsing: Array(text.utf8))).flatMap { Value($0) }
      default: nil
      }
    self = value ?? .text(text)
  }

  /// The value converted to a kind: neither a program nor a person needs to know whether a number is shown
  /// as a text. A value that does not suit the kind stays as it is.
  package func suited(to kind: Kind) -> Value {
    switch (self, kind) {
    case (.text(let text), _): Value(text: text, as: kind)
    case (.number, .text), (.flag, .text): .text(display)
    default: self
    }
  }
}
