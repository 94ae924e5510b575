// SPDX-License-Identifier: MIT

internal import Controls
package import Expressions
internal import JSON
internal import Kiosk
internal import Motion
package import YAML

extension Form where Value == Node {
  /// `{EVENT: [ACTION, …]}`. It is not looked into until all pages and controls are known.
  static func actions(on events: [String]) -> Form {
    Form(
      "a map from events to actions", from: [.map],
      schema: { definitions in
        let list = definitions.reference("actions") {
          Form<[Action]>.action.list("actions").schema(&$0)
        }
        return [
          "type": "object",
          "properties": .object(events.map { JSONValue.Member($0, list) }),
          "additionalProperties": false,
        ]
      },
      read: { node, _ in node })
  }
}

extension KioskReader {
  /// The actions of an `on:`, by event.
  func actions(_ node: Node?, on events: [String]) -> [String: [Action]] {
    var actions: [String: [Action]] = [:]
    for pair in node?.pairs ?? [] {
      guard events.contains(pair.key) else {
        report(
          "unknown event \(pair.key.quoted)", at: pair.keyMark, expected: events.alternatives,
          near: events.nearest(to: pair.key, by: self))
        continue
      }
      let lists = inside(key: pair.key) {
        Form<[Action]>.action.list("actions").read(pair.value, self)
      }
      actions[pair.key] = lists?.flatMap(\.self)
    }
    return actions
  }
}

extension Action {
  /// What can be set off. `set` may stand for several actions.
  fileprivate static let verbs: [Verb<[Action]>] = [
    Verb("go", "Shows a page.", .page),
    Verb("set", "Sets properties: {control.property: value}.", .settings),
    Verb("spin", "Spins a slot machine.", .command("spin")),
    Verb("open", "Opens a menu.", .command("open")),
    Verb("close", "Closes a menu.", .command("close")),
    Verb(
      "run", "Starts a program: [program, argument, …].",
      Form<String>.text.list("a program and its arguments").map { [.run($0)] }),
    Verb(
      "emit", "Tells subscribers an event of this name.",
      Form<String>.word("a name").map { [.emit($0)] }),
    Verb(
      "blank", "Puts the panel to sleep, or wakes it.",
      Form<Bool>.flag.map { [.blank($0)] }),
  ]
}

extension Form where Value == [Action] {
  /// A map of one key, which says what to do.
  static let action = Form.verb("an action", example: "{go: page}", Action.verbs)

  fileprivate static var page: Form {
    let name = Form<String>.word("the name of a page")
    return Form(
      name.expected, schema: name.schema,
      read: { node, reader in
        guard let page = name.read(node, reader) else { return nil }
        guard reader.kiosk.pages[page] != nil else {
          reader.report(
            "there is no page \(page.quoted)", at: node.mark,
            expected: "a page of this file: \(reader.kiosk.pageNames.alternatives)",
            near: reader.kiosk.pageNames.nearest(to: page, by: reader))
          return nil
        }
        return [.go(page)]
      })
  }

  fileprivate static func command(_ command: String) -> Form {
    let id = Form<String>.id
    return Form(
      "the id of a control that can \(command)", schema: id.schema,
      read: { node, reader in
        guard let id = id.read(node, reader),
          let draft = reader.kiosk.control(
            id, at: node.mark, knowing: command)
        else { return nil }
        if let control = draft.control, !control.commands.contains(command) {
          reader.report(
            "\(id.quoted) cannot \(command)", at: node.mark,
            expected: "the id of a control that can")
          return nil
        }
        return [.perform(command, control: id)]
      })
  }

  fileprivate static var settings: Form {
    Form(
      "a map {control.property: value}", from: [.map],
      schema: { _ in
        let value: JSONValue = ["type": ["string", "number", "boolean", "array"]]
        return [
          "type": "object", "minProperties": 1,
          "propertyNames": ["pattern": "^[^./{}=]+\\..+$"], "additionalProperties": value,
        ]
      },
      read: { node, reader in
        if node.pairs.isEmpty {
          reader.report(
            "\(reader.subject) is an empty map", at: node.mark,
            expected: "{control.property: value}")
          return nil
        }
        let actions = node.pairs.map { reader.kiosk.setting($0) }
        let whole = actions.compactMap(\.self)
        return whole.count == actions.count ? whole : nil
      })
  }
}

extension KioskReader {
  /// The control of an id, which must exist; the mistake suggests others, that know a command.
  fileprivate func control(
    _ id: String, at mark: Mark, knowing command: String? = nil
  ) -> Draft? {
    if let draft = draft(id) { return draft }
    let fitting = ids(knowing: command)
    report(
      "there is no control \(id.quoted)", at: mark,
      expected: fitting.isEmpty ? nil : "a control of this file: \(fitting.alternatives)",
      near: fitting.nearest(to: id, by: self))
    return nil
  }

  /// Whether a control has a property, as far as is known.
  func checkProperty(_ property: String, of id: String, at mark: Mark) -> Bool {
    guard let draft = control(id, at: mark) else { return false }
    guard let interface = interface(of: draft), !interface.known.contains(property) else {
      return true
    }
    report(
      "\(id.quoted) has no property \(property.quoted)", at: mark,
      expected: interface.properties.alternatives,
      near: interface.properties.nearest(to: property, by: self))
    return false
  }

  /// `control.property: value`. The control itself says whether it takes the value.
  fileprivate func setting(_ pair: Node.Pair) -> Action? {
    guard let path = PropertyPath(pair.key) else {
      report(
        "\(pair.key.quoted) does not say what to set", at: pair.keyMark,
        expected: "control.property")
      return nil
    }
    guard hasTime(at: pair.keyMark),
      checkProperty(path.property, of: path.control, at: pair.keyMark),
      let draft = draft(path.control)
    else { return nil }
    var refusal: PropertyError?
    for value in pair.value.values {
      do throws(PropertyError) {
        try tryOut(path.property, of: draft, value, at: pair.keyMark)
        return .set(control: path.control, property: path.property, value: value)
      } catch {
        refusal = refusal ?? error
      }
    }
    switch refusal {
    case .unsuitable(_, let expected):
      report(
        "\(pair.key.quoted) is set to \(pair.value.summary)", at: pair.value.mark,
        expected: expected)
    case .readOnly:
      report("\(pair.key.quoted) can be read, not set", at: pair.keyMark)
    case .unknown, nil:
      report(
        "\(pair.key.quoted) is set to \(pair.value.summary)", at: pair.value.mark,
        expected: "a text, a number, a flag or a list of them")
    }
    return nil
  }
}

extension Node {
  /// What it can be taken for, the likeliest first: only who takes it knows whether `12` is a number
  /// or a text, and whether `no` is a flag or a word.
  package var values: [Value] {
    switch content {
    case .map: return []
    case .list(let items):
      let values = items.compactMap(\.values.first)
      return values.count == items.count ? [.list(values)] : []
    case .scalar:
      guard let text else { return [] }
      if let number, number.isFinite { return [.number(number), .text(text)] }
      if let flag {
        let isWord = !["true", "false"].contains(text)
        return isWord ? [.text(text), .flag(flag)] : [.flag(flag), .text(text)]
      }
      return [.text(text)]
    }
  }
}
