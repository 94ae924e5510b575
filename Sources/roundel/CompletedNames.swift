// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelJSON
import Kiosk
import KioskProtocol
import JSONRPC

/// The names in a running kiosk for shell completion.
extension CompletionKind {
  static var properties: CompletionKind {
    names(withProperties: true, readable)
  }

  private static func readable(_ tree: TreeAnswer) -> [String] {
    tree.values.map(\.name) + ["language", "page"]
      + tree.pages.flatMap(\.controls).flatMap { control in
        control.properties.map { "\(control.id).\($0.name)" }
      }
  }

  static var settable: CompletionKind {
    names(withProperties: true) { tree in
      let fixed = Set((tree.bound ?? []).filter { $0.value == .null }.map(\.name))
      return readable(tree).filter { !fixed.contains($0) && $0 != "page" }
    }
  }

  static var pages: CompletionKind { names { $0.pages.map(\.name) } }

  static var destinations: CompletionKind {
    names { tree in
      let pages = tree.pages.map(\.name)
      return pages + Destination.words.filter { !pages.contains($0) }
    }
  }

  static var controls: CompletionKind { names { $0.pages.flatMap(\.controls).map(\.id) } }

  static var targets: CompletionKind {
    names { tree in
      tree.pages.flatMap(\.controls).filter { $0.place != nil }.flatMap { control in
        [control.id] + control.items.map { "\(control.id)/\($0.id)" }
      }
    }
  }

  static func controls(knowing command: String) -> CompletionKind {
    names { tree in
      tree.pages.flatMap(\.controls).filter { $0.commands.contains(command) }.map(\.id)
    }
  }

  private static func names(
    withProperties: Bool = false, _ names: @escaping @Sendable (TreeAnswer) -> [String]
  ) -> CompletionKind {
    .custom { words, _, _ in
      // A remote kiosk would answer too slowly.
      guard option("--host", in: words) == nil,
        let client = try? Client(at: option("--socket", in: words) ?? SocketPath.ofClient),
        let tree = try? client.call(
          TreeRequest { $0.properties = withProperties }, timeout: 2)
      else { return [] }
      return names(tree)
    }
  }

  private static func option(_ name: String, in words: [String]) -> String? {
    if let value = words.first(where: { $0.hasPrefix("\(name)=") }) {
      return String(value.dropFirst(name.count + 1))
    }
    return words.firstIndex(of: name).flatMap { index in
      words.indices.contains(index + 1) ? words[index + 1] : nil
    }
  }
}
