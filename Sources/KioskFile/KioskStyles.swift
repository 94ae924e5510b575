// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

/// Keys that controls and items share by a name.
struct KioskStyles: Sendable {
  /// The keys of each style, as they stand in the file.
  private(set) var pairs: [String: [Node.Pair]] = [:]

  init(_ node: Node? = nil) {
    for pair in node?.pairs ?? [] { pairs[pair.key] = pair.value.pairs }
  }

  var names: [String] { pairs.keys.sorted() }

  /// A control's or item's node, and those in it, with the keys of their styles that they may have and do
  /// not say themselves. O(n) in the number of nodes.
  func applied(to node: Node, _ keys: Keys) -> Node {
    guard !pairs.isEmpty, case .map(var own) = node.content, !node.isUnknown else { return node }
    if let name = node["style"]?.text, keys.names.contains("style"), let style = pairs[name] {
      let known = Set(own.map(\.key))
      own += style.filter { !known.contains($0.key) && keys.names.contains($0.key) }
    }
    for key in keys.all {
      guard let objects = key.objects?(), let place = own.firstIndex(where: { $0.key == key.name }),
        case .list(let items) = own[place].value.content
      else { continue }
      let whole = items.map { applied(to: $0, objects) }
      own[place].value = Node(.list(whole), at: own[place].value.mark)
    }
    return Node(.map(own), at: node.mark)
  }
}

/// A key that a style may have: one of a control or an item that is neither its name, its place nor its
/// actions.
private struct StyleKeys {
  static let all = StyleKeys()

  /// The sentences about the keys of each name, which differ from type to type.
  private(set) var summaries: [String: [String]] = [:]
  private(set) var names: [String] = []
  private(set) var unstyled: Set<String> = ["id", "on", "style", "cell"]

  private init() {
    var seen: Set<String> = []
    for type in ControlType.all {
      add(type.table.keys, first: type.name, &seen)
    }
    names = summaries.keys.filter { !unstyled.contains($0) }.sorted()
  }

  private mutating func add(_ keys: Keys, first name: String?, _ seen: inout Set<String>) {
    guard seen.insert(keys.table).inserted else { return }
    for key in keys.all where key.name != name {
      if key.isGeometric { unstyled.insert(key.name) }
      if summaries[key.name]?.contains(key.summary) != true {
        summaries[key.name, default: []].append(key.summary)
      }
      if let objects = key.objects?(), objects.names.contains("style") {
        add(objects, first: nil, &seen)
      }
    }
  }
}

extension Form where Value == KioskStyles {
  /// `{NAME: {KEY: VALUE}}`. The values are read where they are used.
  static var styles: Form {
    Form<Node>(
      "a map from names to styles", from: [.map],
      schema: { definitions in
        // What a key may hold differs from type to type; it is read where the style is used.
        let properties = StyleKeys.all.names.map { name in
          let summaries = StyleKeys.all.summaries[name] ?? []
          return JSONValue.Member(name, ["description": .string(summaries.joined(separator: " "))])
        }
        let style = definitions.reference("style") { _ in
          [
            "description": "Keys of controls and items.", "type": "object",
            "properties": .object(properties), "additionalProperties": false,
          ]
        }
        return ["type": "object", "additionalProperties": style]
      },
      read: { node, reader in
        for pair in node.pairs { reader.inside(key: pair.key) { check(pair.value, reader) } }
        return node
      }
    ).orListOfMaps("styles").map { KioskStyles($0) }.compactMap { styles, _, reader in
      reader.kiosk.styles = styles
      return styles
    }
  }

  private static func check(_ style: Node, _ reader: Reader) {
    guard style.kind == .map, !style.isUnknown else {
      if !style.isUnknown { reader.reportType(style, expected: "a map of keys of controls") }
      return
    }
    let (names, unstyled) = (StyleKeys.all.names, StyleKeys.all.unstyled)
    for pair in style.pairs where !names.contains(pair.key) {
      if unstyled.contains(pair.key) {
        reader.report(
          "\(pair.key.quoted) belongs to a control, not to a style", at: pair.keyMark,
          expected: "any key but places, sizes, ids, on and style")
      } else {
        reader.report(
          "no control has the key \(pair.key.quoted)", at: pair.keyMark,
          expected: "a key of a control or an item", near: names.nearest(to: pair.key, by: reader))
      }
    }
  }
}

extension KioskReader {
  func checkStyle(_ name: String, at mark: Mark) {
    let names = styles.names
    guard !names.contains(name) else { return }
    report(
      "there is no style \(name.quoted)", at: mark,
      expected: names.isEmpty ? "\"styles\" with it" : names.alternatives,
      near: names.nearest(to: name, by: self))
  }
}
