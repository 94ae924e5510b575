// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
internal import KioskFile
internal import RoundelSuites

extension FileKind {
  private static let kiosks = Schema(KioskSchema.json)
  private static let suites = Schema(SuiteSchema.json)

  var schema: Schema { self == .suite ? Self.suites : Self.kiosks }

  var reference: ReferenceText {
    switch self {
    case .suite: .suites
    case .recording: .recordings
    case .kiosk, .part: .kiosks
    }
  }
}

/// The path from a file's root to a node, with the choices for each node.
struct Cursor {
  struct Level {
    var node: SyntaxNode
    var choices: [Schema.Choice]
    /// The key of the node, or nil for an item of a list.
    var key: String?
  }

  enum Slot {
    /// An index in the last level's map.
    case key(Int)
    case value
  }

  /// The levels from the root.
  var levels: [Level]
  var slot: Slot
  /// The scalar at the end of the path, or nil.
  var scalar: SyntaxNode?

  init(_ tree: SyntaxTree, _ schema: Schema, root: [Schema.Choice], at offset: Int) {
    levels = [Level(node: tree.root, choices: root, key: nil)]
    slot = .value
    descend(schema, offset)
  }

  private mutating func descend(_ schema: Schema, _ offset: Int) {
    while let level = levels.last {
      switch level.node.content {
      case .map(let pairs, _):
        guard let number = pairs.lastIndex(where: { $0.key.start <= offset }) else { return }
        let pair = pairs[number]
        if offset <= pair.key.range.upperBound, pair.colon.map({ offset <= $0 }) ?? true {
          slot = .key(number)
          scalar = pair.key
          return
        }
        guard offset <= pair.value.range.upperBound || pair.value.isBlock || pair.value.isEmpty,
          let name = pair.key.text
        else { return }
        let choices = schema.values(of: name, in: level.choices, pair.value)
        levels.append(Level(node: pair.value, choices: choices, key: name))
      case .list(let items, _):
        guard let item = items.last(where: { $0.start <= offset }),
          offset <= item.range.upperBound || item.isBlock || item.isEmpty
        else { return }
        let choices = schema.items(of: level.choices, item)
        levels.append(Level(node: item, choices: choices, key: nil))
      case .scalar:
        scalar = level.node
        return
      case .nothing, .alias: return
      }
    }
  }

  var last: Level { levels[levels.count - 1] }

  /// The innermost key on the path, ignoring list items.
  var key: String? { levels.last { $0.key != nil }?.key }

  var keys: [String] { levels.compactMap(\.key) }

  var tables: [String] { last.choices.compactMap(\.table) }
}

extension SyntaxNode {
  fileprivate var isBlock: Bool { (isMap || isList) && !isFlow }
  fileprivate var isEmpty: Bool { if case .nothing = content { true } else { false } }
}
