// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

struct KioskValues: Sendable {
  /// The values in file order. A computed value has a placeholder.
  var declarations: [ValueDeclaration] = []
  var computed: [String: ComputedValue] = [:]
}

extension Form where Value == KioskValues {
  /// `{NAME: initial value}`, or `{NAME: {value, min, max, step, unit, options, keep, from, echo, to,
  /// gone, stale}}`. A template instead of the initial value makes it a computed value.
  static var values: Form {
    let declaration = Table<ValueDeclaration>.value
    return Form(
      "a map from names to values", from: [.map],
      schema: { definitions in
        [
          "type": "object", "propertyNames": ["pattern": "^[A-Za-z_][A-Za-z0-9_]*$"],
          "additionalProperties": [
            "anyOf": [
              ["type": ["string", "number", "boolean", "array", "null"]],
              declaration.form.schema(&definitions),
            ]
          ],
        ]
      },
      read: { node, reader in
        var values = KioskValues()
        for pair in node.pairs {
          let declared = reader.inside(key: pair.key) {
            value(pair, declaration.form, reader, &values.computed)
          }
          if let declared { values.declarations.append(declared) }
        }
        reportGone(beyondLimitIn: node, values.declarations, reader)
        return values
      }
    ).orListOfMaps("values")
  }

  private static func value(
    _ pair: Node.Pair, _ declaration: Form<ValueDeclaration>, _ reader: Reader,
    _ computed: inout [String: ComputedValue]
  ) -> ValueDeclaration? {
    guard isName(pair, reader) else { return nil }
    let isMap = pair.value.kind == .map
    var node = pair.value
    if let first = isMap ? node["value"] : node, first.kind == .scalar, first.hasBrace {
      guard let template = Template.read(first, reader) else { return nil }
      // Until the kiosk runs, the placeholder of a computed value is a number, because it may have a unit.
      var placeholder = Node(.scalar("0", isPlain: true), at: first.mark)
      if let literal = template.literal {
        placeholder = Node(.scalar(literal, isPlain: false), at: first.mark)
      } else {
        guard reader.spend(template.expressionCount, of: .expressions, at: first.mark) else {
          return nil
        }
        computed[pair.key] = ComputedValue(name: pair.key, template: template, mark: first.mark)
        guard isComputable(node, reader) else { return nil }
      }
      let pairs = node.pairs.map {
        $0.key == "value" ? Node.Pair(key: $0.key, keyMark: $0.keyMark, value: placeholder) : $0
      }
      node = isMap ? Node(.map(pairs), at: node.mark) : placeholder
    }
    if isMap {
      var value = declaration.read(node, reader)
      value?.name = pair.key
      return value
    }
    guard let initial = Form<RoundelExpressions.Value>.firstValue.read(node, reader) else {
      return nil
    }
    let declaration = ValueDeclaration(name: pair.key, initial: initial)
    guard declaration.fitted(initial) != nil else {
      reader.report(tooLong: initial, at: node.mark)
      return nil
    }
    return declaration
  }

  /// Reports the first `gone` beyond the maximum number.
  private static func reportGone(
    beyondLimitIn node: Node, _ values: [ValueDeclaration], _ reader: Reader
  ) {
    let maximum = ValueTarget.maximumGoneCount
    let names = values.filter { $0.gone != nil }.map(\.name)
    guard names.count > maximum, let gone = node[names[maximum]]?["gone"] else { return }
    reader.report(
      "\(names.count) values with \"gone\"", at: gone.mark,
      expected: "at most \(maximum): the bridge opens a connection for each")
  }

  /// Reports keys that need a settable value.
  private static func isComputable(_ node: Node, _ reader: Reader) -> Bool {
    let settable = ["min", "max", "step", "options", "keep", "from", "echo", "stale"]
    let others = node.pairs.filter { settable.contains($0.key) }
    for pair in others {
      reader.report(
        "a computed value has no \(pair.key.quoted)", at: pair.keyMark,
        expected: "value, unit, to and gone")
    }
    return others.isEmpty
  }

  private static func isName(_ pair: Node.Pair, _ reader: Reader) -> Bool {
    let taken = FunctionSummary.reservedNames + Names.reserved + ["within", "picture"]
    guard !taken.contains(pair.key) else {
      reader.report(
        "\(pair.key.quoted) cannot be the name of a value", at: pair.keyMark,
        expected: "a name other than \(taken.alternatives)")
      return false
    }
    guard let expression = try? Expression(pair.key), expression.singleName?.parts == [pair.key]
    else {
      reader.report(
        "\(pair.key.quoted) cannot be the name of a value", at: pair.keyMark,
        expected: NamePath.isReserved(pair.key, first: true)
          ? "a word that is not reserved in expressions"
          : "letters, digits and _, like in an expression")
      return false
    }
    if pair.key == Description.themeValue {
      reader.report(
        "the value \(pair.key.quoted) hides the name of the theme in use", at: pair.keyMark,
        expected: "another name, if expressions read the theme", severity: .warning)
    }
    if pair.key == Description.overlayValue {
      reader.report(
        "the value \(pair.key.quoted) hides the name of the page over others", at: pair.keyMark,
        expected: "another name, if expressions read that page", severity: .warning)
    }
    if pair.key == Message.name {
      reader.report(
        "the value \(pair.key.quoted) hides the open message", at: pair.keyMark,
        expected: "another name, if a page shows messages", severity: .warning)
    }
    if pair.key == Description.textScaleValue {
      reader.report(
        "the value \(pair.key.quoted) hides the built-in text scale", at: pair.keyMark,
        expected: "another name, if users can change the text size", severity: .warning)
    }
    return true
  }
}

extension Table where Value == ValueDeclaration {
  fileprivate static let value = Table("value", "One of the kiosk's own values.") { keys in
    let value = keys.required("value", .firstValue, "The initial value, which determines the kind.")
    let minimum = keys.optional("min", .bound, "The minimum of a number.")
    let maximum = keys.optional("max", .bound, "The maximum of a number.")
    let step = keys.optional("step", .number(1e-9...1e9), "The step to which a number is rounded.")
    let kind = keys.optional(
      "kind", .choice(["image": true]),
      "The kind of messages from `from`: `image` for PNG or JPEG files of at most 8 MiB. The value, initially an empty string, is the path of the last one."
    )
    let unit = keys.optional(
      "unit", .text, default: "", "The unit of a number, for Home Assistant and other programs.")
    let options = keys.optional("options", .options, "The permitted values of a string.")
    let keep = keys.optional(
      "keep", .lifetime, default: false,
      "Whether the value is persistent across restarts and power cuts. `day` keeps it until midnight."
    )
    let from = keys.optional(
      "from", Table<ValueSource>.source.form,
      "The MQTT topic whose messages set the value, by `roundel mqtt`, or the entity of Home Assistant whose state or attribute sets it, by `roundel home`.",
      at: \ValueDeclaration.source)
    let echo = keys.optional(
      "echo", .number(0.1...3600, "seconds"),
      "Seconds that messages from `from` wait after a message to `to`, because they may still report the former value. They also wait while a finger holds a control that is bound to the value, and while the control moves. The last one then sets the value.",
      at: \ValueDeclaration.echoSeconds)
    let to = keys.optional(
      "to", Table<ValueTarget>.target.form,
      "The MQTT topic of messages for each change that did not come from `from`, by `roundel mqtt`, or the service of Home Assistant to call, by `roundel home`.",
      at: \ValueDeclaration.target)
    let gone = keys.optional(
      "gone", .gone,
      "The message for the topic of `to` when the kiosk dies, hangs or stops. The broker publishes it, even if the bridge dies.",
      at: \ValueDeclaration.gone)
    let stale = keys.optional(
      "stale", .number(0.1...1e9, "seconds"),
      "Seconds without an update after which the value is undefined and shown as –. It is also undefined initially.",
      at: \ValueDeclaration.staleAfter)
    let isPrivate = keys.optional(
      "private", .flag, default: false,
      "Whether only actions, `logic` and `to` get the value: clients, Home Assistant and recordings get null. It is cleared at `reset`, at home and at a restart. Everything computed or set from it is private, too, as are controls that show it.",
      at: \ValueDeclaration.isPrivate)
    return { fields in
      if fields[isPrivate], fields[keep] != .no {
        return fields.error(
          "a private value cannot be persistent", at: keep,
          expected: "\"keep\" or \"private\", not both")
      }
      let bounds = [fields[minimum], fields[maximum], fields[step]]
      if fields[value].kind != .number, bounds.contains(where: { $0 != nil }) {
        return fields.error(
          "bounds of \(fields[value].kind)", at: value, expected: "a number with \"min\" or \"max\""
        )
      }
      if let low = fields[minimum], let high = fields[maximum], low > high {
        return fields.error(
          "\"min\" is above \"max\"", at: minimum, expected: "at most \(high.brief)")
      }
      if fields[value].kind != .number, !fields[unit].isEmpty {
        return fields.error(
          "a unit of \(fields[value].kind)", at: value, expected: "a number with \"unit\"")
      }
      let texts = fields[options] ?? []
      if !texts.isEmpty, fields[value].kind != .text {
        return fields.error(
          "options of \(fields[value].kind)", at: value, expected: "a string with \"options\"")
      }
      if !texts.isEmpty, !texts.map(RoundelExpressions.Value.text).contains(fields[value]) {
        return fields.error(
          "the initial value is not one of the options", at: value, expected: texts.alternatives)
      }
      if Set(texts).count < texts.count {
        return fields.error("a duplicate option", at: options, expected: "each option once")
      }
      if fields[kind] != nil {
        guard fields[value].kind == .text else {
          return fields.error(
            "an image as \(fields[value].kind)", at: kind, expected: "a string, such as \"\"")
        }
        guard let source = fields[from], source.service == .mqtt, source.path.isEmpty else {
          return fields.error(
            "\"kind: image\" without a topic of images", at: kind,
            expected: "\"from\" with a topic, without \"path\"")
        }
      }
      if fields[echo] != nil, fields[from] == nil || fields[to] == nil {
        return fields.error(
          "\"echo\" without \"from\" and \"to\"", at: echo, expected: "both with a topic")
      }
      if fields[gone] != nil, fields[to]?.service != .mqtt {
        return fields.error(
          fields[to] == nil ? "\"gone\" without \"to\"" : "\"gone\" of a service", at: gone,
          expected: "\"to\" with a topic")
      }
      if fields[stale] != nil, fields[keep] != .no {
        return fields.error(
          "a value with \"stale\" cannot be persistent", at: keep,
          expected: "\"keep\" or \"stale\", not both")
      }
      var declaration = ValueDeclaration(
        name: "", initial: fields[value], minimum: fields[minimum], maximum: fields[maximum],
        step: fields[step], unit: fields[unit], options: texts, isPersistent: fields[keep] != .no,
        isDaily: fields[keep] == .untilMidnight)
      declaration.isImage = fields[kind] != nil
      guard let initial = declaration.fitted(fields[value]) else {
        fields.reader.report(tooLong: fields[value], at: fields.mark(of: value))
        return nil
      }
      declaration.initial = initial
      return declaration
    }
  }
}

extension Table where Value == ValueSource {
  fileprivate static let source = Table("value_source", "The source of a value.") { keys in
    let topic = keys.optional("mqtt", .topic, "The topic. Retained messages are used, too.")
    let path = keys.optional(
      "path", .path,
      "The member of a JSON message, with dots and indices for nested members, such as `list.0.temp`. The default is the complete message."
    )
    let entity = keys.optional("home", .homeEntity, "The entity of Home Assistant.")
    let attribute = keys.optional(
      "attribute", .text, "The entity's attribute. The default is its state.")
    let optional = keys.optional(
      "optional", .flag, default: false,
      "Whether a message without this member, or an entity that is unavailable or has no such attribute, doesn't change the value, and isn't a failure."
    )
    keys.requireOne(of: ["mqtt", "home"])
    return { fields in
      if let entity = fields[entity] {
        if fields[path] != nil {
          return fields.error("\"path\" of an entity", at: path, expected: "\"attribute\"")
        }
        var source = ValueSource(.home, entity, isOptional: fields[optional])
        source.attribute = fields[attribute]
        return source
      }
      if fields[attribute] != nil {
        return fields.error("\"attribute\" of a topic", at: attribute, expected: "\"path\"")
      }
      if fields[optional], fields[path] == nil {
        return fields.error(
          "\"optional\" without \"path\"", at: optional, expected: "\"path\" with a member")
      }
      return ValueSource(
        .mqtt, fields[topic] ?? "", path: fields[path] ?? [], isOptional: fields[optional])
    }
  }
}

extension Table where Value == ValueTarget {
  fileprivate static let target = Table("value_target", "The destination of a value.") { keys in
    let topic = keys.optional("mqtt", .topic, "The topic.")
    let payload = keys.optional(
      "payload", .text, "The message, with `{value}` for the value. The default is only the value.",
      at: \ValueTarget.payload)
    let retain = keys.optional(
      "retain", .flag, default: false, "Whether the broker retains the last message.",
      at: \ValueTarget.isRetained)
    let service = keys.optional(
      "home", .homeService, "The service of Home Assistant, which needs `field`.")
    let entity = keys.optional(
      "entity", .homeEntity, "The entity of the service. By default, the service has none.",
      at: \ValueTarget.entity)
    let field = keys.optional(
      "field", .text, "The field of the service that has the value.", at: \ValueTarget.field)
    keys.optional(
      "when", .timing, default: "changed",
      "When a change is sent: at once, or when no finger holds a control that is bound to the value, and the control rests.",
      at: \ValueTarget.timing)
    keys.optional(
      "every", .number(0.01...3600, "seconds"),
      "The minimum seconds between messages. The last change is always sent.",
      at: \ValueTarget.interval)
    keys.requireOne(of: ["mqtt", "home"])
    return { fields in
      if let service = fields[service] {
        if fields[field] == nil {
          return fields.error(
            "\"home\" without \"field\"", at: field, expected: "the field that has the value")
        }
        if fields[payload] != nil {
          return fields.error("\"payload\" of a service", at: payload, expected: "\"field\"")
        }
        if fields[retain] {
          return fields.error("\"retain\" of a service", at: retain, expected: "\"mqtt\"")
        }
        return ValueTarget(.home, service)
      }
      if fields[entity] != nil || fields[field] != nil {
        return fields.error(
          "a topic with \"entity\" or \"field\"", at: fields[entity] == nil ? field : entity,
          expected: "a service as \"home\"")
      }
      if fields[payload]?.contains("{value}") == false {
        return fields.error(
          "a message without the value", at: payload, expected: "a string with {value}")
      }
      return ValueTarget(.mqtt, fields[topic] ?? "")
    }
  }
}

extension Form where Value == ValueTarget.Timing {
  fileprivate static var timing: Form {
    choice(["changed": ValueTarget.Timing.changed, "settled": .settled])
  }
}

extension Form where Value == String {
  fileprivate static var gone: Form {
    Form<String>.text.compactMap { text, node, reader in
      guard !text.contains("{value}") else {
        reader.report(
          "{value} in \"gone\"", at: node.mark, expected: "a fixed message")
        return nil
      }
      guard text.utf8.count <= ValueTarget.maximumGoneBytes else {
        reader.report(
          "\"gone\" of \(text.utf8.count) bytes", at: node.mark,
          expected: "at most \(ValueTarget.maximumGoneBytes) bytes")
        return nil
      }
      return text
    }
  }
}

extension Form where Value == [String] {
  /// Names and indices, separated by dots.
  fileprivate static var path: Form {
    Form<String>.word("names and indices, such as list.0.temp").compactMap { text, node, reader in
      let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard !parts.contains("") else {
        reader.report(
          "an empty name in a path", at: node.mark,
          expected: "names and indices, such as list.0.temp")
        return nil
      }
      return parts
    }
  }

  fileprivate static var options: Form { Form<String>.word("a string").list("strings") }
}

private enum Lifetime {
  case no, always, untilMidnight
}

extension Form where Value == Lifetime {
  fileprivate static var lifetime: Form {
    Form<Bool?>.flag(or: "day").map { isPersistent in
      isPersistent.map { $0 ? .always : .no } ?? .untilMidnight
    }
  }
}

extension Form where Value == Double {
  fileprivate static var bound: Form { number(-1e15...1e15) }
}

extension Reader {
  fileprivate func report(tooLong value: RoundelExpressions.Value, at mark: Mark) {
    report(
      "\(value.kind) is too large", at: mark,
      expected: value.exceededLimit ?? value.exceededLevels)
  }
}

extension Form where Value == RoundelExpressions.Value {
  /// A number, a flag or a string in JSON notation, otherwise a string, or a list or map of these.
  fileprivate static var firstValue: Form {
    let expected = "a number, a string, a flag, a list or a map"
    return Form(
      expected, from: [.scalar, .nothing, .list, .map],
      schema: { _ in ["type": ["string", "number", "boolean", "array", "object"]] },
      read: { node, reader in
        guard node.kind == .list || node.kind == .map else { return node.literal }
        guard !node.items.reduce(false, { actionsAreGiven(in: $1, reader) || $0 }) else {
          return nil
        }
        guard let value = node.value else {
          reader.reportType(node, expected: expected)
          return nil
        }
        return value
      })
  }

  /// Reports actions in items of a list.
  private static func actionsAreGiven(in item: Node, _ reader: Reader) -> Bool {
    if let actions = item.pairs.first(where: { $0.key == "on" }) {
      reader.report(
        "an item of a list value cannot have actions", at: actions.keyMark,
        expected: "\"on\" of the control that shows the list, with {event.item}")
      return true
    }
    let inner = item.kind == .list ? item.items : item.pairs.map(\.value)
    return inner.reduce(false) { actionsAreGiven(in: $1, reader) || $0 }
  }
}
