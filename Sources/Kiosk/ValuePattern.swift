// SPDX-License-Identifier: MIT

package import RoundelExpressions

/// An expected value.
///
/// In JSON and YAML: `45` · `{min: 3, max: 5}` · `{one_of: [a, b]}` · `{not: ""}` · a list, item by
/// item · any other map, whose members must match. Additional members are allowed.
package indirect enum ValuePattern: Hashable, Sendable {
  /// A value that is displayed the same: 15 also matches the string "15".
  case value(Value)
  case range(min: Double?, max: Double?)
  case oneOf([ValuePattern])
  case not(ValuePattern)
  case list([ValuePattern])
  case record([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var pattern: ValuePattern

    package init(_ name: String, _ pattern: ValuePattern) {
      self.name = name
      self.pattern = pattern
    }
  }

  /// Nil stands for a property or field that doesn't exist.
  package func matches(_ value: Value?) -> Bool {
    switch (self, value) {
    case (.not(let pattern), _): return !pattern.matches(value)
    case (.oneOf(let patterns), _): return patterns.contains { $0.matches(value) }
    case (.value(let wanted), let value?): return wanted.display == value.display
    case (.range(let min, let max), .number(let number)?):
      return number >= min ?? -.infinity && number <= max ?? .infinity
    case (.list(let patterns), .list(let values)?):
      return patterns.count == values.count && zip(patterns, values).allSatisfy { $0.matches($1) }
    case (.record(let members), .record(let fields)?):
      return members.allSatisfy { member in
        member.pattern.matches(fields.first { $0.name == member.name }?.value)
      }
    default: return false
    }
  }
}

extension ValuePattern: CustomStringConvertible {
  /// A human-readable description: `from 3 to 5`.
  package var description: String {
    switch self {
    case .value(let value): value.display.isEmpty ? "\"\"" : value.display
    case .range(let min?, let max?): "from \(Self.text(min)) to \(Self.text(max))"
    case .range(let min?, nil): "at least \(Self.text(min))"
    case .range(nil, let max?): "at most \(Self.text(max))"
    case .range(nil, nil): "a number"
    case .oneOf(let patterns): patterns.map(\.description).joined(separator: " or ")
    case .not(let pattern): "not \(pattern)"
    case .list(let patterns): "[" + patterns.map(\.description).joined(separator: ", ") + "]"
    case .record(let members):
      members.map { "\($0.name) \($0.pattern)" }.joined(separator: ", ")
    }
  }

  private static func text(_ number: Double) -> String { Value.number(number).display }
}
