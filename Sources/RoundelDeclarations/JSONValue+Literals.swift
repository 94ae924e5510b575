// SPDX-License-Identifier: MIT

package import RoundelJSON

// Schemas and defaults are JSON, and most readable as literals.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue {
  /// Appends the members of another object.
  package func with(_ more: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let others) = more else { return self }
    return .object(own + others)
  }

  /// Requires this schema unless `exception` matches, otherwise `other`. The schema then describes
  /// the error in a value, while "anyOf" only says that nothing matches.
  package func unless(_ exception: JSONValue, then other: JSONValue? = nil) -> JSONValue {
    guard case .object(let members) = self else { return self }
    let isAnnotation = { (member: Member) in ["description", "default"].contains(member.name) }
    let choice: [Member] =
      [.init("if", exception)] + (other.map { [.init("then", $0)] } ?? [])
      + [.init("else", .object(members.filter { !isAnnotation($0) }))]
    return .object(members.filter(isAnnotation) + choice)
  }

  /// Returns human-readable JSON. Lists and objects that don't fit on a line are indented.
  package func indented(by indent: String = "") -> String {
    let deeper = indent + "  "
    func lines(_ open: String, _ parts: [String], _ close: String) -> String {
      let line = "\(open)\(parts.joined(separator: ", "))\(close)"
      if parts.isEmpty || (line.count <= 72 && !line.contains("\n")) { return line }
      return "\(open)\n" + parts.map { deeper + $0 }.joined(separator: ",\n")
        + "\n\(indent)\(close)"
    }
    switch self {
    case .array(let items):
      return lines("[", items.map { $0.indented(by: deeper) }, "]")
    case .object(let members):
      let parts = members.map { member in
        JSONValue.string(member.name).text + ": " + member.value.indented(by: deeper)
      }
      return lines("{", parts, "}")
    case .null, .bool, .number, .string: return text
    }
  }
}

extension Double {
  package var brief: String { JSONValue.text(of: self) }
}
