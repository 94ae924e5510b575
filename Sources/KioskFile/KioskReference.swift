// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import JSON
internal import Kiosk
internal import YAML

/// The reference of kiosk files, as Markdown: keys, events and properties of each control, actions and
/// expressions. It comes from the tables by which files are read, so the two cannot differ.
package enum KioskReference {
  /// What is said about one thing.
  package struct Section: Sendable {
    /// How it is asked for: `dial`.
    package let name: String
    /// Markdown, ending in a line break.
    package let text: String
  }

  /// The file's own keys, the controls in their order, the actions, and the expressions.
  package static var sections: [Section] {
    [Section(name: "kiosk", text: title("kiosk") + described(Table.kiosk.keys))]
      + ControlType.all.map { Section(name: $0.name, text: title($0.name) + described($0)) }
      + [
        Section(name: "actions", text: title("actions") + actions),
        Section(name: "expressions", text: title("expressions") + expressions),
      ]
  }

  /// All sections under one title.
  package static var text: String {
    "# Reference of kiosk files\n\n" + introduction + "\n"
      + sections.map(\.text).joined(separator: "\n")
  }

  private static let introduction = """
    A key that is marked `{…}` also takes a template, such as `"{cups > 0}"`, and follows it. It is a property,
    too: `roundel get`, `set` and `watch` know it as CONTROL.KEY, that of an item as CONTROL.ITEM.KEY.
    Lengths are pixels of the design size, angles degrees clockwise from 12 o'clock, times seconds.
    `roundel reference NAME` prints one section.

    """

  private static func title(_ name: String) -> String { "## \(name)\n\n" }

  // MARK: Tables

  private static func described(_ type: ControlType) -> String {
    var text = described(type.table.keys)
    let keys = Set(type.table.keys.names)
    let state = (type.standIn(items: [])?.properties ?? []).filter { !keys.contains($0) }
    if !state.isEmpty {
      // The stand-in has one part, whose id is `item`.
      let names = state.map { $0.hasPrefix("item.") ? "PART.\($0.dropFirst(5))" : $0 }
      text += "\nState, besides the keys: \(names.map { "`\($0)`" }.joined(separator: ", ")).\n"
    }
    if !type.events.isEmpty {
      text += "\nEvents:\n\n" + type.events.map(described(event:)).joined()
    }
    return text
  }

  private static func described(event: String) -> String {
    "- `\(event)`: \(eventSummaries[event] ?? "")\n"
  }

  /// The keys of a table, then those of the tables that its keys lead to.
  private static func described(_ root: Keys) -> String {
    var seen = [root.table]
    var waiting = [root]
    var text = ""
    while !waiting.isEmpty {
      let keys = waiting.removeFirst()
      if keys.table != root.table { text += "\n### \(root.table): \(keys.table)\n\n" }
      text += keys.summary + "\n\n"
      for key in keys.all {
        text += described(key)
        guard let inner = key.objects?(), !seen.contains(inner.table) else { continue }
        seen.append(inner.table)
        waiting.append(inner)
      }
    }
    return text
  }

  private static func described(_ key: Keys.Declaration) -> String {
    var text = "- `\(key.name)`"
    if key.takesTemplate { text += " `{…}`" }
    text += ": "
    if let inner = key.objects?(), key.expected.hasPrefix("a map with the keys") {
      text += "a map, see \(inner.table)"
    } else {
      text += key.expected
    }
    if key.isRequired { text += "; required" }
    switch key.defaultValue {
    case .object?, nil: break
    case .string(let word)?: text += "; \(word)"
    case let value?: text += "; \(value.text)"
    }
    return text + ". \(key.summary)\n"
  }

  // MARK: Events, actions, expressions

  /// What the events of controls report.
  static let eventSummaries: [String: String] = [
    "pressed": "A finger has come down on it. One of the other events ends it.",
    "selected": "A finger was lifted on what it had pressed.",
    "confirmed": "The blinking after `selected` is over; without it, at once.",
    "cancelled": "The finger left it, or was taken away by a page change or the panel's sleep.",
    "passing": "A detent or another item has been reached on the way; none is left out.",
    "settled": "It has come to rest.",
    "opened": "Its leaves are shown.",
    "closed": "Its leaves go; `why` says for what reason.",
    "started": "A spin has begun.",
    "changed": "It is on where it was off, or off where it was on.",
    "typed": "A key has been typed; a held delete key reports each letter.",
    "entered": "The enter key has been typed; `text` is the whole text.",
    "due": "`every` seconds have passed.",
  ]

  private static var actions: String {
    """
    What `on` lists under an event, each a map of one verb. All texts and values take templates, in which
    `event.NAME` is a field of the event. Beside the verb, `when: EXPRESSION` skips an action unless the
    expression holds at the event, and `after: SECONDS` delays it; a page change drops it then.


    """
      + Action.Verb.verbs.map { "- `\($0.name)`: \($0.form.expected). \($0.summary)\n" }.joined()
  }

  private static var expressions: String {
    """
    The syntax is a part of CEL: numbers, `"texts"`, `true`, `false`, names, `!`, `-`, `*`, `/`, `%`, `+`,
    `<`, `<=`, `>`, `>=`, `==`, `!=`, `&&`, `||` and `?:`. Names are values (`cups`), properties
    (`wheel.index`), `texts.NAME`, `language`, `page`, `now`, `uptime`, and in actions `event.NAME`. After an
    expression in braces, `:` and a format as in Python (`{price:.2f}`) or strftime (`{now:%H:%M}`).


    """
      + FunctionSummary.all.map { "- `\($0.signature)`: \($0.summary)\n" }.joined()
  }
}
