// SPDX-License-Identifier: MIT

package import RoundelExpressions
internal import RoundelJSON

extension Value {
  /// `5.10` stays a string, unless a number or several kinds are expected. A string that doesn't
  /// fit stays a string, which the receiver refuses.
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

  /// Converts a fitting value: callers need not know whether a number is shown as a string.
  package func suited(to kind: Kind) -> Value {
    switch (self, kind) {
    case (.text(let text), _): Value(text: text, as: kind)
    case (.number, .text), (.flag, .text): .text(display)
    default: self
    }
  }
}
