// SPDX-License-Identifier: MIT

package import JSON

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
