// SPDX-License-Identifier: MIT

package import RoundelExpressions
package import RoundelJSON

extension Node {
  /// The possible values, the most likely first. Only the receiver knows whether `12` is a number
  /// or a string, and whether `no` is a flag or a word.
  ///
  /// A list may contain maps, such as a control's items.
  package var values: [Value] {
    switch content {
    case .map: return []
    case .list(let items):
      let values = items.compactMap(\.element)
      return values.count == items.count ? [.list(values)] : []
    case .scalar:
      guard let text else { return [] }
      if let number, number.isFinite { return [.number(number), .text(text)] }
      if let flag {
        let isWord = !["true", "false"].contains(text)
        return isWord ? [.text(text), .flag(flag)] : [.flag(flag), .text(text)]
      }
      return [.text(text)]
    }
  }

  /// The most likely value, or nil if an item isn't a value.
  package var value: Value? { record ?? values.first }

  /// The record of such values, or nil if the node isn't a map.
  private var record: Value? {
    guard case .map(let pairs) = content else { return nil }
    let fields = pairs.compactMap { pair in pair.value.element.map { Field(pair.key, $0) } }
    return fields.count == pairs.count ? .record(fields) : nil
  }

  /// The value in a list or a map. A scalar there has the same meaning anywhere in the file: `007` is a string.
  private var element: Value? {
    kind == .scalar ? literal ?? text.map { .text($0) } : value
  }

  /// A scalar of another kind becomes a string, an empty scalar NaN.
  func value(as kind: Value.Kind) -> Value {
    guard self.kind != .nothing else { return .number(.nan) }
    let value: Value? =
      switch kind {
      case .number: number.map { .number($0) }
      case .flag: flag.map { .flag($0) }
      case .any: values.first
      case .text, .list, .record, .time: nil
      }
    return value ?? .text(text ?? "")
  }

  /// A scalar that looks like a number or a flag becomes one, unless its notation is unusual.
  package func value(of key: Keys.Declaration) -> Value {
    guard case .scalar = content else { return plainValue(key.objects?()) }
    switch key.valueKind {
    case .number where number != nil, .flag where flag != nil: return value(as: key.valueKind)
    case .text:
      guard let text, let first = text.utf8.first,
        first < UInt8(ascii: ":") || "tf".utf8.contains(first),
        let literal, literal.scalarText == text
      else { return .text(text ?? "") }
      return literal
    default: return literal ?? .text("")
    }
  }

  /// The value without actions in maps. `keys` are the maps' keys.
  package func plainValue(_ keys: Keys?) -> Value {
    switch content {
    case .scalar: literal ?? .text("")
    case .list(let items): .list(items.map { $0.plainValue(keys) })
    case .map(let pairs):
      .record(
        pairs.compactMap { pair in
          guard pair.key != "on" else { return nil }
          return Field(
            pair.key, keys?[pair.key].map(pair.value.value) ?? pair.value.plainValue(nil))
        })
    }
  }

  /// The number, flag or string in a scalar. Numbers and flags have JSON notation.
  package var literal: RoundelExpressions.Value? {
    guard let text = kind == .nothing ? "" : text else { return nil }
    guard let plain else { return .text(text) }
    if plain == "true" || plain == "false" { return .flag(plain == "true") }
    if let number, number.isFinite, Self.isJSONNumber(plain) { return .number(number) }
    return .text(text)
  }

  /// `007` and `+1` are strings.
  private static func isJSONNumber(_ text: String) -> Bool {
    (try? JSONValue(parsing: Array(text.utf8)))?.number != nil
  }
}

extension Node {
  package init(_ value: JSONValue, at mark: Mark) {
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
