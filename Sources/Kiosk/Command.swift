// SPDX-License-Identifier: MIT

internal import Controls
public import Expressions

/// What can be done to a kiosk without a finger: by an action, a client, a recording or a suite.
public enum Command: Hashable, Sendable {
  /// Sets a value, a control's property, or the language.
  case set(Reference, Value)
  /// Shows a page.
  case go(page: String)
  /// `spin`, `open` or `close`, for a control that knows it.
  case perform(String, control: String)
  /// Reports an event of the author's own.
  case emit(String, [Field])
  /// Puts the panel to sleep, or wakes it.
  case blank(Bool)
  /// Makes a control as it is after the start, or where nil all but kept values.
  case reset(String?)
  /// Starts a program: its name and its arguments.
  case run([String])
  /// Shakes the panel.
  case shake
}

/// Why a command was not done.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String
}

extension Engine {
  /// Does what a command says, as a turn.
  public mutating func apply(_ command: Command) throws(CommandError) {
    try turn(by: command == .shake ? .finger : .command) { (engine) throws(CommandError) in
      try engine.carryOut(command)
    }
  }

  /// Does what a command says, within a turn.
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
    case .shake:
      guard !isBlank else { return }
      notePerson()
      for id in shakeable { change(id, by: "shake") }
    }
  }
}
