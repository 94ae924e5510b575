// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions

/// A row of the command table. Actions, recordings, suites, socket requests and their reference derive from it.
package struct CommandKind: Sendable {
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Allows the command as an action in kiosk files.
    package static let action = Traits(rawValue: 1)
    /// Allows the command in requests, recordings and suites.
    package static let remote = Traits(rawValue: 2)
    /// The command represents user input at the panel.
    static let isUserInput = Traits(rawValue: 4)
    /// The command changes the page or starts a motion. If its parameter also accepts `all`, only `all` does.
    static let startsTransition = Traits(rawValue: 8)
    /// The command may affect all controls of a page.
    static let isLarge = Traits(rawValue: 16)
    package static let mayWake = Traits(rawValue: 32)
  }

  package enum Notation: Sendable {
    /// `true` without arguments, a single argument itself, otherwise a map by parameter names.
    case plain
    /// A map from the first argument to the second, with one command per key.
    case pairs
    /// The first argument alone, or a map with it under its parameter's name and the members of the second.
    case fields
  }

  package let name: String
  package let traits: Traits
  package let parameters: [CommandParameter]
  package let notation: Notation
  /// The command that replaces this one if its flag is false.
  let opposite: String?
  /// The control command, or nil for a command of the kiosk itself.
  package let controlCommand: String?
  private let verb: String
  private let rest: String
  private let performance:
    @Sendable (inout Engine, inout Turn, [Value]) throws(CommandError) -> Void

  /// `perform` changes the engine within a turn. The pages and controls in its arguments exist.
  private init<each T: Sendable>(
    _ name: String, _ verb: String, _ rest: String, traits: Traits = [.action, .remote],
    notation: Notation = .plain, opposite: String? = nil, controlCommand: String? = nil,
    _ parameters: repeat Parameter<each T>,
    perform:
      @escaping @Sendable (inout Engine, inout Turn, repeat each T) throws(CommandError) -> Void
  ) {
    var all: [CommandParameter] = []
    for parameter in repeat each parameters { all.append(parameter.plain) }
    self.parameters = all
    self.name = name
    self.traits = traits
    self.notation = notation
    self.opposite = opposite
    self.controlCommand = controlCommand
    self.verb = verb
    self.rest = rest
    let typed = (repeat each parameters)
    performance = { (engine, turn, arguments) throws(CommandError) in
      var rest = arguments[...]
      func next<Argument>(_ parameter: Parameter<Argument>) throws(CommandError) -> Argument {
        guard let value = rest.popFirst(), let argument = parameter.decode(value) else {
          throw CommandError(
            description: "\(name): \"\(parameter.plain.name)\" takes \(parameter.plain.expected)")
        }
        return argument
      }
      try perform(&engine, &turn, repeat try next(each typed))
    }
  }

  private init(ofControls name: String, _ verb: String, _ rest: String, traits: Traits) {
    self.init(
      name, verb, rest, traits: traits, controlCommand: name,
      .control("control", "The control's id.")
    ) { (engine: inout Engine, turn: inout Turn, control) in engine.change(control, by: name, &turn)
    }
  }

  func perform(
    _ arguments: [Value], _ engine: inout Engine, _ turn: inout Turn
  ) throws(CommandError) {
    try performance(&engine, &turn, arguments)
  }

  /// The effect: `Shows a page.`
  package var summary: String { "\(verb)s \(rest)." }

  /// The effect as an imperative: `Show a page.`
  package var imperative: String { "\(verb) \(rest)." }

  package static let everything = "all"

  /// The members of every event, which fields cannot have as names.
  package static let reservedFields = ["t", "event", "control", "item", "by", "name"]
}

// MARK: The table

extension CommandKind {
  static let go = CommandKind(
    "go", "Show", "a page", traits: [.action, .remote, .startsTransition, .isLarge, .mayWake],
    .page("page", "The page's name, `back` for the previous page, or `home` for the first.")
  ) { (engine: inout Engine, turn: inout Turn, page) in engine.change(toPage: page, &turn) }

  static let show = CommandKind(
    "show", "Show", "a page with `over` over the current page, or later if one is open",
    traits: [.action, .remote, .startsTransition, .isLarge],
    .overPage("page", "The page's name.")
  ) { (engine: inout Engine, turn: inout Turn, page) in engine.show(over: page, &turn) }

  static let notify = CommandKind(
    "notify", "Show", "a message over any page, or later if one is open",
    traits: [.action, .remote, .isLarge],
    .message("text", "The text."),
    .message("title", default: "", "The title. The default is none."),
    .level(
      "level", default: .info,
      "info, or alarm, which comes before other messages and wakes the panel. The default is info."),
    .number(
      "seconds", 0...Message.maximumSeconds, "seconds", default: 0,
      "The seconds until it closes. The default is 0: it stays until a user closes it.")
  ) { (engine: inout Engine, turn: inout Turn, text, title, level, seconds) in
    engine.notify(Message(text, title: title, level: level, seconds: seconds), &turn)
  }

  package static let set = CommandKind(
    "set", "Set", "values, properties or the language", notation: .pairs,
    .property(
      "property", "The name of the property or value, such as minutes.value, cups or language."),
    .value("value", "The new value.")
  ) { (engine: inout Engine, turn: inout Turn, target, value) throws(CommandError) in
    try engine.write(value, toNamed: target, &turn)
  }

  private static let spin = CommandKind(
    ofControls: "spin", "Spin", "a slot machine", traits: [.action, .remote, .startsTransition])
  private static let open = CommandKind(
    ofControls: "open", "Open", "a menu", traits: [.action, .remote, .startsTransition])
  private static let close = CommandKind(
    ofControls: "close", "Close", "a menu", traits: [.action, .remote])

  static let run = CommandKind(
    "run", "Start", "a program: its name and its arguments", traits: .action,
    .program("program", "The program's name and arguments.")
  ) { (engine: inout Engine, turn: inout Turn, program) in engine.outbox.add(program: program) }

  static let play = CommandKind(
    "play", "Play", "a sound from a WAV file, relative to the kiosk's file", traits: .action,
    .sound("file", "The file's name.")
  ) { (engine: inout Engine, turn: inout Turn, file) in engine.outbox.add(sound: file) }

  static let emit = CommandKind(
    "emit", "Report", "an event of this name, with fields", notation: .fields,
    .event("name", "The event's name."), .fields("fields", "{FIELD: value}.")
  ) { (engine: inout Engine, turn: inout Turn, name, fields) throws(CommandError) in
    try engine.emit(name, fields, &turn)
  }

  static let publish = CommandKind(
    "publish", "Send", "a message to a topic, at once and by `roundel mqtt`",
    .topic("mqtt", "The topic."),
    .text("payload", default: "", "The message, which is empty by default."),
    .flag("retain", default: false, "Whether the broker retains the message."),
    .qos("qos", default: 0, "The quality of service: 0, 1 or 2.")
  ) { (engine: inout Engine, turn: inout Turn, topic, payload, isRetained, quality) in
    engine.report(
      "publish",
      [
        Field("mqtt", .text(topic)), Field("payload", .text(payload)),
        Field("retain", .flag(isRetained)), Field("qos", .number(quality)),
      ], &turn)
  }

  package static let call = CommandKind(
    "call", "Call", "a service of Home Assistant, at once and by `roundel home`",
    .homeService("home", "The service."),
    .homeEntity("entity", "The entity. By default, the service has none."),
    .data("data", "The service's fields, {FIELD: value}.")
  ) { (engine: inout Engine, turn: inout Turn, service, entity, data) in
    engine.report(
      "call",
      [
        Field("home", .text(service)), Field("entity", .text(entity)),
        Field("data", .record(data)),
      ], &turn)
  }

  static let blank = CommandKind(
    "blank", "Put", "the panel to sleep", traits: [.action, .remote, .isLarge], opposite: "wake",
    .flag(
      "on", default: true, or: "view",
      "False wakes the panel. view only darkens it, while touches and speech continue.")
  ) { (engine: inout Engine, turn: inout Turn, isBlank) in
    if let isBlank {
      engine.change(toBlank: isBlank, &turn)
    } else {
      engine.darken()
    }
  }

  private static let wake = CommandKind(
    "wake", "Wake", "the panel if it sleeps", traits: [.action, .remote, .isLarge]
  ) { (engine: inout Engine, turn: inout Turn) in engine.change(toBlank: false, &turn) }

  static let reset = CommandKind(
    "reset", "Reset", "a control to its initial state, or everything except persistent values",
    traits: [.action, .remote, .startsTransition, .isLarge],
    .controls("control", "The control's id. The default is all controls.")
  ) { (engine: inout Engine, turn: inout Turn, control) in engine.reset(control, &turn) }

  static let shake = CommandKind(
    "shake", "Shake", "the panel", traits: [.remote, .isUserInput]
  ) { (engine: inout Engine, turn: inout Turn) in engine.shakeControls(&turn) }

  package static let key = CommandKind(
    "key", "Send", "a key, like a key press at the panel", traits: [.remote, .isUserInput],
    .key("key", member: "name", "The key."),
    .phase(
      "down",
      "true presses the key, and false releases it. `cancel` ends the press without choosing. The default is `tap`: both at once."
    )
  ) { (engine: inout Engine, turn: inout Turn, key, phase) in engine.handle(key, phase, &turn) }

  static let scan = CommandKind(
    "scan", "Send", "a line, like a scanner at the panel", traits: [.remote, .isUserInput],
    .line("text", "The line, without the prefix and the end that the scanner types."),
    .flag("private", default: false, "Whether only actions and `logic` get the line.")
  ) { (engine: inout Engine, turn: inout Turn, text, isPrivate) in
    engine.scan(text, isPrivate: isPrivate, &turn)
  }

  static let jack = CommandKind(
    "jack", "Report", "that a headset is plugged in", traits: [.remote, .isUserInput],
    .flag("in", default: true, "False if the headset is unplugged.")
  ) { (engine: inout Engine, turn: inout Turn, isIn) in engine.notice(.jack(isIn)) }

  package static let all = [
    go, show, notify, set, spin, open, close, run, play, emit, publish, call, blank, wake, reset,
    shake, key, scan, jack,
  ]

  package static let remote = all.filter { $0.traits.contains(.remote) }

  package static let actions = all.filter { $0.traits.contains(.action) }

  package static func named(_ name: String) -> CommandKind? { all.first { $0.name == name } }

  /// Returns a control command, even if no control accepts it.
  static func ofControls(_ name: String) -> CommandKind {
    all.first { $0.controlCommand == name }
      ?? CommandKind(ofControls: name, name, "a control", traits: [])
  }
}

extension CommandKind: CustomStringConvertible {
  package var description: String { name }
}

extension CommandKind: Hashable {
  package static func == (a: CommandKind, b: CommandKind) -> Bool {
    a.name == b.name && a.controlCommand == b.controlCommand
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
