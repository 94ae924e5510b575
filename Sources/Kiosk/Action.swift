// SPDX-License-Identifier: MIT

package import Controls
public import Expressions

/// A command that an event triggers.
public struct Action: Hashable, Sendable {
  package var verb: Verb
  /// The action is skipped unless this holds at the event.
  package var condition: Condition?
  /// Seconds before it is done. It is dropped when the page shown at the event is left.
  package var delay: Double?

  package enum Verb: Hashable, Sendable {
    /// Shows a page.
    case go(TextTemplate)
    /// Sets a value, a control's property, or the language.
    case set(Reference, Argument)
    /// `spin`, `open` or `close`, for a control that knows it.
    case perform(String, control: String)
    /// Starts a program without a shell and does not wait for it.
    case run([TextTemplate])
    /// Plays a sound file. A relative name is one in `folder`, which ends with a slash unless it is empty.
    case play(TextTemplate, folder: String)
    /// Reports an event with fields.
    case emit(TextTemplate, [ActionField])
    /// Puts the panel to sleep, or wakes it.
    case blank(Bool)
    /// Resets a control, or everything where nil.
    case reset(String?)
    /// Shakes the panel.
    case shake
    case key(Keystroke)
  }

  /// A value, or a template that is evaluated when the action is done.
  package enum Argument: Hashable, Sendable {
    case value(Value)
    case template(TextTemplate)
  }

  package init(_ verb: Verb, when condition: Condition? = nil, after delay: Double? = nil) {
    self.verb = verb
    self.condition = condition
    self.delay = delay
  }
}

/// A field of an event that an action reports.
package struct ActionField: Hashable, Sendable {
  package var name: String
  package var argument: Action.Argument

  package init(_ name: String, _ argument: Action.Argument) {
    self.name = name
    self.argument = argument
  }
}

/// Actions without templates, for programs.
extension Action {
  /// The action that carries out `command`, `delay` seconds after the event; nil for at once.
  public init(_ command: Command, after delay: Double? = nil) {
    let verb: Verb =
      switch command {
      case .set(let target, let value): .set(target, .value(value))
      case .go(let page): .go(TextTemplate(literal: page))
      case .perform(let name, let control): .perform(name, control: control)
      case .emit(let name, let fields):
        .emit(
          TextTemplate(literal: name), fields.map { ActionField($0.name, .value($0.value)) })
      case .blank(let blank): .blank(blank)
      case .reset(let control): .reset(control)
      case .run(let program): .run(program.map { TextTemplate(literal: $0) })
      case .play(let file): .play(TextTemplate(literal: file), folder: "")
      case .shake: .shake
      case .key(let key): .key(key)
      }
    self.init(verb, after: delay)
  }

  /// Shows the page named `page`.
  public static func go(_ page: String) -> Action { Action(Command.go(page: page)) }

  /// Sets a property of a control; a value that does not suit is a `failed` event.
  public static func set(control: String, property: String, value: Value) -> Action {
    Action(Command.set(.property(PropertyPath(control: control, property: property)), value))
  }

  /// Gives a control one of its commands: `spin`, `open`, `close`.
  public static func perform(_ name: String, control: String) -> Action {
    Action(Command.perform(name, control: control))
  }

  /// Starts a program by its name and arguments, without a shell, and does not wait for it.
  public static func run(_ program: [String]) -> Action { Action(Command.run(program)) }

  /// Plays a sound file and does not wait for its end.
  public static func play(_ file: String) -> Action { Action(Command.play(file: file)) }

  /// Reports an event named `name`, without fields.
  public static func emit(_ name: String) -> Action { Action(Command.emit(name, [])) }

  /// Puts the panel to sleep, or wakes it where `blank` is false.
  public static func blank(_ blank: Bool) -> Action { Action(Command.blank(blank)) }
}

extension Action: CustomStringConvertible {
  /// As a kiosk file names it: `open menu`.
  public var description: String {
    switch verb {
    case .go(let page): "go \(page.literal ?? "to a page")"
    case .set(let target, _): "set \(target)"
    case .perform(let command, let control): "\(command) \(control)"
    case .run(let program): "run \(program.first?.literal ?? "a program")"
    case .play(let file, _): "play \(file.literal ?? "a sound")"
    case .emit(let name, _): "emit \(name.literal ?? "an event")"
    case .blank(let blank): blank ? "blank" : "wake"
    case .reset(let control): "reset \(control ?? "all")"
    case .shake: "shake"
    case .key(let key): "key \(key.rawValue)"
    }
  }
}

extension Reference: CustomStringConvertible {
  /// The action as a kiosk file names it: `open menu`.
  public var description: String {
    switch self {
    case .value(let name): name
    case .property(let path): path.description
    case .text(let name): "texts.\(name)"
    case .event(let name): "event.\(name)"
    case .language: "language"
    case .page: "page"
    case .now: "now"
    case .uptime: "uptime"
    }
  }
}
