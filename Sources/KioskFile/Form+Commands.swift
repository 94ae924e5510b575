// SPDX-License-Identifier: MIT

package import Controls
internal import Expressions
internal import JSON
package import Kiosk
package import Declarations

/// A reader of files that give commands: of kiosks, whose actions have templates, and of suites, whose
/// steps have values.
package protocol CommandReader: Reader, SendableMetatype {
  associatedtype Text: Hashable & Sendable
  associatedtype Argument: Hashable & Sendable

  /// The kiosk's names; nil where there is no kiosk to look anything up in.
  var kioskNames: (any KioskNames)? { get }
  static var controlID: Form<String> { get }

  /// A text that commands take. These answer nil after reporting why.
  func commandText(_ node: Node) -> Text?
  /// A value of an event's field.
  func fieldValue(_ node: Node) -> Argument?
  /// A value that a name is set to, the name of `pair`.
  func setting(_ pair: Node.Pair, _ name: Reference) -> Argument?

  /// Checks the words of a program, which only a kiosk's file starts.
  func check(program: [Text], _ node: Node) -> Bool
  /// A sound that a kiosk's file plays.
  func sound(_ node: Node) -> CommandArgument<Text, Argument>?
  /// The text as it stands; nil for a template.
  static func literal(_ text: Text) -> String?
}

extension CommandReader {
  package func check(program: [Text], _ node: Node) -> Bool { true }
  package func sound(_ node: Node) -> CommandArgument<Text, Argument>? { nil }

  /// The verbs of these kinds of commands. `set` may stand for several commands.
  package static func verbs(
    _ kinds: [CommandKind]
  ) -> [Verb<[Command<Text, Argument>]>] {
    kinds.map { Verb($0.name, $0.summary, form(of: $0)) }
  }

  /// The value of a command's name.
  private static func form(of kind: CommandKind) -> Form<[Command<Text, Argument>]> {
    guard let first = kind.parameters.first else { return yes.map { _ in [Command(kind)] } }
    guard kind.parameters.count > 1 else {
      return form(of: first, of: kind).map { arguments in arguments.map { Command(kind, [$0]) } }
    }
    let table = Table<Command<Text, Argument>>(kind.name, kind.summary) { keys in
      let arguments = kind.parameters.map {
        keys.required($0.name, form(of: $0, of: kind), $0.about)
      }
      return { fields in Command(kind, arguments.flatMap { fields[$0] }) }
    }
    return table.form.map { [$0] }
  }

  /// The arguments that a parameter may have: several for settings, each of which is a command.
  private static func form(
    of parameter: CommandParameter, of kind: CommandKind
  ) -> Form<[CommandArgument<Text, Argument>]> {
    switch parameter.kind {
    case .setting: settings
    case .page: page.map { [.page($0)] }
    case .control:
      control("the id of a control that can \(kind.name)", knowing: kind.controlCommand)
        .map { [.control($0)] }
    case .controlOrAll:
      control("the id of a control, or \(CommandKind.everything)", isAllPossible: true)
        .map { [.controlOrAll($0 == CommandKind.everything ? nil : $0)] }
    case .event: event.map { [$0] }
    case .flag(_, let word?): flag(or: word)
    case .flag(_, nil): Form<Bool>.flag.map { [.flag($0)] }
    case .number(let range, let unit): Form<Double>.number(range, unit).map { [.number($0)] }
    case .program: program.map { [.program($0)] }
    case .sound: sound.map { [$0] }
    case .key: key.map { [.key($0)] }
    }
  }

  private static func of(_ reader: Reader) -> Self {
    guard let reader = reader as? Self else {
      preconditionFailure("these commands are for another kind of file")
    }
    return reader
  }

  private static func flag(or word: String) -> Form<[CommandArgument<Text, Argument>]> {
    let flag = Form<Bool>.flag
    let expected = "\(flag.expected), or \(word)"
    return Form<[CommandArgument<Text, Argument>]>(
      expected, schema: { ["anyOf": [flag.schema(&$0), ["const": .string(word)]]] },
      read: { node, reader in
        if node.text == word { return [.word(word)] }
        guard let flag = node.flag else {
          reader.reportType(node, expected: expected)
          return nil
        }
        return [.flag(flag)]
      })
  }

  private static var yes: Form<Bool> {
    Form(
      "true", as: .flag, schema: { _ in ["const": true] },
      read: { node, reader in
        if node.flag == true { return true }
        if node.flag == false {
          reader.report("\(reader.subject) is false", at: node.mark, expected: "true")
        } else {
          reader.reportType(node, expected: "true")
        }
        return nil
      })
  }

  private static var page: Form<Text> {
    let name = Form<String>.word("the name of a page")
    return Form<Text>(
      name.expected, schema: name.schema,
      read: { node, reader in
        guard name.read(node, reader) != nil, let page = of(reader).commandText(node) else {
          return nil
        }
        guard let name = literal(page), let names = of(reader).kioskNames else { return page }
        return reader.found(at: node.mark) { () throws(UnknownName) in
          try names.find(destination: name)
          return page
        }
      })
  }

  private static func control(
    _ expected: String, knowing command: String? = nil, isAllPossible: Bool = false
  ) -> Form<String> {
    let form = controlID
    return Form(
      expected, schema: form.schema,
      read: { node, reader in
        guard let id = form.read(node, reader) else { return nil }
        if isAllPossible && id == CommandKind.everything { return id }
        guard let names = of(reader).kioskNames else { return id }
        return reader.found(at: node.mark) { () throws(UnknownName) in
          try names.find(control: id, knowing: command)
          return id
        }
      })
  }

  private static var event: Form<CommandArgument<Text, Argument>> {
    Form<Emission>.emission.compactMap { emission, _, reader in
      let name = of(reader).commandText(emission.name)
      let fields = emission.fields.map { pair -> CommandField<Argument>? in
        guard !CommandKind.reservedFields.contains(pair.key) else {
          reader.report(
            "a field cannot be called \(pair.key.quoted)", at: pair.keyMark,
            expected: "none of \(CommandKind.reservedFields.alternatives)")
          return nil
        }
        return of(reader).fieldValue(pair.value).map { CommandField(pair.key, $0) }
      }
      let whole = fields.compactMap(\.self)
      guard let name, whole.count == fields.count else { return nil }
      return .event(name, whole)
    }
  }

  private static var program: Form<[Text]> {
    let text = Form<String>.text
    let word = Form<Text>(
      text.expected, schema: text.schema, read: { node, reader in of(reader).commandText(node) })
    return word.list("a program and its arguments").compactMap { words, node, reader in
      of(reader).check(program: words, node) ? words : nil
    }
  }

  private static var sound: Form<CommandArgument<Text, Argument>> {
    let name = Form<String>.word("the name of a WAV file")
    return Form<CommandArgument<Text, Argument>>(
      name.expected, schema: name.schema,
      read: { node, reader in
        name.read(node, reader) == nil ? nil : of(reader).sound(node)
      })
  }

  private static var key: Form<Keystroke> {
    .choice([
      "left": .left, "right": .right, "up": .up, "down": .down, "next": .next,
      "previous": .previous, "enter": .enter, "back": .back, "repeat": .repeat,
      "faster": .faster, "slower": .slower, "louder": .louder, "quieter": .quieter, "stop": .stop,
    ])
  }

  private static var settings: Form<[CommandArgument<Text, Argument>]> {
    Form<[CommandArgument<Text, Argument>]>(
      "a map {control.property: value}", from: [.map],
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
        let settings = node.pairs.map { pair -> CommandArgument<Text, Argument>? in
          guard let name = Reference(pair.key), reader.hasTime(at: pair.keyMark) else {
            reader.report(
              "\(pair.key.quoted) does not say what to set", at: pair.keyMark,
              expected: "control.property, or the name of a value")
            return nil
          }
          return of(reader).setting(pair, name).map { .setting(name, $0) }
        }
        let whole = settings.compactMap(\.self)
        return whole.count == settings.count ? whole : nil
      })
  }

  /// Reports why a name cannot be set to what follows it; nil for something that is not a value at all.
  package func report(_ refusal: PropertyError?, of pair: Node.Pair) {
    let name = pair.key.quoted
    switch refusal {
    case .unsuitable(_, let expected):
      report("\(name) is set to \(pair.value.summary)", at: pair.value.mark, expected: expected)
    case .readOnly, .fixed: report("\(name) can be read, not set", at: pair.keyMark)
    case .bound:
      report(
        "\(name) follows an expression and cannot be set", at: pair.keyMark,
        expected: "what that expression reads")
    case .unknown, nil:
      report(
        "\(name) is set to \(pair.value.summary)", at: pair.value.mark,
        expected: "a text, a number, a flag or a list of them")
    }
  }
}
