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
      read: { node, _ in node }
    ).as(.fixed)
  }
}

extension KioskReader {
  /// The actions of an `on:`, by event.
  func actions(_ node: Node?, on events: [EventType]) -> [String: [Action]] {
    var actions: [String: [Action]] = [:]
    defer { event = nil }
    for pair in node?.pairs ?? [] {
      event = events.first { $0.name == pair.key }
      guard event != nil else {
        let names = events.map(\.name)
        report(
          "unknown event \(pair.key.quoted)", at: pair.keyMark,
          expected: names.isEmpty ? "no \"on\": it has no events" : names.alternatives,
          near: names.nearest(to: pair.key, by: self))
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

extension Action.Verb {
  /// What can be set off. `set` may stand for several.
  static let verbs: [Verb<[Action.Verb]>] = [
    .kind("go", .page), .kind("set", .settings), .kind("spin", .command("spin")),
    .kind("open", .command("open")), .kind("close", .command("close")), .kind("run", .program),
    .kind("play", .sound),
    .kind("emit", .emission), .kind("blank", Form<Bool>.flag.map { [.blank($0)] }),
    .kind("wake", .wake), .kind("reset", .reset),
  ]
}

extension Verb {
  /// The verb of a kind of command, which says what it does.
  fileprivate static func kind(_ name: String, _ form: Form<Value>) -> Verb {
    guard let kind = CommandKind.named(name) else {
      preconditionFailure("no command is called \(name)")
    }
    return Verb(name, kind.summary, form)
  }
}

extension Form where Value == [Action] {
  /// A map of one verb, which says what to do, and perhaps `when` and `after`.
  static let action: Form = {
    let verb = Form<[Action.Verb]>.verb("an action", example: "{go: page}", Action.Verb.verbs)
    let delay = Form<Double>.number(0.001...86_400, "seconds")
    return Form(
      verb.expected, from: [.map],
      schema: { definitions in
        definitions.reference("action") { definitions in
          let members: [JSONValue.Member] = [
            .init(
              "when",
              [
                "description": "Skipped unless this holds at the event.",
                "type": ["string", "boolean"],
              ]),
            .init(
              "after",
              JSONValue.object([.init("description", "The delay in seconds.")])
                .with(delay.schema(&definitions))),
          ]
          return verb.schema(&definitions).allowing(members)
        }
      },
      read: { node, reader in
        let beside = ["when", "after"]
        let rest = node.pairs.filter { !beside.contains($0.key) }
        let when = node["when"].map { condition in
          reader.inside(key: "when") { reader.kiosk.condition(condition) }
        }
        let after = node["after"].map { seconds in
          reader.inside(key: "after") { delay.read(seconds, reader) }
        }
        guard let verbs = verb.read(Node(.map(rest), at: node.mark), reader) else { return nil }
        if case .some(nil) = when { return nil }
        if case .some(nil) = after { return nil }
        return verbs.map { Action($0, when: when ?? nil, after: after ?? nil) }
      })
  }()
}

extension JSONValue {
  /// The schema of a map of one key, with others beside it.
  fileprivate func allowing(_ others: [JSONValue.Member]) -> JSONValue {
    guard case .object(let members) = self, case .object(let verbs)? = self["properties"] else {
      return self
    }
    let rest = members.filter {
      !["properties", "minProperties", "maxProperties"].contains($0.name)
    }
    return .object(
      rest + [
        .init("properties", .object(verbs + others)),
        .init("oneOf", .array(verbs.map { ["required": [.string($0.name)]] })),
      ])
  }
}

extension Form where Value == TextTemplate {
  /// A text that is filled in when it is needed.
  static var filled: Form {
    let text = Form<String>.text
    return Form(
      text.expected, schema: text.schema,
      read: { node, reader in reader.kiosk.textTemplate(node) })
  }
}

extension Form where Value == [Action.Verb] {
  fileprivate static var page: Form {
    let name = Form<String>.word("the name of a page")
    return Form(
      name.expected, schema: name.schema,
      read: { node, reader in
        guard name.read(node, reader) != nil, let page = reader.kiosk.textTemplate(node) else {
          return nil
        }
        if let page = page.literal, reader.kiosk.pages[page] == nil {
          reader.report(
            "there is no page \(page.quoted)", at: node.mark,
            expected: "a page of this file: \(reader.kiosk.pageNames.alternatives)",
            near: reader.kiosk.pageNames.nearest(to: page, by: reader))
          return nil
        }
        return [.go(page)]
      })
  }

  fileprivate static var program: Form {
    let words = Form<TextTemplate>.filled.list("a program and its arguments")
    return Form(
      words.expected, from: words.kinds, schema: words.schema,
      read: { node, reader in
        guard let program = words.read(node, reader) else { return nil }
        if let name = program.first?.literal, let mark = node.items.first?.mark,
          !reader.kiosk.checkProgram(name, at: mark)
        {
          return nil
        }
        return [.run(program)]
      })
  }

  /// A sound file; each that a template may come to by itself is one.
  fileprivate static var sound: Form {
    let name = Form<String>.word("the name of a WAV file")
    return Form(
      name.expected, schema: name.schema,
      read: { node, reader in
        guard name.read(node, reader) != nil, let template = Template.read(node, reader),
          let file = reader.kiosk.resolve(template, at: node.mark)
        else { return nil }
        let possible =
          template.literal.map { [Expressions.Value.text($0)] }
          ?? template.singleExpression?.possibleValues ?? []
        var arePlayable = true
        for case .text(let name) in possible where !reader.kiosk.checkSound(name, at: node.mark) {
          arePlayable = false
        }
        guard arePlayable else { return nil }
        return [.play(file, folder: reader.resolve("", from: node.mark))]
      })
  }

  fileprivate static func command(_ command: String) -> Form {
    let id = Form<String>.id
    return Form(
      "the id of a control that can \(command)", schema: id.schema,
      read: { node, reader in
        guard let id = id.read(node, reader),
          let draft = reader.kiosk.control(id, at: node.mark, knowing: command)
        else { return nil }
        if let control = reader.kiosk.interface(of: draft)?.trial,
          !control.commands.contains(command)
        {
          reader.report(
            "\(id.quoted) cannot \(command)", at: node.mark,
            expected: "the id of a control that can")
          return nil
        }
        return [.perform(command, control: id)]
      })
  }

  fileprivate static var reset: Form {
    let id = Form<String>.id
    return Form(
      "the id of a control, or \(CommandKind.everything)", schema: id.schema,
      read: { node, reader in
        guard let id = id.read(node, reader) else { return nil }
        if id == CommandKind.everything { return [.reset(nil)] }
        return reader.kiosk.control(id, at: node.mark).map { [.reset($0.id)] }
      })
  }

  fileprivate static var wake: Form {
    let flag = Form<Bool>.flag
    return Form(
      "true", schema: { _ in ["const": true] },
      read: { node, reader in
        guard let flag = flag.read(node, reader) else { return nil }
        guard flag else {
          reader.report("\"wake\" is false", at: node.mark, expected: "true")
          return nil
        }
        return [.blank(false)]
      })
  }

  fileprivate static var emission: Form {
    Form<Emission>.emission.compactMap { emission, _, reader in
      let name = reader.kiosk.textTemplate(emission.name)
      let fields = emission.fields.map { pair -> ActionField? in
        guard !CommandKind.reservedFields.contains(pair.key) else {
          reader.report(
            "a field cannot be called \(pair.key.quoted)", at: pair.keyMark,
            expected: "none of \(CommandKind.reservedFields.alternatives)")
          return nil
        }
        return reader.kiosk.argument(pair.value).map { ActionField(pair.key, $0) }
      }
      let whole = fields.compactMap(\.self)
      guard let name, whole.count == fields.count else { return nil }
      return [.emit(name, whole)]
    }
  }

  fileprivate static var settings: Form {
    Form(
      "a map {name: value}", from: [.map],
      schema: { _ in
        let value: JSONValue = ["type": ["string", "number", "boolean", "array"]]
        return [
          "type": "object", "minProperties": 1,
          "propertyNames": ["pattern": "^[^./{}=]+(\\..+)?$"], "additionalProperties": value,
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
    // A key of a map that the file leaves out has no name among the known ones.
    guard let interface = interface(of: draft), !interface.known.contains(property),
      interface.known.count > 1000 || interface.properties[property] == nil
    else { return true }
    let names = interface.names
    report(
      "\(id.quoted) has no property \(property.quoted)", at: mark,
      expected: names.alternatives, near: names.nearest(to: property, by: self))
    return false
  }

  /// A value that an action gives: a template, or a number, a text or a flag.
  fileprivate func argument(_ node: Node) -> Action.Argument? {
    guard node.kind == .scalar else {
      guard let value = node.values.first else {
        reportType(node, expected: "a text, a number or a flag")
        return nil
      }
      return .value(value)
    }
    guard let template = textTemplate(node) else { return nil }
    guard let literal = template.literal else { return .template(template) }
    // Braces that stand for themselves are written twice in any text.
    return .value(literal == node.text ? node.literal ?? .text(literal) : .text(literal))
  }

  /// `name: value`. The control itself says whether it takes the value.
  fileprivate func setting(_ pair: Node.Pair) -> Action.Verb? {
    guard let target = Reference(pair.key), hasTime(at: pair.keyMark) else {
      report(
        "\(pair.key.quoted) does not say what to set", at: pair.keyMark,
        expected: "control.property, or the name of a value")
      return nil
    }
    switch target {
    case .property(let path): return setting(pair, path)
    case .value(let name):
      guard let declaration = values.first(where: { $0.name == name }) else {
        report(
          "there is no value \(name.quoted)", at: pair.keyMark,
          expected: values.isEmpty
            ? "control.property, or a name from \"values\"" : values.map(\.name).alternatives,
          near: values.map(\.name).nearest(to: name, by: self))
        return nil
      }
      return setting(pair, target, kind: declaration.initial.kind) {
        declaration.fitted($0) != nil
      }
    default:
      return setting(pair, target, kind: .text) { value in
        if case .text(let language) = value { languages.contains(language) } else { false }
      }
    }
  }

  /// A setting of what takes values of one kind.
  private func setting(
    _ pair: Node.Pair, _ target: Reference, kind: Value.Kind, fits: (Value) -> Bool
  ) -> Action.Verb? {
    guard let argument = argument(pair.value) else { return nil }
    switch argument {
    case .template(let template):
      guard template.kind == kind || template.kind == .any else {
        report(
          "\(pair.key.quoted) is set to \(template.kind)", at: pair.value.mark,
          expected: "\(kind)")
        return nil
      }
      return .set(target, argument)
    case .value:
      // A text may look like a number, and a flag like a word.
      let candidates = [pair.value.literal].compactMap(\.self) + pair.value.values
      guard let value = candidates.first(where: { $0.kind == kind && fits($0) }) else {
        report(
          "\(pair.key.quoted) is set to \(pair.value.summary)", at: pair.value.mark,
          expected: target == .language ? languages.alternatives : "\(kind)")
        return nil
      }
      return .set(target, .value(value))
    }
  }

  private func setting(_ pair: Node.Pair, _ path: PropertyPath) -> Action.Verb? {
    guard checkProperty(path.property, of: path.control, at: pair.keyMark),
      let draft = draft(path.control)
    else { return nil }
    if let bound = draft.bindings.first(where: { $0.property == path.property }),
      bound.template.singleExpression?.singleName?.parts.count != 1, !isHidden(bound, of: draft)
    {
      report(
        "\(pair.key.quoted) follows an expression and cannot be set", at: pair.keyMark,
        expected: "what that expression reads")
      return nil
    }
    if pair.value.kind == .scalar {
      guard let template = textTemplate(pair.value) else { return nil }
      if template.literal == nil { return .set(.property(path), .template(template)) }
      if let literal = template.literal, literal != pair.value.text {
        return .set(.property(path), .value(.text(literal)))
      }
    }
    var refusal: PropertyError?
    // A text may look like a number.
    var values = pair.value.values
    if values.count > 1, interface(of: draft)?.properties[path.property] == .text {
      values.sort { $0.kind == .text && $1.kind != .text }
    }
    for value in values {
      do throws(PropertyError) {
        try tryOut(path.property, of: draft, value, at: pair.keyMark)
        return .set(.property(path), .value(value))
      } catch {
        refusal = refusal ?? error
      }
    }
    switch refusal {
    case .unsuitable(_, let expected):
      report(
        "\(pair.key.quoted) is set to \(pair.value.summary)", at: pair.value.mark,
        expected: expected)
    case .readOnly, .bound, .fixed:
      report("\(pair.key.quoted) can be read, not set", at: pair.keyMark)
    case .unknown, .exhausted, nil:
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
  ///
  /// A list may hold maps, as the items of a control are.
  package var values: [Value] {
    switch content {
    case .map: return []
    case .list(let items):
      let values = items.compactMap(\.element)
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

  /// A map of such values; nil for what is none.
  private var record: Value? {
    guard case .map(let pairs) = content else { return nil }
    let fields = pairs.compactMap { pair in pair.value.element.map { Field(pair.key, $0) } }
    return fields.count == pairs.count ? .record(fields) : nil
  }

  /// What it is within a list or a map, where a scalar is what it is anywhere in the file: `007` is a text.
  private var element: Value? {
    kind == .scalar ? literal ?? text.map { .text($0) } : record ?? values.first
  }
}
