// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
package import Kiosk

/// A reader of kiosks, whose actions have templates, or suites, whose steps have values.
package protocol CommandReader: Reader, SendableMetatype {
  /// Nil if there is no kiosk to resolve names in.
  var kioskNames: (any KioskNames)? { get }
  static var controlID: Form<String> { get }

  /// Reads a string argument. These methods return nil after reporting an error.
  func text(_ node: Node) -> Action.Argument?
  func fieldValue(_ node: Node) -> Action.Argument?
  /// Reads the value of a setting of `name`, the key of `pair`.
  func setting(_ pair: Node.Pair, _ name: Reference) -> Action.Argument?
  /// Reads the key, a template. Only kiosk files compute names.
  func computedName(_ pair: Node.Pair) -> Action.Argument?
  /// Resolves external things, which only kiosk files may name.
  func found(_ argument: Action.Argument, _ referent: CommandParameter.Referent, _ node: Node)
    -> Action.Argument?
}

extension CommandReader {
  package func computedName(_ pair: Node.Pair) -> Action.Argument? {
    report(
      "\(pair.key.quoted) is not a property", at: pair.keyMark,
      expected: "control.property, or the name of a value")
    return nil
  }

  package func found(
    _ argument: Action.Argument, _ referent: CommandParameter.Referent, _ node: Node
  ) -> Action.Argument? { argument }

  /// The verbs of these kinds of commands. `set` may mean several commands.
  package static func verbs(_ kinds: [CommandKind]) -> [Verb<[Action]>] {
    kinds.map { Verb($0.name, $0.summary, form(of: $0)) }
  }

  private static func form(of kind: CommandKind) -> Form<[Action]> {
    switch (kind.notation, kind.parameters.count) {
    case (.pairs, _): settings(kind)
    case (.fields, _): event(kind)
    case (.plain, 0): yes.map { _ in [Action(kind)] }
    case (.plain, 1): form(of: kind.parameters[0], of: kind).map { [Action(kind, [$0])] }
    case (.plain, _):
      members(of: kind)
    }
  }

  /// A map by parameter names, or the first argument alone if the others have defaults.
  private static func members(of kind: CommandKind) -> Form<[Action]> {
    let table = Table<Action>(kind.name, kind.summary) { keys in
      let arguments = kind.parameters.map { parameter -> Key<Action.Argument> in
        let form = form(of: parameter, of: kind)
        guard let standard = parameter.standard else {
          return keys.required(parameter.member, form, parameter.about)
        }
        return keys.optional(
          parameter.member, form, default: JSONValue(standard), parameter.about)
      }
      return { fields in Action(kind, arguments.map { fields[$0] }) }
    }.form.map { [$0] }
    let rest = kind.parameters.dropFirst().compactMap(\.standard)
    guard rest.count == kind.parameters.count - 1 else { return table }
    return form(of: kind.parameters[0], of: kind).map {
      [Action(kind, [$0] + rest.map { .value($0) })]
    }.or(table)
  }

  private static func form(
    of parameter: CommandParameter, of kind: CommandKind
  ) -> Form<Action.Argument> {
    guard let form = parameter.form else {
      preconditionFailure("\(kind) has a notation for \(parameter.name)")
    }
    let argument: Form<Action.Argument> =
      switch parameter.referent {
      case .control, .controls: control(parameter, of: kind)
      default: parameter.template == nil ? form.map { .value($0) } : template(form, parameter)
      }
    return argument.compactMap { argument, node, reader in
      let reader = of(reader)
      if case .value(.text(let name)) = argument, let names = reader.kioskNames,
        reader.found(
          at: node.mark,
          { () throws(UnknownName) in try names.find(name, as: parameter, of: kind) }) == nil
      {
        return nil
      }
      return reader.found(argument, parameter.referent, node)
    }
  }

  private static func of(_ reader: Reader) -> Self {
    guard let reader = reader as? Self else {
      preconditionFailure("these commands are for another kind of file")
    }
    return reader
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

  private static func control(
    _ parameter: CommandParameter, of kind: CommandKind
  ) -> Form<Action.Argument> {
    let ability = kind.controlCommand.map { " that can \($0)" } ?? ""
    let others = parameter.referent == .controls ? ", or \(CommandKind.everything)" : ""
    let form = controlID
    return Form(
      "the id of a control\(ability)\(others)", schema: form.schema,
      read: { node, reader in form.read(node, reader).map { .value(.text($0)) } })
  }

  /// Allows templates in each string.
  private static func template(
    _ form: Form<Value>, _ parameter: CommandParameter
  ) -> Form<Action.Argument> {
    if parameter.kind == .record {
      return Form<Action.Argument>(
        form.expected, from: form.kinds, as: form.valueKind, schema: form.schema,
        read: { node, reader in
          let members = node.pairs.map { pair -> Action.Member? in
            reader.inside(key: pair.key) { of(reader).fieldValue(pair.value) }.map {
              Action.Member(pair.key, $0)
            }
          }
          let whole = members.compactMap(\.self)
          return whole.count == members.count ? Action.Argument(whole) : nil
        })
    }
    if parameter.kind == .list {
      let text = Form<String>.text
      return Form<Action.Argument>(
        text.expected, schema: text.schema, read: { node, reader in of(reader).text(node) }
      ).list(parameter.expected).map { Action.Argument($0) }
    }
    guard parameter.kind == .text, parameter.accepts(.text("{")) else {
      // A template has braces, which no other value has.
      return Form(
        form.expected, from: form.kinds, as: form.valueKind,
        schema: { ["anyOf": [form.schema(&$0), ["type": "string", "pattern": "[{]"]]] },
        read: { node, reader in
          guard node.kind == .scalar, node.hasBrace else {
            return form.read(node, reader).map { .value($0) }
          }
          return of(reader).fieldValue(node)
        })
    }
    return Form(
      form.expected, from: form.kinds, schema: form.schema,
      read: { node, reader in form.read(node, reader) == nil ? nil : of(reader).text(node) })
  }

  private static func event(_ kind: CommandKind) -> Form<[Action]> {
    Form<CustomEvent>.customEvent.compactMap { customEvent, _, reader in
      let name = of(reader).text(customEvent.name)
      let fields = customEvent.fields.map { pair -> Action.Member? in
        guard !CommandKind.reservedFields.contains(pair.key) else {
          reader.report(
            "a field cannot be called \(pair.key.quoted)", at: pair.keyMark,
            expected: "a name other than \(CommandKind.reservedFields.alternatives)")
          return nil
        }
        return of(reader).fieldValue(pair.value).map { Action.Member(pair.key, $0) }
      }
      let whole = fields.compactMap(\.self)
      guard let name, whole.count == fields.count else { return nil }
      return [Action(kind, [name, Action.Argument(whole)])]
    }
  }

  private static func settings(_ kind: CommandKind) -> Form<[Action]> {
    Form<[Action]>(
      "a map {control.property: value}", from: [.map],
      schema: { _ in
        let value: JSONValue = ["type": ["string", "number", "boolean", "array", "object"]]
        return [
          "type": "object", "minProperties": 1,
          "propertyNames": ["pattern": "^([^./{}=]+(\\..+)?|.*\\{.*\\}.*)$"],
          "additionalProperties": value,
        ]
      },
      read: { node, reader in
        if node.pairs.isEmpty {
          reader.report(
            "\(reader.subject) is an empty map", at: node.mark,
            expected: "{control.property: value}")
          return nil
        }
        let settings = node.pairs.map { pair -> Action? in
          if pair.key.contains("{"), reader.hasTime(at: pair.keyMark) {
            let (name, value) = (of(reader).computedName(pair), of(reader).fieldValue(pair.value))
            return name.flatMap { name in value.map { Action(kind, [name, $0]) } }
          }
          guard let name = Reference(pair.key), reader.hasTime(at: pair.keyMark) else {
            reader.report(
              "\(pair.key.quoted) is not a property", at: pair.keyMark,
              expected: "control.property, or the name of a value")
            return nil
          }
          return of(reader).setting(pair, name).map {
            Action(kind, [.value(.text("\(name)")), $0])
          }
        }
        var whole = settings.compactMap(\.self)
        guard whole.count == settings.count else { return nil }
        if whole.contains(where: { $0.command == nil }) { whole[0].following = whole.count - 1 }
        return whole
      })
  }

  /// `refusal` is nil if `pair` has no value at all.
  package func report(_ refusal: PropertyError?, of pair: Node.Pair) {
    let name = pair.key.quoted
    switch refusal {
    case .unsuitable(_, let expected):
      report("\(name) is set to \(pair.value.summary)", at: pair.value.mark, expected: expected)
    case .readOnly, .fixed: report("\(name) is read-only", at: pair.keyMark)
    case .bound:
      report(
        "\(name) is bound to an expression and cannot be set", at: pair.keyMark,
        expected: "the values that the expression reads")
    case .unknown, nil:
      report(
        "\(name) is set to \(pair.value.summary)", at: pair.value.mark,
        expected: "a string, a number, a flag or a list of them")
    }
  }
}
