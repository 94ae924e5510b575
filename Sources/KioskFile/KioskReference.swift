// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

/// The reference as Markdown, generated from the tables that read files, so the two cannot differ.
package enum KioskReference {
  package struct Section: Sendable {
    /// The name, such as `dial`.
    package let name: String
    /// Markdown, with a heading and a final line break.
    package let text: String
    /// Whether deploy/manual/pictures has a picture of the example, named like the section.
    package let hasPicture: Bool

    package init(_ name: String, _ body: String, hasPicture: Bool = false) {
      self.name = name
      text = "## \(name)\n\n\(body)"
      self.hasPicture = hasPicture
    }
  }

  /// Returns an item of a page's `controls`, or nil for an unknown type.
  package static func example(of type: String) -> String? { examples[type] }

  /// Returns a sentence, or nil for an unknown type.
  package static func summary(of type: String) -> String? {
    ControlType.all.first { $0.name == type }?.table.summary
  }

  /// All sections: the file's keys, the controls in order, the events, the actions, the
  /// expressions, the formats and the sentences of speech.
  package static var sections: [Section] {
    [Section("kiosk", Table.kiosk.keys.reference + kioskEvents)]
      + ControlType.all.map { Section($0.name, described($0), hasPicture: $0.isSeen) }
      + [
        Section("events", events), Section("actions", actions), Section("expressions", expressions),
        Section("formats", FormatSummary.text), Section("speech", speech),
      ]
  }

  // MARK: Controls

  private static func described(_ type: ControlType) -> String {
    var text = type.table.keys.reference
    if let example = examples[type.name], let end = text.firstRange(of: "\n\n")?.upperBound {
      text.insert(contentsOf: "```yaml\n\(example)\n```\n\n", at: end)
    }
    let control = type.placeholder(items: [])
    let keys = Set(type.table.keys.names)
    let state = (control?.properties ?? []).filter { !keys.contains($0) }
    if !state.isEmpty {
      // The replacement control has one part with the id `item`.
      let names = state.map { $0.hasPrefix("item.") ? "PART.\($0.dropFirst(5))" : $0 }
      text += "\nState in addition to the keys: \(quoted(names)).\n"
    }
    if let commands = control?.commands, !commands.isEmpty {
      text += "\nCommands in addition to `set` and `reset`: \(quoted(commands)).\n"
    }
    if !type.events.isEmpty { text += "\nEvents:\n\n" + type.events.map(described).joined() }
    return text
  }

  private static func quoted(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }

  static func described(_ event: EventType) -> String {
    var line = "- `\(event.name)`: \(event.summary)"
    if !event.fields.isEmpty { line += " Fields: \(quoted(event.fields.map(\.name)))" }
    let open = event.ofSecret.fields
    if open.count < event.fields.count { line += "; for a PIN, only \(quoted(open.map(\.name)))" }
    return line + (event.fields.isEmpty ? "\n" : ".\n")
  }

  // MARK: Events, actions, expressions

  private static var kioskEvents: String {
    "\nEvents of the kiosk itself:\n\n"
      + EventType.ofKiosk.map { "- `\($0.name)`: \($0.summary)\n" }.joined()
  }

  private static var events: String {
    """
    A running kiosk prints each event as a JSON object on one line, and clients receive the same object. `t` is the time
    in seconds since the start, and `event` is the event's name. The other fields depend on the event. `on` maps events
    to actions, and `event.NAME` is a field there.


    """
      + EventField.all.map { "- `\($0.name)`: \($0.summary)\n" }.joined()
  }

  private static var actions: String {
    """
    The actions that `on` lists for an event, each a map with one verb. All strings and values accept templates, and
    `event.NAME` is a field of the event there. Next to the verb, `when: EXPRESSION` skips an action unless the
    expression is true at the time of the event, and `after: SECONDS` delays it. A page change drops delayed actions.


    """
      + KioskReader.verbs(CommandKind.actions).map(\.reference).joined()
  }

  private static var expressions: String {
    """
    The syntax is a subset of CEL: numbers, `"texts"`, `true`, `false`, lists (`[1, 2]`), maps (`{"a": 1}`), names, `!`,
    `-`, `*`, `/`, `%`, `+`, `<`, `<=`, `>`, `>=`, `==`, `!=`, `in`, `&&`, `||` and `?:`. Names are values (`cups`),
    properties (`wheel.index`), `texts.NAME`, `language`, `page`, `now`, `uptime`, and in actions `event.NAME`.

    `list[i]` is an item, counted from 0. `map.key` and `map["key"]` are members of a map. A missing item or member is
    undefined. In a macro such as `list.map(x, value)`, x is a variable for each item. Over a map, it is each name. At most
    two macros may be nested. After a template's brace, a map needs a space.


    """
      + FunctionSummary.all.map { "- `\($0.signature)`: \($0.summary)\n" }.joined()
  }

  private static var speech: String {
    """
    The sentences of speech, in English. They are built in for \(Phrase.languages.joined(separator: ", ")). No
    speaker has read those of \(Phrase.unread.joined(separator: " and ")) yet. An entry of the same name in `texts` replaces a sentence. `{NAME}` stands for one of the fields. If a field is empty, the comma
    next to it is omitted, too.

    Fields, in addition to the names available in all templates:


    """
      + Phrase.fields.map { "- `\($0.name)`: \($0.summary)\n" }.joined()
      + "\nSentences:\n\n"
      + Phrase.all.map { "- `\($0.name)`: \($0.summary) `\($0.words(in: "en"))`\n" }.joined()
  }
}
