// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
internal import KioskFile

/// Finds names, their uses, and completions for editors.
///
/// Offsets are in bytes of the file in the workspace. Larger offsets mean the end.
package final class LanguageService {
  package let workspace: Workspace

  package init(_ workspace: Workspace) { self.workspace = workspace }

  func cursor(_ document: Document, _ tree: SyntaxTree, at offset: Int) -> Cursor {
    Cursor(tree, document.kind.schema, root: root(document, tree), at: offset)
  }

  /// The choices for the root or, for a part, at its `include`.
  func root(_ document: Document, _ tree: SyntaxTree) -> [Schema.Choice] {
    let schema = document.kind.schema
    guard document.kind == .part else { return schema.root(tree.root) }
    for includer in includers(of: document.path) {
      guard let owner = workspace.document(includer) else { continue }
      for place in owner.includes(of: document.path) {
        let levels = cursor(owner, owner.tree, at: place).levels
        guard let index = levels.lastIndex(where: { $0.node.isMap }), index > 0 else { continue }
        let around = levels[index - 1]
        guard around.node.isList else {
          return levels[index].key.map {
            schema.values(of: $0, in: around.choices, tree.root)
          } ?? []
        }
        // Items of an included list are inserted.
        return tree.root.isList
          ? [.init(schema: ["type": "array", "items": itemSchema(around)])]
          : schema.items(of: around.choices, tree.root)
      }
    }
    // No file includes this one yet.
    return schema.root(tree.root)
  }

  private func itemSchema(_ list: Cursor.Level) -> JSONValue {
    let all = list.choices.compactMap { $0.schema["items"] }
    return all.count == 1 ? all[0] : ["anyOf": .array(all)]
  }

  private func includers(of path: String) -> [String] {
    guard let kiosk = workspace.kiosk(of: path), let draft = workspace.lastDraft(kiosk) else {
      return []
    }
    return draft.filePaths.filter { $0 != path }
  }
}

extension Document {
  func includes(of other: String) -> [Int] {
    var places: [Int] = []
    func look(_ node: SyntaxNode) {
      for item in node.items { look(item) }
      for pair in node.pairs {
        if pair.key.text == "include", let name = pair.value.text,
          Workspace.resolve(name, from: path) == other
        {
          places.append(pair.value.range.lowerBound)
        }
        look(pair.value)
      }
    }
    look(tree.root)
    return places
  }
}
