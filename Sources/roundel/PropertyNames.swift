// SPDX-License-Identifier: MIT

import ArgumentParser
import JSON
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
      let tree = try? client.call("tree", [.init("properties", .bool(true))], patience: 2)
    else { return [] }
    return all(in: tree)
  }

  static func all(in tree: JSONValue) -> [String] {
    var names = members(tree["values"]) + ["language", "page"]
    for control in tree["pages"].elements.flatMap({ $0["controls"].elements }) {
      names += members(control["properties"]).map { "\(control["id"].words).\($0)" }
    }
    return names
  }

  private static func members(_ json: JSONValue?) -> [String] {
    if case .object(let members)? = json { members.map(\.name) } else { [] }
  }
}
