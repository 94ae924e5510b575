// SPDX-License-Identifier: MIT

public import JSON

// Schemas and defaults read best as what they are: JSON.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue {
  /// This object and the members of the other one after its own.
  package func with(_ more: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let others) = more else { return self }
    return .object(own + others)
  }

  /// The value as people read it: what does not fit into a line is indented.
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
    case .null, .bool, .number, .string:
      return text
    }
  }
}

extension Double {
  /// The number without a needless `.0`.
  package var brief: String { JSONValue.number(self).text }
}
