// SPDX-License-Identifier: MIT

package import Expressions
internal import JSON

extension Value {
  /// What a person means who types a text for something of a kind: `5.10` stays as it is for a text,
  /// and is a number for a number, and for what takes values of several kinds, as in a file. What does
  /// not suit stays a text, for the one that it is given to to refuse.
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

  /// The value as something of a kind takes it: a program need not know whether a number is shown as a
  /// text, nor a person. What does not suit stays as it is.
  package func suited(to kind: Kind) -> Value {
    switch (self, kind) {
    case (.text(let text), _): Value(text: text, as: kind)
    case (.number, .text), (.flag, .text): .text(display)
    default: self
    }
  }
}
