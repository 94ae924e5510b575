// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk
internal import RoundelMotion

extension Form where Value == [String: [Action]] {
  /// `{EVENT: [ACTION, …]}`.
  static func actions(of events: [EventType]) -> Form {
    let map = Form<Void>.actions(on: events.map(\.name))
    return Form(
      map.expected, from: map.kinds, schema: map.schema,
      read: { node, reader in
        var actions: Value = [:]
        for pair in node.pairs {
          guard let event = events.first(where: { $0.name == pair.key }) else {
            let names = events.map(\.name)
            reader.report(
              "unknown event \(pair.key.quoted)", at: pair.keyMark,
              expected: names.isEmpty ? "no \"on\": it has no events" : names.alternatives,
              suggestion: names.nearest(to: pair.key, by: reader))
            continue
          }
          let lists = reader.inside(key: pair.key) {
            reader.kiosk.inside(event: event) {
              Form<[Action]>.action.list("actions").read(pair.value, reader)
            }
          }
          actions[pair.key] = lists?.flatMap(\.self)
        }
        return actions
      }
    ).as(map.role)
  }
}

extension Form where Value == [Action] {
  /// A map with one verb, which selects the command, and optionally `when` and `after`.
  static let action: Form = {
    let verb = Form<[Action]>.verb(
      "an action", example: "{go: page}", KioskReader.verbs(CommandKind.actions))
    let delay = Form<Double>.number(0.001...86_400, "seconds")
    return Form(
      verb.expected, from: [.map],
      schema: { definitions in
        definitions.reference("action") { definitions in
          let members: [JSONValue.Member] = [
            .init(
              "when",
              [
                "description":
                  "The condition at the time of the event. If it is false, the action is skipped.",
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
        guard let actions = verb.read(Node(.map(rest), at: node.mark), reader) else { return nil }
        if case .some(nil) = when { return nil }
        if case .some(nil) = after { return nil }
        var whole = actions.map { action in
          var action = action
          action.condition = when ?? nil
          action.delay = after ?? nil
          return action
        }
        // An undefined condition fails once.
        if when != nil, !whole.isEmpty { whole[0].following = whole.count - 1 }
        return whole
      })
  }()
}

extension KioskReader: CommandReader {
  var kioskNames: (any KioskNames)? { self }
  static var controlID: Form<String> { .id }

  func text(_ node: Node) -> Action.Argument? {
    textTemplate(node).map { template in
      template.literal.map { .value(.text($0)) } ?? .text(template)
    }
  }

  func found(
    _ argument: Action.Argument, _ referent: CommandParameter.Referent, _ node: Node
  ) -> Action.Argument? {
    switch referent {
    case .program:
      guard case .text(let name)? = argument.items?.first?.literal,
        let mark = node.items.first?.mark
      else { return argument }
      use(.program, name, at: mark)
      return argument
    case .sound: return sound(argument, node)
    case .nothing, .page, .overPage, .control, .controls, .property: return argument
    }
  }

  /// Resolves a sound file. All known results of a template must be valid files.
  private func sound(_ argument: Action.Argument, _ node: Node) -> Action.Argument? {
    let file: TextTemplate
    let possible: [Value]
    switch argument {
    case .value(let name):
      file = TextTemplate(literal: name.display)
      possible = [name]
    case .text(let template):
      file = template
      possible = Template.read(node, self)?.singleExpression?.possibleValues ?? []
    case .template, .path, .list, .record: return nil
    }
    for case .text(let name) in possible { use(.sound, name, at: node.mark) }
    return .path(file, folder: resolve("", from: node.mark))
  }

  /// Reads a template, a number, a string or a flag.
  func fieldValue(_ node: Node) -> Action.Argument? {
    guard node.kind == .scalar else {
      guard let value = node.value else {
        reportType(node, expected: "a string, a number, a flag, a list or a map")
        return nil
      }
      return .value(value)
    }
    guard let template = textTemplate(node) else { return nil }
    guard let literal = template.literal else { return .template(template) }
    // Literal braces are doubled in any string.
    return .value(literal == node.text ? node.literal ?? .text(literal) : .text(literal))
  }

  func setting(_ pair: Node.Pair, _ target: Reference) -> Action.Argument? {
    switch target {
    case .property(let path): return setting(pair, path)
    case .value(let name):
      guard found(at: pair.keyMark, { () throws(UnknownName) in try find(value: name) }) != nil,
        let declaration = values.first(where: { $0.name == name })
          ?? (name == Description.textScaleValue ? .textScale : nil)
      else { return nil }
      guard outline.values.computed[name] == nil else {
        report(.bound(pair.key), of: pair)
        return nil
      }
      return setting(pair, expected: nil, kind: declaration.kind) { declaration.fitted($0) != nil }
    case .language:
      let languages = outline.languages
      let expected = languages.isEmpty ? "it in \"languages\"" : languages.alternatives
      return setting(pair, expected: expected, kind: .text) { value in
        if case .text(let language) = value { languages.contains(language) } else { false }
      }
    case .text, .texts, .event, .page, .now, .uptime:
      report(.readOnly(pair.key), of: pair)
      return nil
    }
  }

  private func setting(
    _ pair: Node.Pair, expected: String?, kind: Value.Kind, fits: (Value) -> Bool
  ) -> Action.Argument? {
    guard let argument = fieldValue(pair.value) else { return nil }
    if case .template(let template) = argument {
      guard template.kind == kind || template.kind == .any else {
        report(
          "\(pair.key.quoted) is set to \(template.kind)", at: pair.value.mark,
          expected: "\(kind)")
        return nil
      }
      return argument
    }
    // A string may look like a number, and a flag like a word.
    let candidates = [pair.value.literal, pair.value.value].compactMap(\.self) + pair.value.values
    guard let value = candidates.first(where: { $0.kind == kind && fits($0) }) else {
      report(.unsuitable(pair.key, expected: expected ?? "\(kind)"), of: pair)
      return nil
    }
    return .value(value)
  }

  /// The name is computed, and the value checked, at the event.
  func computedName(_ pair: Node.Pair) -> Action.Argument? {
    let name = Node(.scalar(pair.key, isPlain: false), at: pair.keyMark)
    guard let template = textTemplate(name) else { return nil }
    let ends = Template.read(name, self)?.literalEnds ?? (start: "", end: "")
    let known = valueNames + pages.controls.map(\.id)
    let isValue = !(ends.start + ends.end).contains(".")
    guard template.literal == nil,
      !isValue || known.contains(where: { $0.hasPrefix(ends.start) && $0.hasSuffix(ends.end) })
    else {
      report(
        "no name matches \(pair.key.quoted)", at: pair.keyMark,
        expected: "control.property, or one of \(valueNames.alternatives)")
      return nil
    }
    return .text(template)
  }

  private func isName(ofValueIn template: Template) -> Bool {
    guard let name = template.singleExpression?.singleName, name.parts.count == 1 else {
      return false
    }
    return outline.values.computed[name.parts[0]] == nil
  }

  private func setting(_ pair: Node.Pair, _ path: PropertyPath) -> Action.Argument? {
    guard found(at: pair.keyMark, { () throws(UnknownName) in try find(path) }) != nil,
      let control = pages[path.control]
    else { return nil }
    if let bound = control.bindings.first(where: { $0.property == path.property }),
      !isHidden(bound, of: control), !isName(ofValueIn: bound.template)
    {
      report(.bound(pair.key), of: pair)
      return nil
    }
    if pair.value.kind == .scalar {
      guard let template = textTemplate(pair.value) else { return nil }
      guard let literal = template.literal else { return .template(template) }
      if literal != pair.value.text { return .value(.text(literal)) }
    }
    var refusal: PropertyError?
    // A string may look like a number.
    var values = pair.value.values
    if values.count > 1, kind(of: path.property, of: control) == .text {
      values.sort { $0.kind == .text && $1.kind != .text }
    }
    for value in values {
      do throws(PropertyError) {
        try tryOut(path.property, of: control, value, at: pair.keyMark)
        return .value(value)
      } catch {
        refusal = refusal ?? error
      }
    }
    report(refusal, of: pair)
    return nil
  }
}
