// SPDX-License-Identifier: MIT

internal import RoundelJSON

extension Keys {
  /// The keys and their tables as Markdown: each table's summary and a line per key. Tables after
  /// the first have a heading.
  package var reference: String {
    var seen = [table]
    var waiting = [self]
    var text = ""
    while !waiting.isEmpty {
      let keys = waiting.removeFirst()
      if keys.table != table { text += "\n### \(table): \(keys.table)\n\n" }
      text += keys.summary + "\n\n"
      for key in keys.all {
        text += key.reference(without: keys.substitution, or: keys.alternatives)
        guard let inner = key.objects?(), !seen.contains(inner.table) else { continue }
        seen.append(inner.table)
        waiting.append(inner)
      }
    }
    return text
  }
}

extension Keys.Declaration {
  fileprivate func reference(
    without substitution: (name: String, others: [String])?, or alternatives: [String]
  ) -> String {
    var text = "- `\(name)`"
    if allowsTemplate { text += " `{…}`" }
    text += ": "
    if let inner = objects?(), expected.hasPrefix("a map with the keys") {
      text += "a map, see \(inner.table)"
    } else {
      text += expected
    }
    if isRequired {
      text += "; required"
      if let substitution, substitution.others.contains(name) {
        text += " without `\(substitution.name)`"
      }
    }
    if alternatives.contains(name) {
      let others = alternatives.filter { $0 != name }.map { "`\($0)`" }
      text += "; required without " + others.joined(separator: " and ")
    }
    switch defaultValue {
    case .object?, .string("")?, nil: break
    case .string(let word)?: text += "; \(word)"
    case .array(let list)? where list.isEmpty: text += "; none"
    case let value?: text += "; \(value.text)"
    }
    return text + ". \(summary)\n"
  }
}

extension Verb {
  package var reference: String { "- `\(name)`: \(form.expected). \(summary)\n" }
}
