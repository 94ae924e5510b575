// SPDX-License-Identifier: MIT

import ArgumentParser
import JSON
import KioskProtocol
import Remote

extension CompletionKind {
  /// What can be read of the kiosk that runs: its values, and its controls' properties.
  static var properties: CompletionKind {
    .custom { words, _, _ in PropertyNames.ofRunningKiosk(words: words) }
  }
}

/// Names for the shell to complete.
enum PropertyNames {
  /// Those of the kiosk that the words of a command mean; none where there is no such.
  static func ofRunningKiosk(words: [String]) -> [String] {
    let socket = words.firstIndex(of: "--socket").flatMap { index in
      words.indices.contains(index + 1) ? words[index + 1] : nil
    }
    guard let client = try? Client(at: socket ?? SocketPath.ofClient),
      let tree = try? client.call(TreeRequest { $0.properties = true }, patience: 2)
    else { return [] }
    return all(in: tree)
  }

  private static func all(in tree: TreeAnswer) -> [String] {
    tree.values.map(\.name) + ["language", "page"]
      + tree.pages.flatMap(\.controls).flatMap { control in
        control.properties.map { "\(control.id).\($0.name)" }
      }
  }
}
