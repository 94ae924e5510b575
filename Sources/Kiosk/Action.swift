// SPDX-License-Identifier: MIT

internal import Controls
public import Expressions

/// A command that an event triggers.
public struct Action: Hashable, Sendable {
  /// Its templates are filled in when the action is done.
  package var command: Command<TextTemplate, Argument>
  /// The action is skipped unless this holds at the event.
  package var condition: Condition?
  /// Seconds before it is done. It is dropped when the page shown at the event is left.
  package var delay: Double?

  /// A value, or a template that is evaluated when the action is done.
  package enum Argument: Hashable, Sendable {
    case value(Value)
    case template(TextTemplate)
  }

  package init(
    _ command: Command<TextTemplate, Argument>, when condition: Condition? = nil,
    after delay: Double? = nil
  ) {
    self.command = command
    self.condition = condition
    self.delay = delay
  }
}

/// Actions without templates, for programs.
extension Action {
  /// The action that carries out `command`, `delay` seconds after the event; nil for no delay.
  public init(_ command: GivenCommand, after delay: Double? = nil) {
    self.init(
      command.map {
        TextTemplate(literal: $0)
      } value: {
        .value($0)
      }, after: delay)
  }

  /// Shows the page named `page`.
  public static func go(_ page: String) -> Action { Action(GivenCommand.go(page: page)) }

  /// Sets a property of a control; a value that does not suit is a `failed` event.
  public static func set(control: String, property: String, value: Value) -> Action {
    Action(GivenCommand.set(.property(PropertyPath(control: control, property: property)), value))
  }

  /// Gives a control one of its commands: `spin`, `open`, `close`.
  public static func perform(_ name: String, control: String) -> Action {
    Action(GivenCommand.perform(name, control: control))
  }

  /// Starts a program by its name and arguments, without a shell, and does not wait for it.
  public static func run(_ program: [String]) -> Action { Action(GivenCommand.run(program)) }

  /// Plays a sound file and does not wait for its end.
  public static func play(_ file: String) -> Action { Action(GivenCommand.play(file: file)) }

  /// Reports an event named `name`, without fields.
  public static func emit(_ name: String) -> Action { Action(GivenCommand.emit(name, [])) }

  /// Puts the panel to sleep, or wakes it where `blank` is false.
  public static func blank(_ blank: Bool) -> Action { Action(GivenCommand.blank(blank)) }
}

extension Action: CustomStringConvertible {
  /// As a kiosk file names it: `open menu`.
  public var description: String {
    ([command.kind.name] + command.arguments.compactMap(\.words)).joined(separator: " ")
  }
}

extension CommandArgument<TextTemplate, Action.Argument> {
  /// The words that tell a command from others of its kind; nil for none.
  fileprivate var words: String? {
    switch self {
    case .setting(let target, _): "\(target)"
    case .page(let page): page.literal ?? "to a page"
    case .control(let id): id
    case .controlOrAll(let id): id ?? CommandKind.everything
    case .event(let name, _): name.literal ?? "an event"
    case .flag, .number: nil
    case .word(let word): word
    case .program(let words): words.first?.literal ?? "a program"
    case .sound(let file, _): file.literal ?? "a sound"
    case .key(let key): key.rawValue
    }
  }
}

extension Reference: CustomStringConvertible {
  /// The name as an expression writes it.
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
