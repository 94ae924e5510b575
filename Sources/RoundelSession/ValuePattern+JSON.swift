// SPDX-License-Identifier: MIT

internal import RoundelExpressions
package import RoundelJSON
package import Kiosk

extension ValuePattern {
  /// Returns nil for `null`, or for a map that looks like a range but is invalid.
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
