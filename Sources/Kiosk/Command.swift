// SPDX-License-Identifier: MIT

public import Controls
public import Expressions

/// A command to a kiosk, given by an action, a client, a recording or a suite.
public enum Command: Hashable, Sendable {
  /// Sets a value, a control's property, or the language.
  case set(Reference, Value)
  /// Shows a page.
  case go(page: String)
  /// Gives a control one of its commands: `spin`, `open` or `close`.
  case perform(String, control: String)
  /// Reports an event `emit` with a name and fields.
  case emit(String, [Field])
  /// Puts the panel to sleep, or wakes it.
  case blank(Bool)
  /// Resets a control to its initial state, or where nil everything but kept values.
  case reset(String?)
  /// Starts a program: its name and its arguments.
  case run([String])
  /// Plays a sound file.
  case play(file: String)
  /// Shakes the panel.
  case shake
  /// Presses a key at the panel.
  case key(Keystroke)
}

/// The reason why a command was refused.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in one sentence without a full stop.
  public var description: String
}

extension Engine {
  /// Carries out a command, as a turn. Throws where its page, control or property does not exist, or
  /// the value is not accepted.
  public mutating func apply(_ command: Command) throws(CommandError) {
    try turn(by: command.isOfPerson ? .finger : .command) { (engine) throws(CommandError) in
      try engine.carryOut(command)
    }
  }

  /// Carries out a command within a turn.
  mutating func carryOut(_ command: Command) throws(CommandError) {
    switch command {
    case .set(let target, let value):
      do throws(PropertyError) {
        try write(value, to: target)
      } catch {
        throw CommandError(description: "set \(target): \(error)")
      }
    case .go(let page):
      guard change(toPage: page) else {
        throw CommandError(description: "there is no page \"\(page)\"")
      }
    case .perform(let name, let control):
      guard change(control, by: name) else {
        throw CommandError(description: "\(control) does not \(name)")
      }
    case .emit(let name, let fields):
      if let field = fields.first(where: { CommandKind.reservedFields.contains($0.name) }) {
        let reserved = CommandKind.reservedFields
        let expected =
          reserved.dropLast().joined(separator: ", ") + " or \(reserved.last ?? "")"
        throw CommandError(
          description: "a field cannot be called \"\(field.name)\" (expected none of \(expected))")
      }
      report("emit", [Field("name", .text(name))] + fields)
    case .blank(let blank): change(toBlank: blank)
    case .reset(let control):
      guard control.map({ places[$0] != nil }) ?? true else {
        throw CommandError(description: "there is no control \"\(control ?? "")\"")
      }
      reset(control)
    case .run(let program): programs.append(program)
    case .play(let file): sounds.append(file)
    case .shake:
      guard !isBlank else { return }
      notePerson()
      for id in shakeable { change(id, by: "shake") }
    case .key(let key): press(key)
    }
  }
}

extension Command {
  /// Whether it stands for what a person does at the panel.
  fileprivate var isOfPerson: Bool {
    switch self {
    case .shake, .key: true
    default: false
    }
  }
}
