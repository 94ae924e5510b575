// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

struct KioskStyles: Sendable {
  /// The pairs of each style, as written in the file.
  private let pairs: [String: [Node.Pair]]
  let values: Styles

  init(_ node: Node? = nil) {
    pairs = (node?.pairs ?? []).reduce(into: [:]) { $0[$1.key] = $1.value.pairs }
    values = Styles(pairs)
  }

  var names: [String] { values.names }

  /// Adds valid keys of styles that aren't present, also in nested nodes. O(n) in the nodes.
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

/// Keys of controls or items, except ids, positions, sizes and actions.
private struct StyleKeys {
  static let all = StyleKeys()

  private static let excluded: Set = ["id", "on", "style", "cell"]

  /// The summaries of each key, which differ between types.
  private(set) var summaries: [String: [String]] = [:]
  private(set) var names: [String] = []
  private(set) var unstyled = Self.excluded

  private init() {
    _ = Self.hasKey { key in
      if key.isGeometric { unstyled.insert(key.name) }
      if summaries[key.name]?.contains(key.summary) != true {
        summaries[key.name, default: []].append(key.summary)
      }
      return false
    }
    names = summaries.keys.filter { !unstyled.contains($0) }.sorted()
  }

  /// Most keys are in the first tables, and creating all takes a tenth of the start. A key is
  /// geometric in all tables or none.
  static func contains(_ name: String) -> Bool {
    !excluded.contains(name) && hasKey { $0.name == name && !$0.isGeometric }
  }

  /// Searches controls and their items, except keys that name a control, and creates tables as
  /// needed.
  private static func hasKey(_ isSuch: (Keys.Declaration) -> Bool) -> Bool {
    var seen: Set<String> = []
    func search(_ keys: Keys, excluding first: String?) -> Bool {
      guard seen.insert(keys.table).inserted else { return false }
      return keys.all.contains { key in
        guard key.name != first else { return false }
        if isSuch(key) { return true }
        guard let objects = key.objects?(), objects.names.contains("style") else { return false }
        return search(objects, excluding: nil)
      }
    }
    return ControlType.all.contains { search($0.table.keys, excluding: $0.name) }
  }
}

extension Form where Value == KioskStyles {
  /// `{NAME: {KEY: VALUE}}`. The values are read when a style is used.
  static var styles: Form {
    Form<Node>(
      "a map from names to styles", from: [.map],
      schema: { definitions in
        // The values of a key differ between types.
        let properties = StyleKeys.all.names.map { name in
          let summaries = StyleKeys.all.summaries[name] ?? []
          return JSONValue.Member(name, ["description": .string(summaries.joined(separator: " "))])
        }
        let style = definitions.reference("style") { _ in
          [
            "description": "The keys of controls and items.", "type": "object",
            "properties": .object(properties), "additionalProperties": false,
          ]
        }
        return ["type": "object", "additionalProperties": style]
      },
      read: { node, reader in
        for pair in node.pairs { reader.inside(key: pair.key) { check(pair.value, reader) } }
        return node
      }
    ).orListOfMaps("styles").map { KioskStyles($0) }
  }

  private static func check(_ style: Node, _ reader: Reader) {
    guard style.kind == .map, !style.isUnknown else {
      if !style.isUnknown { reader.reportType(style, expected: "a map of keys of controls") }
      return
    }
    for pair in style.pairs where !StyleKeys.contains(pair.key) {
      if StyleKeys.all.unstyled.contains(pair.key) {
        reader.report(
          "\(pair.key.quoted) belongs to a control, not to a style", at: pair.keyMark,
          expected: "any key except positions, sizes, ids, on and style")
      } else {
        reader.report(
          "no control has the key \(pair.key.quoted)", at: pair.keyMark,
          expected: "a key of a control or an item",
          suggestion: StyleKeys.all.names.nearest(to: pair.key, by: reader))
      }
    }
  }
}
