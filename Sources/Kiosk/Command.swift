// SPDX-License-Identifier: MIT

public import RoundelControls
public import RoundelExpressions

/// A command to a kiosk from an action, a client, a recording or a suite.
public struct Command: Hashable, Sendable {
  package let kind: CommandKind
  /// One value for each parameter of the kind.
  package let arguments: [Value]

  package init(_ kind: CommandKind, _ arguments: [Value] = []) {
    let opposite =
      arguments == [.flag(false)] ? kind.opposite.flatMap { CommandKind.named($0) } : nil
    self.kind = opposite ?? kind
    self.arguments = opposite == nil ? arguments : []
  }

  package var setting: (target: Reference, value: Value)? {
    guard kind.notation == .pairs, arguments.count == 2, case .text(let name) = arguments[0] else {
      return nil
    }
    return Reference(name).map { ($0, arguments[1]) }
  }
}

extension Command {
  /// Sets a value, a control's property, or the language.
  public static func set(_ target: Reference, _ value: Value) -> Self {
    Self(.set, [.text("\(target)"), value])
  }

  /// Shows a page.
  public static func go(page: String) -> Self { Self(.go, [.text(page)]) }

  /// Shows a page with `over` over the current page.
  package static func show(page: String) -> Self { Self(.show, [.text(page)]) }

  package static func notify(_ message: Message) -> Self {
    Self(
      .notify,
      [
        .text(message.text), .text(message.title), .text(message.level.rawValue),
        .number(message.seconds),
      ])
  }

  /// Sends a command, such as `spin`, to a control.
  public static func perform(_ name: String, control: String) -> Self {
    Self(.ofControls(name), [.text(control)])
  }

  /// Reports an `emit` event with a name and fields.
  public static func emit(_ name: String, _ fields: [Field]) -> Self {
    Self(.emit, [.text(name), .record(fields)])
  }

  /// Puts the panel to sleep, or wakes it.
  public static func blank(_ blank: Bool) -> Self { Self(.blank, [.flag(blank)]) }

  /// Darkens the panel. Touches and speech continue to work.
  public static var darken: Self { Self(.blank, [.text("view")]) }

  /// Resets a control to its initial state, or everything except persistent values if `control` is nil.
  public static func reset(_ control: String?) -> Self {
    Self(.reset, [.text(control ?? CommandKind.everything)])
  }

  /// Starts a program. The first item is its name.
  public static func run(_ program: [String]) -> Self {
    Self(.run, [.list(program.map(Value.text))])
  }

  /// Plays a sound file.
  public static func play(file: String) -> Self { Self(.play, [.text(file)]) }

  /// Shakes the panel.
  public static var shake: Self { Self(.shake) }

  /// Sends a keystroke, like an encoder at the panel.
  public static func key(_ key: Keystroke) -> Self { .key(.keystroke(key)) }
  /// Presses or releases a key at the panel, by default both.
  package static func key(_ key: KeyPress, _ phase: KeyPress.Phase = .tap) -> Self {
    Self(.key, [.text(key.name), phase.value])
  }
  package var keyPress: (key: KeyPress, phase: KeyPress.Phase)? {
    guard kind == .key, arguments.count == 2, case .text(let name) = arguments[0],
      let key = KeyPress(named: name), let phase = KeyPress.Phase(arguments[1])
    else { return nil }
    return (key, phase)
  }
  /// Sends a line, like a scanner.
  package static func scan(_ text: String, isPrivate: Bool = false) -> Self {
    Self(.scan, [.text(text), .flag(isPrivate)])
  }
  /// Reports that a headset was connected or disconnected.
  public static func jack(_ isIn: Bool) -> Self { Self(.jack, [.flag(isIn)]) }
}

/// The reason for refusing a command.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String
}

extension Engine {
  /// Carries out a command as a turn. Throws if a name doesn't exist, or the value isn't accepted.
  public mutating func apply(_ command: Command) throws(CommandError) {
    try turn(by: command.kind.traits.contains(.isUserInput) ? .finger : .command) {
      (engine, turn) throws(CommandError) in
      try engine.execute(command, &turn)
    }
  }

  mutating func execute(_ command: Command, _ turn: inout Turn) throws(CommandError) {
    do throws(UnknownName) {
      try find(namesOf: command, withSettings: false)
    } catch {
      throw CommandError(description: "\(error)")
    }
    try command.kind.perform(command.arguments, &self, &turn)
  }

  /// Checks that names in a command exist. Checking settings is slow in a large control.
  package func find(namesOf command: Command, withSettings: Bool = true) throws(UnknownName) {
    for (parameter, argument) in zip(command.kind.parameters, command.arguments) {
      guard case .text(let name) = argument else { continue }
      try find(name, as: parameter, of: command.kind)
      if withSettings, parameter.referent == .property, let name = Reference(name) {
        _ = try kind(named: name)
      }
    }
  }
}

extension KioskNames {
  package func find(
    _ name: String, as parameter: CommandParameter, of kind: CommandKind
  ) throws(UnknownName) {
    switch parameter.referent {
    case .page: try find(destination: name)
    case .overPage: try find(overPage: name)
    case .control: try find(control: name, knowing: kind.controlCommand)
    case .controls: if name != CommandKind.everything { try find(control: name) }
    case .property, .nothing, .program, .sound: break
    }
  }
}
