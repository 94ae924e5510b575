// SPDX-License-Identifier: MIT

package import Expressions
internal import JSON

extension Node {
  /// The values that it can mean, the likeliest first: only the receiver knows whether `12` is a number
  /// or a text, and whether `no` is a flag or a word.
  ///
  /// A list may hold maps, as the items of a control are.
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

  /// A map of such values; nil if it is not a map.
  private var record: Value? {
    guard case .map(let pairs) = content else { return nil }
    let fields = pairs.compactMap { pair in pair.value.element.map { Field(pair.key, $0) } }
    return fields.count == pairs.count ? .record(fields) : nil
  }

  /// Its value within a list or a map, where a scalar has the same meaning anywhere in the file: `007` is a text.
  private var element: Value? {
    kind == .scalar ? literal ?? text.map { .text($0) } : record ?? values.first
  }

  /// The number, flag or text that a scalar is: a number or a flag only where JSON would write it so.
  package var literal: Expressions.Value? {
    guard let text = kind == .nothing ? "" : text else { return nil }
    guard let plain else { return .text(text) }
    if plain == "true" || plain == "false" { return .flag(plain == "true") }
    if let number, number.isFinite, Self.isJSONNumber(plain) { return .number(number) }
    return .text(text)
  }

  /// `007` and `+1` are texts.
  private static func isJSONNumber(_ text: String) -> Bool {
    (try? JSONValue(parsing: Array(text.utf8)))?.number != nil
  }
}
