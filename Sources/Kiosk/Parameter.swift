// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelDeclarations
package import RoundelExpressions
package import RoundelJSON

package struct CommandParameter: Sendable {
  package enum Referent: Hashable, Sendable {
    case nothing
    /// A page, `back` or `home`.
    case page
    case overPage
    /// A control that accepts the command if it is a control command.
    case control
    /// A control, or `all`.
    case controls
    /// A value, a control's property, or the language.
    case property
    /// The words of a program, which only a kiosk file may start.
    case program
    /// A sound file. In a file, the path is relative to that file's folder.
    case sound
  }

  /// The name in a request.
  package let name: String
  /// The name in a map of several parameters in a file or a recording.
  package let member: String
  /// A sentence or a phrase.
  package let about: String
  package let referent: Referent
  package let kind: Value.Kind
  /// The accepted values in words, for a message about a recording.
  package let expected: String
  /// The values of a request, or nil for all values of the kind.
  package let requested: String?
  /// The notation in a file, or nil if the command's notation contains the values.
  package let form: Form<Value>?
  /// The words for a template instead of the value, or nil if templates aren't allowed.
  package let template: String?
  /// The default value in a request, or nil for a required parameter.
  package let standard: Value?
  package let accepts: @Sendable (Value) -> Bool

  package var schema: JSONValue {
    var definitions = Definitions()
    return form?.schema(&definitions) ?? [:]
  }
}

struct Parameter<T: Sendable>: Sendable {
  let plain: CommandParameter
  let decode: @Sendable (Value) -> T?

  /// `expected` describes the values in a recording, `requested` those in a request.
  init(
    _ name: String, _ about: String, _ referent: CommandParameter.Referent = .nothing,
    as kind: Value.Kind, _ expected: String, requested: String? = nil, _ form: Form<Value>? = nil,
    template: String? = nil, standard: Value? = nil, member: String? = nil,
    decode: @escaping @Sendable (Value) -> T?
  ) {
    plain = CommandParameter(
      name: name, member: member ?? name, about: about, referent: referent, kind: kind,
      expected: expected,
      requested: requested, form: form, template: template, standard: standard,
      accepts: { decode($0) != nil })
    self.decode = decode
  }
}

extension Value {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
  fileprivate var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}

extension Form<String> {
  fileprivate var value: Form<RoundelExpressions.Value> { map { .text($0) } }
}

extension Parameter<String> {
  private init(
    _ name: String, _ about: String, _ referent: CommandParameter.Referent, _ expected: String,
    file: String? = nil, template: String? = nil
  ) {
    self.init(
      name, about, referent, as: .text, expected, Form<String>.word(file ?? expected).value,
      template: template, decode: \.text)
  }

  static func page(_ name: String, _ about: String) -> Self {
    Self(name, about, .page, "the name of a page", template: "to a page")
  }

  static func overPage(_ name: String, _ about: String) -> Self {
    Self(name, about, .overPage, "the name of a page with over", template: "to a page")
  }

  static func message(
    _ name: String, default standard: String? = nil, _ about: String
  ) -> Self {
    let expected = "a string of at most \(Message.maximumBytes) bytes"
    return Self(
      name, about, as: .text, expected, requested: expected, Form<String>.text.value,
      template: "a string", standard: standard.map(Value.text)
    ) { value in value.text.flatMap { $0.utf8.count <= Message.maximumBytes ? $0 : nil } }
  }

  static func line(_ name: String, _ about: String) -> Self {
    let expected = "a string of at most \(Scanner.maximumLength) characters"
    return Self(
      name, about, as: .text, expected, requested: expected, Form<String>.text.value
    ) { value in
      value.text.flatMap { $0.unicodeScalars.count <= Scanner.maximumLength ? $0 : nil }
    }
  }

  static func control(_ name: String, _ about: String) -> Self {
    Self(name, about, .control, "the id of a control")
  }

  static func event(_ name: String, _ about: String) -> Self {
    Self(name, about, .nothing, "the name of an event", template: "an event")
  }

  static func topic(_ name: String, _ about: String) -> Self {
    Self(
      name, about, as: .text, Topic.expected, requested: Topic.expected, Form<String>.topic.value,
      template: "to a topic"
    ) { value in value.text.flatMap { Topic.problem(in: $0) == nil ? $0 : nil } }
  }

  static func homeService(_ name: String, _ about: String) -> Self {
    Self(
      name, about, as: .text, HomeName.expectedService, requested: HomeName.expectedService,
      Form<String>.homeService.value, template: "of Home Assistant"
    ) { value in value.text.flatMap { HomeName.problem(in: $0) == nil ? $0 : nil } }
  }

  /// An entity, or an empty string.
  static func homeEntity(_ name: String, _ about: String) -> Self {
    Self(
      name, about, as: .text, HomeName.expectedEntity, requested: HomeName.expectedEntity,
      Form<String>.optionalHomeEntity.value, template: "an entity", standard: .text("")
    ) { value in
      value.text.flatMap { $0.isEmpty || HomeName.problem(in: $0) == nil ? $0 : nil }
    }
  }

  static func text(_ name: String, default standard: String, _ about: String) -> Self {
    Self(
      name, about, as: .text, "a string", Form<String>.text.value, template: "a string",
      standard: .text(standard), decode: \.text)
  }

  static func sound(_ name: String, _ about: String) -> Self {
    Self(
      name, about, .sound, "the name of a sound file", file: "the name of a WAV file",
      template: "a sound")
  }
}

extension Parameter<String?> {
  /// A control's id, or nil for all controls.
  static func controls(_ name: String, _ about: String) -> Self {
    let everything = CommandKind.everything
    return Self(
      name, about, .controls, as: .text, "the id of a control, or \"\(everything)\"",
      Form<String>.word("the id of a control").value, standard: .text(everything)
    ) { value in value.text.map { $0 == everything ? nil : $0 } }
  }
}

extension Parameter<Reference> {
  static func property(_ name: String, _ about: String) -> Self {
    Self(
      name, about, .property, as: .text, "control.property, or the name of a value",
      requested: "a string, CONTROL.PROPERTY or the name of a value"
    ) { value in value.text.flatMap { Reference($0) } }
  }
}

extension Parameter<Value> {
  static func value(_ name: String, _ about: String) -> Self {
    Self(name, about, as: .any, "value") { $0 }
  }
}

extension Parameter<[Field]> {
  static func fields(_ name: String, _ about: String) -> Self {
    Self(name, about, as: .record, "{\"FIELD\": value}", standard: .record([])) { value in
      if case .record(let fields) = value { fields } else { nil }
    }
  }

  /// A map whose values may be templates.
  static func data(_ name: String, _ about: String) -> Self {
    let value: JSONValue = ["type": ["string", "number", "boolean", "array", "object"]]
    let form = Form<Value>(
      "a map {FIELD: value}", from: [.map], as: .record,
      schema: { _ in ["type": "object", "additionalProperties": value] }, read: { _, _ in nil })
    return Self(
      name, about, as: .record, "{\"FIELD\": value}", form, template: "data",
      standard: .record([])
    ) { value in
      if case .record(let fields) = value { fields } else { nil }
    }
  }
}

extension Parameter<Bool> {
  static func flag(_ name: String, default standard: Bool, _ about: String) -> Self {
    Self(
      name, about, as: .flag, "true or false", Form<Bool>.flag.map(Value.flag),
      standard: .flag(standard), decode: \.flag)
  }
}

extension Parameter<Bool?> {
  /// A flag, or nil for `word`.
  static func flag(
    _ name: String, default standard: Bool, or word: String, _ about: String
  ) -> Self {
    Self(
      name, about, as: .any, "true or false or \"\(word)\"",
      Form<Bool?>.flag(or: word).map { $0.map(Value.flag) ?? .text(word) },
      standard: .flag(standard)
    ) { value in value == .text(word) ? .some(nil) : value.flag.map { .some($0) } }
  }
}

extension Parameter<Double> {
  static func number(
    _ name: String, _ range: ClosedRange<Double>, _ unit: String = "",
    default standard: Double? = nil, _ about: String
  ) -> Self {
    let form = Form<Double>.number(range, unit)
    return Self(
      name, about, as: .number, form.expected, requested: form.expected, form.map(Value.number),
      template: standard == nil ? nil : "a number", standard: standard.map(Value.number)
    ) { value in
      if case .number(let number) = value, range.contains(number) { number } else { nil }
    }
  }
}

extension Parameter<Double> {
  static func qos(_ name: String, default standard: Double, _ about: String) -> Self {
    let form = Form<Int>.integer(0...2)
    return Self(
      name, about, as: .number, form.expected, requested: form.expected,
      form.map { .number(Double($0)) }, standard: .number(standard)
    ) { value in
      if case .number(let number) = value, [0, 1, 2].contains(number) { number } else { nil }
    }
  }
}

extension Parameter<Message.Level> {
  static func level(
    _ name: String, default standard: Message.Level, _ about: String
  ) -> Self {
    let names = Message.Level.allCases.map(\.rawValue)
    let expected = names.joined(separator: " or ")
    return Self(
      name, about, as: .text, expected, requested: expected,
      Form<String>.choice(names, names).value, template: "a level",
      standard: .text(standard.rawValue)
    ) { value in value.text.flatMap { Message.Level(rawValue: $0) } }
  }
}

extension Parameter<[String]> {
  static func program(_ name: String, _ about: String) -> Self {
    let expected = "a program and its arguments"
    return Self(
      name, about, .program, as: .list, expected,
      Form<String>.text.list(expected).map { .list($0.map(Value.text)) }, template: "a program"
    ) { value in
      guard case .list(let words) = value else { return nil }
      let texts = words.compactMap(\.text)
      return texts.count == words.count ? texts : nil
    }
  }
}

extension Parameter<KeyPress> {
  static func key(_ name: String, member: String, _ about: String) -> Self {
    Self(
      name, about, as: .text, KeyPress.expected, requested: KeyPress.expected,
      Form<String>.key.value, member: member
    ) { value in value.text.flatMap { KeyPress(named: $0) } }
  }
}

extension Parameter<KeyPress.Phase> {
  static func phase(_ name: String, _ about: String) -> Self {
    let expected = "true, false, tap or cancel"
    let form = Form<Value>(
      expected, as: .any,
      schema: { _ in ["enum": [true, false, "tap", "cancel"]] },
      decode: { (value, _) throws(InvalidValueError) in
        guard KeyPress.Phase(value) != nil else { throw InvalidValueError(value, expected) }
        return value
      })
    return Self(
      name, about, as: .any, expected, requested: expected, form,
      standard: KeyPress.Phase.tap.value,
      decode: KeyPress.Phase.init)
  }
}

extension KeyPress.Phase {
  var value: Value {
    switch self {
    case .tap: .text("tap")
    case .down: .flag(true)
    case .up: .flag(false)
    case .cancel: .text("cancel")
    }
  }

  init?(_ value: Value) {
    switch value {
    case .text("tap"): self = .tap
    case .flag(true): self = .down
    case .flag(false): self = .up
    case .text("cancel"): self = .cancel
    default: return nil
    }
  }
}

extension Form<String> {
  /// The name of a keystroke or of a symbol.
  fileprivate static var key: Form {
    word("the name of a key").decoded { (name, _) throws(InvalidValueError) in
      guard KeyPress(named: name) != nil else {
        throw InvalidValueError(
          .text(name), KeyPress.expected, meaning: name, among: KeyPress.allNames
        ) { "\($0) is \($1), which is not a key" }
      }
      return name
    }
  }
}
