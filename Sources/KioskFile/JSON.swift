// SPDX-License-Identifier: MIT

/// A JSON value whose objects keep their order.
enum JSON: Hashable, Sendable {
  struct Member: Hashable, Sendable {
    var name: String
    var value: JSON
  }

  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// This object and the members of the other one after its own.
  func with(_ more: JSON) -> JSON {
    guard case .object(let own) = self, case .object(let others) = more else { return self }
    return .object(own + others)
  }

  /// The value as text, indented, without a line break at its end.
  func text(indent: String = "") -> String {
    let deeper = indent + "  "
    func lines(_ open: String, _ parts: [String], _ close: String) -> String {
      let flat = "\(open)\(parts.joined(separator: ", "))\(close)"
      if parts.isEmpty || (flat.count <= 72 && !flat.contains("\n")) { return flat }
      return "\(open)\n" + parts.map { deeper + $0 }.joined(separator: ",\n")
        + "\n\(indent)\(close)"
    }
    return switch self {
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): number.brief
    case .string(let text): Self.escaped(text)
    case .array(let items): lines("[", items.map { $0.text(indent: deeper) }, "]")
    case .object(let members):
      lines("{", members.map { "\(Self.escaped($0.name)): \($0.value.text(indent: deeper))" }, "}")
    }
  }

  private static func escaped(_ text: String) -> String {
    let parts = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case _ where scalar.value < 0x20:
        "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(parts.joined())\""
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(floatLiteral value: Double) { self = .number(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
}

extension Node {
  /// What a file would say that holds `value` at `mark`.
  init(_ value: JSON, at mark: Mark) {
    let content: Content =
      switch value {
      case .bool(let flag): .scalar(flag ? "true" : "false", isPlain: true)
      case .number(let number): .scalar(number.brief, isPlain: true)
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
  var brief: String { Int(exactly: self).map(String.init) ?? String(self) }
}
