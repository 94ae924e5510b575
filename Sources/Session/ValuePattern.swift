// SPDX-License-Identifier: MIT

package import Expressions
package import JSON

/// What a value is expected to be: a value, a range, one of several, anything but something.
///
/// In JSON and YAML: `45` · `{min: 3, max: 5}` · `{one_of: [a, b]}` · `{not: ""}` · a list, item by
/// item · any other map, whose members must be there as they say; more may be.
package indirect enum ValuePattern: Hashable, Sendable {
  /// Reads as this value does: 15 is the text "15" as well.
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

  /// Whether a property or a field is so; nil stands for one that does not exist.
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

  /// Nil where there is `null` in it, or a map that looks like a range and is none.
  package init?(_ json: JSONValue) {
    switch json {
    case .null: return nil
    case .array(let items):
      let patterns = items.compactMap { ValuePattern($0) }
      guard patterns.count == items.count else { return nil }
      self = .list(patterns)
    case .object(let members):
      switch members.map(\.name) {
      case ["not"]:
        guard let pattern = ValuePattern(members[0].value) else { return nil }
        self = .not(pattern)
      case ["one_of"]:
        guard case .list(let patterns)? = ValuePattern(members[0].value) else { return nil }
        self = .oneOf(patterns)
      case ["min"], ["max"], ["min", "max"], ["max", "min"]:
        guard members.allSatisfy({ $0.value.number != nil }) else { return nil }
        self = .range(min: json["min"]?.number, max: json["max"]?.number)
      default:
        let patterns = members.compactMap { member in
          ValuePattern(member.value).map { Member(member.name, $0) }
        }
        guard patterns.count == members.count else { return nil }
        self = .record(patterns)
      }
    default:
      guard let value = Value(json) else { return nil }
      self = .value(value)
    }
  }

  package var json: JSONValue {
    switch self {
    case .value(let value): JSONValue(value)
    case .range(let min, let max):
      .object(
        [min.map { .init("min", .number($0)) }, max.map { .init("max", .number($0)) }]
          .compactMap { $0 })
    case .oneOf(let patterns): .object([.init("one_of", .array(patterns.map(\.json)))])
    case .not(let pattern): .object([.init("not", pattern.json)])
    case .list(let patterns): .array(patterns.map(\.json))
    case .record(let members): .object(members.map { .init($0.name, $0.pattern.json) })
    }
  }
}

extension ValuePattern: CustomStringConvertible {
  /// For people: `from 3 to 5`.
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
