// SPDX-License-Identifier: MIT

internal import RoundelControls
public import RoundelExpressions

/// A command that an event triggers, possibly with templates among its arguments.
public struct Action: Hashable, Sendable {
  package let kind: CommandKind
  /// The values or templates, by parameter of the kind.
  package let arguments: [Argument]
  /// A condition at the time of the event. If it is false, the action is skipped.
  package var condition: Condition?
  /// The delay in seconds. Leaving the page drops delayed actions of the page and its controls.
  package var delay: Double?
  /// The number of following actions of the same `set`. All of them succeed, or none is carried out.
  package var following = 0

  package indirect enum Argument: Hashable, Sendable {
    case value(Value)
    case template(TextTemplate)
    case text(TextTemplate)
    /// A path, resolved if relative in `folder`, which is empty or ends with a slash.
    case path(TextTemplate, folder: String)
    case list([Argument])
    case record([Member])
  }

  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: Argument

    package init(_ name: String, _ value: Argument) {
      self.name = name
      self.value = value
    }
  }

  package init(_ kind: CommandKind, _ arguments: [Argument] = []) {
    let values = arguments.compactMap(\.literal)
    if values.count == arguments.count {
      self = Action(Command(kind, values))
    } else {
      self.kind = kind
      self.arguments = arguments
    }
  }

  /// Carries out `command`, `delay` seconds after the event, or immediately if `delay` is nil.
  public init(_ command: Command, after delay: Double? = nil) {
    kind = command.kind
    arguments = command.arguments.map { .value($0) }
    self.delay = delay
  }
}

extension Action.Argument {
  package var literal: Value? { if case .value(let value) = self { value } else { nil } }

  package init(_ items: [Action.Argument]) {
    let values = items.compactMap(\.literal)
    self = values.count == items.count ? .value(.list(values)) : .list(items)
  }

  package init(_ members: [Action.Member]) {
    let fields = members.compactMap { member in
      member.value.literal.map { Field(member.name, $0) }
    }
    self = fields.count == members.count ? .value(.record(fields)) : .record(members)
  }

  package var items: [Action.Argument]? {
    switch self {
    case .value(.list(let values)): values.map { .value($0) }
    case .list(let items): items
    case .value, .template, .text, .path, .record: nil
    }
  }

  fileprivate var templates: [TextTemplate] {
    switch self {
    case .value: []
    case .template(let template), .text(let template), .path(let template, _): [template]
    case .list(let items): items.flatMap(\.templates)
    case .record(let members): members.flatMap(\.value.templates)
    }
  }

  fileprivate func value(
    _ evaluate: (TextTemplate) throws(EvaluationError) -> Value
  ) throws(EvaluationError) -> Value {
    switch self {
    case .value(let value): return value
    case .template(let template): return try evaluate(template)
    case .text(let template): return .text(try evaluate(template).display)
    case .path(let template, let folder):
      let path = try evaluate(template).display
      return .text(path.hasPrefix("/") ? path : folder + path)
    case .list(let items):
      var values: [Value] = []
      for item in items { values.append(try item.value(evaluate)) }
      return .list(values)
    case .record(let members):
      var fields: [Field] = []
      for member in members { fields.append(Field(member.name, try member.value.value(evaluate))) }
      return .record(fields)
    }
  }

  /// The words that distinguish an action from others of its kind, or nil if it doesn't have any.
  fileprivate func words(orFor template: String?) -> String? {
    switch self {
    case .value(.text(let text)): text
    case .template(let text), .text(let text), .path(let text, _): text.literal ?? template
    case .value, .list, .record: items?.first?.words(orFor: template)
    }
  }
}

extension Action {
  /// The target of a `set`, or nil for any other action.
  package var target: Reference? {
    guard kind.notation == .pairs, case .value(.text(let name))? = arguments.first else {
      return nil
    }
    return Reference(name)
  }

  package var page: Argument? {
    [.page, .overPage].contains(kind.parameters.first?.referent) ? arguments.first : nil
  }

  func reads(_ areRead: ([Reference]) -> Bool) -> Bool {
    arguments.contains { $0.templates.contains { areRead($0.names) } }
  }

  /// The command, or nil if its arguments contain templates.
  package var command: Command? {
    let values = arguments.compactMap(\.literal)
    return values.count == arguments.count ? Command(kind, values) : nil
  }

  func command(
    _ evaluate: (TextTemplate) throws(EvaluationError) -> Value
  ) throws(EvaluationError) -> Command {
    var values: [Value] = []
    for argument in arguments { values.append(try argument.value(evaluate)) }
    return Command(kind, values)
  }
}

extension Action {
  /// Shows a page.
  public static func go(_ page: String) -> Action { Action(Command.go(page: page)) }

  /// Sets a property of a control. An invalid value causes a `failed` event.
  public static func set(control: String, property: String, value: Value) -> Action {
    Action(Command.set(.property(PropertyPath(control: control, property: property)), value))
  }

  /// Sends a command to a control: `spin`, `open` or `close`.
  public static func perform(_ name: String, control: String) -> Action {
    Action(Command.perform(name, control: control))
  }

  /// Starts a program without a shell, and doesn't wait for it. The first item is its name.
  public static func run(_ program: [String]) -> Action { Action(Command.run(program)) }

  /// Plays a sound file, without waiting for its end.
  public static func play(_ file: String) -> Action { Action(Command.play(file: file)) }

  /// Reports an event without fields.
  public static func emit(_ name: String) -> Action { Action(Command.emit(name, [])) }

  /// Puts the panel to sleep, or wakes it.
  public static func blank(_ blank: Bool) -> Action { Action(Command.blank(blank)) }
}

extension Action: CustomStringConvertible {
  /// The name of the action in a kiosk file: `open menu`.
  public var description: String {
    let words = arguments.first?.words(orFor: kind.parameters.first?.template)
    return ([kind.name] + [words].compactMap(\.self)).joined(separator: " ")
  }
}

extension Reference: CustomStringConvertible {
  /// The name in an expression.
  public var description: String {
    switch self {
    case .value(let name): name
    case .property(let path): path.description
    case .text(let name): "texts.\(name)"
    case .texts: "texts"
    case .event(let name): "event.\(name)"
    case .language: "language"
    case .page: "page"
    case .now: "now"
    case .uptime: "uptime"
    }
  }
}
