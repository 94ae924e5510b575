// SPDX-License-Identifier: MIT

public import Controls
public import Expressions

/// A command to a kiosk, given by an action, a client, a recording or a suite: one of the table in
/// `CommandKind`, and its arguments. The texts and values of an action may be templates.
public struct Command<Text: Hashable & Sendable, Value: Hashable & Sendable>: Hashable, Sendable {
  package let kind: CommandKind
  /// An argument for each parameter of the kind.
  package let arguments: [CommandArgument<Text, Value>]

  package init(_ kind: CommandKind, _ arguments: [CommandArgument<Text, Value>] = []) {
    let isOpposite = kind.opposite != nil && arguments == [.flag(false)]
    self.kind = isOpposite ? kind.opposite.flatMap { .named($0) } ?? kind : kind
    self.arguments = isOpposite ? [] : arguments
  }

  /// The same command with other forms of its texts and values.
  package func map<OtherText, OtherValue, Failure: Error>(
    text: (Text) throws(Failure) -> OtherText, value: (Value) throws(Failure) -> OtherValue
  ) throws(Failure) -> Command<OtherText, OtherValue> {
    var others: [CommandArgument<OtherText, OtherValue>] = []
    for argument in arguments { others.append(try argument.map(text: text, value: value)) }
    return Command<OtherText, OtherValue>(kind, others)
  }
}

/// A command whose texts and values are known.
public typealias GivenCommand = Command<String, Value>

/// An argument of a command; see `CommandParameter.Kind`.
package enum CommandArgument<Text: Hashable & Sendable, Value: Hashable & Sendable>: Hashable,
  Sendable
{
  case setting(Reference, Value)
  case page(Text)
  case control(String)
  /// Nil for all.
  case controlOrAll(String?)
  case event(Text, [CommandField<Value>])
  case flag(Bool)
  /// The word that may stand in place of a flag.
  case word(String)
  case number(Double)
  case program([Text])
  /// A relative name is one in `folder`, which ends with a slash unless it is empty.
  case sound(Text, folder: String)
  case key(Keystroke)

  fileprivate func map<OtherText, OtherValue, Failure: Error>(
    text: (Text) throws(Failure) -> OtherText, value: (Value) throws(Failure) -> OtherValue
  ) throws(Failure) -> CommandArgument<OtherText, OtherValue> {
    switch self {
    case .setting(let target, let new): return .setting(target, try value(new))
    case .page(let page): return .page(try text(page))
    case .control(let id): return .control(id)
    case .controlOrAll(let id): return .controlOrAll(id)
    case .event(let name, let fields):
      var filled: [CommandField<OtherValue>] = []
      let name = try text(name)
      for field in fields { filled.append(CommandField(field.name, try value(field.value))) }
      return .event(name, filled)
    case .flag(let flag): return .flag(flag)
    case .word(let word): return .word(word)
    case .number(let number): return .number(number)
    case .program(let words):
      var filled: [OtherText] = []
      for word in words { filled.append(try text(word)) }
      return .program(filled)
    case .sound(let file, let folder): return .sound(try text(file), folder: folder)
    case .key(let key): return .key(key)
    }
  }
}

/// A field of an event that a command reports.
package struct CommandField<Value: Hashable & Sendable>: Hashable, Sendable {
  package var name: String
  package var value: Value

  package init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }
}

extension Command where Text == String, Value == Expressions.Value {
  /// Sets a value, a control's property, or the language.
  public static func set(_ target: Reference, _ value: Value) -> Self {
    Self(.set, [.setting(target, value)])
  }

  /// Shows a page.
  public static func go(page: String) -> Self { Self(.go, [.page(page)]) }

  /// Gives a control one of its commands: `spin`, `open` or `close`.
  public static func perform(_ name: String, control: String) -> Self {
    Self(.ofControls(name), [.control(control)])
  }

  /// Reports an event `emit` with a name and fields.
  public static func emit(_ name: String, _ fields: [Field]) -> Self {
    Self(.emit, [.event(name, fields.map { CommandField($0.name, $0.value) })])
  }

  /// Puts the panel to sleep, or wakes it.
  public static func blank(_ blank: Bool) -> Self { Self(.blank, [.flag(blank)]) }

  /// Darkens the panel, on which touches and speech go on.
  public static var darken: Self { Self(.blank, [.word("view")]) }

  /// Resets a control to its initial state; nil resets everything but kept values.
  public static func reset(_ control: String?) -> Self { Self(.reset, [.controlOrAll(control)]) }

  /// Starts a program: its name and its arguments.
  public static func run(_ program: [String]) -> Self { Self(.run, [.program(program)]) }

  /// Plays a sound file.
  public static func play(file: String) -> Self { Self(.play, [.sound(file, folder: "")]) }

  /// Shakes the panel.
  public static var shake: Self { Self(.shake) }

  /// Presses a key at the panel.
  public static func key(_ key: Keystroke) -> Self { Self(.key, [.key(key)]) }
  /// Reports that a headset is plugged in or pulled out.
  public static func jack(_ isIn: Bool) -> Self { Self(.jack, [.flag(isIn)]) }
}

/// The reason why a command was refused.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, in one sentence without a full stop.
  public var description: String
}

extension Engine {
  /// Carries out a command, as a turn. Throws where its page, control or property does not exist, or
  /// the value is not accepted.
  public mutating func apply(_ command: GivenCommand) throws(CommandError) {
    try turn(by: command.kind.traits.contains(.ofPerson) ? .finger : .command) {
      (engine, turn) throws(CommandError) in
      try engine.carryOut(command, &turn)
    }
  }

  /// Carries out a command within a turn.
  mutating func carryOut(_ command: GivenCommand, _ turn: inout Turn) throws(CommandError) {
    do throws(UnknownName) {
      try find(namesOf: command, withSettings: false)
    } catch {
      throw CommandError(description: "\(error)")
    }
    try command.kind.perform(&self, &turn, GivenArguments(command.arguments))
  }

  /// Finds the names that a command has. To find what is set takes long in a large control.
  package func find(
    namesOf command: GivenCommand, withSettings: Bool = true
  ) throws(UnknownName) {
    for argument in command.arguments {
      switch argument {
      case .setting(let name, _): if withSettings { _ = try kind(named: name) }
      case .page(let page): try find(destination: page)
      case .control(let id): try find(control: id, knowing: command.kind.controlCommand)
      case .controlOrAll(let id?): try find(control: id)
      case .controlOrAll(nil), .event, .flag, .word, .number, .program, .sound, .key: break
      }
    }
  }
}
