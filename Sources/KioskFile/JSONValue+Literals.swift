// SPDX-License-Identifier: MIT

internal import JSON

// Schemas and defaults read best as what they are: JSON.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(floatLiteral value: Double) { self = .number(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue {
  /// This object and the members of the other one after its own.
  func with(_ more: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let others) = more else { return self }
    return .object(own + others)
  }

  /// The value as people read it: what does not fit into a line is indented.
  func indented(by indent: String = "") -> String {
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

extension Node {
  /// What a file would say that holds `value` at `mark`.
  init(_ value: JSONValue, at mark: Mark) {
    let content: Content =
      switch value {
      case .null, .bool, .number: .scalar(value.text, isPlain: true)
      case .string(let text): .scalar(text, isPlain: false)
      case .array(let items): .list(items.map { Node($0, at: mark) })
      case .object(let members):
        .map(members.map { Pair(key: $0.name, keyMark: mark, value: Node($0.value, at: mark)) })
      }
    self.init(content, at: mark)
  }
}

extension Double {
  /// The number without a needless `.0`.
  var brief: String { JSONValue.number(self).text }
}
