// SPDX-License-Identifier: MIT

package import RoundelJSON
internal import RoundelDeclarations

/// A document with a few random changes, usually invalid. If its reader accepts it, its schema must
/// accept it, too.
package struct ChangedDocument {
  package private(set) var value: JSONValue
  /// The included files, by name.
  package private(set) var files: [String: JSONValue] = [:]
  /// Whether maps may be repeated and parts included anywhere.
  private let isAssembled: Bool

  package init(_ value: JSONValue, isAssembled: Bool) {
    self.value = value
    self.isAssembled = isAssembled
  }

  /// Makes another change.
  package mutating func change(using random: inout some RandomNumberGenerator) {
    var place = Int.random(in: 0..<Self.count(value), using: &random)
    let whole = value
    value = changed(whole, at: &place, isItem: false, &random)
  }

  private static func count(_ value: JSONValue) -> Int {
    switch value {
    case .array(let items): 1 + items.reduce(0) { $0 + count($1) }
    case .object(let members): 1 + members.reduce(0) { $0 + count($1.value) }
    default: 1
    }
  }

  private mutating func changed(
    _ value: JSONValue, at place: inout Int, isItem: Bool,
    _ random: inout some RandomNumberGenerator
  ) -> JSONValue {
    place -= 1
    if place == -1 { return other(value, isItem: isItem, &random) }
    guard place >= 0 else { return value }
    switch value {
    case .array(let items):
      return .array(items.map { changed($0, at: &place, isItem: true, &random) })
    case .object(let members):
      return .object(
        members.map { .init($0.name, changed($0.value, at: &place, isItem: false, &random)) })
    default: return value
    }
  }

  /// A replacement for a value.
  private mutating func other(
    _ value: JSONValue, isItem: Bool, _ random: inout some RandomNumberGenerator
  ) -> JSONValue {
    let kind = Int.random(in: 0..<5, using: &random)
    switch (value, kind) {
    case (.object(let members), 0) where isItem && isAssembled:
      return repeated(members, &random)
    case (.array, 0...1) where isAssembled, (.object, 1) where isAssembled:
      return include(value)
    case (_, 2) where isItem && isAssembled: return include([value])
    case (.object(let members), 2...3) where !members.isEmpty:
      var members = members
      members.remove(at: Int.random(in: 0..<members.count, using: &random))
      return .object(members)
    case (.array(let items), 2...3) where !items.isEmpty:
      let item = items[Int.random(in: 0..<items.count, using: &random)]
      return .array(Bool.random(using: &random) ? items + [item] : Array(items.dropLast()))
    default:
      return Self.values.randomElement(using: &random) ?? .null
    }
  }

  private mutating func include(_ part: JSONValue) -> JSONValue {
    let name = "part\(files.count).yaml"
    files[name] = part
    return ["include": .string(name)]
  }

  /// A list's map in a `for` with one case, which replaces one of its scalars, possibly with a name
  /// and a condition.
  private func repeated(
    _ members: [JSONValue.Member], _ random: inout some RandomNumberGenerator
  ) -> JSONValue {
    var members = members
    var given = JSONValue.number(1)
    let isNamed = Bool.random(using: &random)
    if let place = members.indices.randomElement(using: &random), place > 0 {
      given = members[place].value
      members[place] = .init(members[place].name, isNamed ? "$case.given" : "$given")
    }
    var directives: [JSONValue.Member] = [.init("for", [["given": given]])]
    if isNamed { directives.append(.init("as", "case")) }
    if Bool.random(using: &random) { directives.append(.init("if", "$index < 5")) }
    return .object(directives + members)
  }

  private static let values: [JSONValue] = [
    7, -1, 0.5, 90, "7", "90", "text", "#123456", "", "{n}", "{t} {n}", "6px", "none", "never",
    true, false, "true", .null, ["a"], ["a", 2], [4, 5], [], ["label": "x"], "$given",
  ]
}
