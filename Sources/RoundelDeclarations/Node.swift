// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// An uninterpreted part of a file. Scalars keep their text: their key determines whether `on` or
/// `12` is a string, a number or a flag.
package struct Node: Sendable {
  package enum Content: Sendable {
    case scalar(String, isPlain: Bool)
    case list([Node])
    case map([Pair])
  }

  package struct Pair: Sendable {
    package var key: String
    package var keyMark: Mark
    package var value: Node

    package init(key: String, keyMark: Mark, value: Node) {
      self.key = key
      self.keyMark = keyMark
      self.value = value
    }
  }

  package enum PathComponent: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  package enum Kind: Hashable, Sendable {
    case nothing, scalar, list, map
  }

  enum Directive: String {
    case include
    case `repeat` = "for"
    /// The name of each case of a `for`.
    case name = "as"
    case condition = "if"

    static func place(of name: String) -> String? {
      switch Node.Directive(rawValue: name) {
      case .include: "a map without other keys"
      case .repeat: "it in a map that is a list item"
      case .name: "\"for\" in the same map"
      case .condition: "it in a map that is a list item"
      case nil: nil
      }
    }
  }

  package var content: Content
  package var mark: Mark
  /// The number of nodes, including this one. Aliases count in full.
  package let weight: Int
  /// The number of levels, including this one.
  package let height: Int
  /// The size of all strings in bytes. Aliases count in full.
  package let textBytes: Int
  let hasDollar: Bool
  /// Whether a scalar contains a brace, as templates do.
  package let hasBrace: Bool
  /// Whether a map in it has a `for` or an `include`.
  let hasDirective: Bool
  /// Whether the node replaces a reported error.
  package private(set) var isUnknown = false

  package init(_ content: Content, at mark: Mark) {
    self.content = content
    self.mark = mark
    var (weight, height, textBytes) = (1, 0, 0)
    var (hasDollar, hasBrace, hasDirective) = (false, false, false)
    func add(_ child: Node) {
      weight += child.weight
      height = max(height, child.height)
      textBytes += child.textBytes
      hasDollar = hasDollar || child.hasDollar
      hasBrace = hasBrace || child.hasBrace
      hasDirective = hasDirective || child.hasDirective
    }
    switch content {
    case .scalar(let text, _):
      textBytes = text.utf8.count
      for byte in text.utf8 {
        hasDollar = hasDollar || byte == UInt8(ascii: "$")
        hasBrace = hasBrace || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
      }
    case .list(let items): items.forEach(add)
    case .map(let pairs):
      for pair in pairs {
        textBytes += pair.key.utf8.count
        hasDollar = hasDollar || pair.key.utf8.contains(UInt8(ascii: "$"))
        hasDirective = hasDirective || Directive(rawValue: pair.key) != nil
        add(pair.value)
      }
    }
    self.weight = weight
    self.height = height + 1
    self.textBytes = textBytes
    self.hasDollar = hasDollar
    self.hasBrace = hasBrace
    self.hasDirective = hasDirective
  }

  /// No form reads the node or reports it again.
  package static func unknown(at mark: Mark) -> Node {
    var node = Node(.map([]), at: mark)
    node.isUnknown = true
    return node
  }

  package var kind: Kind {
    switch content {
    case .scalar(let text, isPlain: true)
    where text.utf8.count <= 4 && (text.isEmpty || text == "~" || text == "null"):
      .nothing
    case .scalar: .scalar
    case .list: .list
    case .map: .map
    }
  }

  package var text: String? {
    if case .scalar(let text, _) = content, kind == .scalar { text } else { nil }
  }

  /// The text of an unquoted scalar.
  package var plain: String? {
    if case .scalar(let text, isPlain: true) = content, kind == .scalar { text } else { nil }
  }

  package var items: [Node] {
    if case .list(let items) = content { items } else { [] }
  }

  package var pairs: [Pair] {
    if case .map(let pairs) = content { pairs } else { [] }
  }

  package subscript(key: String) -> Node? { pairs.first { $0.key == key }?.value }

  package var summary: String {
    switch content {
    case .scalar(let text, _):
      kind == .nothing ? "nothing" : number != nil ? text.shortened : text.quoted
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .map: "a map"
    }
  }

  /// The decimal number in a plain scalar, possibly infinite.
  package var number: Double? {
    guard let plain else { return nil }
    let digits = plain.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    switch plain.lowercased() {
    case ".inf", "+.inf", "-.inf": return .infinity
    case ".nan": return .nan
    default: break
    }
    // Double also accepts hexadecimal, "nan" and "infinity", which are words here.
    guard let first = digits.first, first.isDigit || first == UInt8(ascii: "."),
      digits.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(plain)
  }

  /// The flag in a plain scalar, in the words of YAML 1.1.
  package var flag: Bool? {
    switch plain?.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }
}
