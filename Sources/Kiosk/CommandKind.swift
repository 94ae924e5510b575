// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// A row of the table of commands: its name, its parameters, what it does. Actions, recordings, suites,
/// requests of the socket and their reference are made from it.
package struct CommandKind: Sendable {
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The kiosk's file may give it, as an action.
    package static let action = Traits(rawValue: 1)
    /// Clients, recordings and suites may give it.
    package static let remote = Traits(rawValue: 2)
    /// It stands for what a person does at the panel.
    static let ofPerson = Traits(rawValue: 4)
    /// It changes the page or starts a motion, unless it concerns one control of all.
    static let leadsOn = Traits(rawValue: 8)
    /// It may concern all controls of a page.
    static let isLarge = Traits(rawValue: 16)
    /// A request for it may wake the panel before.
    package static let mayWake = Traits(rawValue: 32)
  }

  package let name: String
  package let traits: Traits
  package let parameters: [CommandParameter]
  /// The command that stands for this one with a false flag.
  let opposite: String?
  /// The command of a control that it gives; nil where it is the kiosk's own.
  package let controlCommand: String?
  let perform: Performance
  private let verb: String
  private let rest: String

  /// Changes the engine, within a turn. The pages and controls that the arguments name exist.
  typealias Performance =
    @Sendable (inout Engine, inout Turn, GivenArguments) throws(CommandError) -> Void

  private init(
    _ name: String, _ verb: String, _ rest: String, _ traits: Traits = [.action, .remote],
    opposite: String? = nil, controlCommand: String? = nil,
    _ declare: (inout CommandParameters) -> Performance
  ) {
    var parameters = CommandParameters()
    perform = declare(&parameters)
    self.parameters = parameters.all
    self.name = name
    self.traits = traits
    self.opposite = opposite
    self.controlCommand = controlCommand
    self.verb = verb
    self.rest = rest
  }

  /// A command that some controls know.
  private init(
    ofControls name: String, _ verb: String, _ rest: String, _ traits: Traits
  ) {
    self.init(name, verb, rest, traits, controlCommand: name) { parameters in
      let control = parameters.control("control", "Its id.")
      return { engine, turn, given in engine.change(given[control], by: name, &turn) }
    }
  }

  /// Its effect, in a sentence: `Shows a page.`
  package var summary: String { "\(verb)s \(rest)." }

  /// The summary as an imperative: `Show a page.`
  package var imperative: String { "\(verb) \(rest)." }

  /// The argument of `controlOrAll` for everything.
  package static let everything = "all"

  /// Members of every event, whose names fields cannot have.
  package static let reservedFields = ["t", "event", "control", "item", "by", "name"]
}

// MARK: The table

extension CommandKind {
  static let go = CommandKind(
    "go", "Show", "a page", [.action, .remote, .leadsOn, .isLarge, .mayWake]
  ) { parameters in
    let page = parameters.page(
      "page", "Its name; `back` for the page before, `home` for the first one.")
    return { engine, turn, given in engine.change(toPage: given[page], &turn) }
  }

  package static let set = CommandKind("set", "Set", "values, properties or the language") {
    parameters in
    let setting = parameters.setting(
      "property", "Which one, such as minutes.value, cups or language.")
    return { (engine, turn, given) throws(CommandError) in
      let (target, value) = given[setting]
      try engine.write(value, toNamed: target, &turn)
    }
  }

  private static let spin = CommandKind(
    ofControls: "spin", "Spin", "a slot machine", [.action, .remote, .leadsOn])
  private static let open = CommandKind(
    ofControls: "open", "Open", "a menu", [.action, .remote, .leadsOn])
  private static let close = CommandKind(
    ofControls: "close", "Close", "a menu", [.action, .remote])

  static let run = CommandKind(
    "run", "Start", "a program: its name and its arguments", .action
  ) { parameters in
    let program = parameters.program("program", "Its name and its arguments.")
    return { engine, turn, given in engine.outbox.add(program: given[program]) }
  }

  static let play = CommandKind(
    "play", "Play", "a sound, a WAV file beside the kiosk's", .action
  ) { parameters in
    let sound = parameters.sound("file", "Its name.")
    return { engine, turn, given in engine.outbox.add(sound: given[sound]) }
  }

  static let emit = CommandKind("emit", "Report", "an event of this name, with fields") {
    parameters in
    let event = parameters.event("name", "The event's name.")
    return { (engine, turn, given) throws(CommandError) in
      let (name, fields) = given[event]
      try engine.emit(name, fields, &turn)
    }
  }

  static let blank = CommandKind(
    "blank", "Put", "the panel to sleep", [.action, .remote, .isLarge], opposite: "wake"
  ) { parameters in
    let isBlank = parameters.flag(
      "on", default: true, orWord: "view",
      "False wakes it; view only darkens it, and touches and speech go on.")
    return { engine, turn, given in
      if let isBlank = given[isBlank] {
        engine.change(toBlank: isBlank, &turn)
      } else {
        engine.change(toDarkView: true, &turn)
      }
    }
  }

  private static let wake = CommandKind(
    "wake", "Wake", "the panel if it sleeps", [.action, .remote, .isLarge]
  ) { _ in
    { engine, turn, _ in engine.change(toBlank: false, &turn) }
  }

  static let reset = CommandKind(
    "reset", "Reset", "a control to how it is after the start, or all but kept values",
    [.action, .remote, .leadsOn, .isLarge]
  ) { parameters in
    let control = parameters.controlOrAll("control", "Its id; all controls.")
    return { engine, turn, given in engine.reset(given[control], &turn) }
  }

  static let shake = CommandKind("shake", "Shake", "the panel", [.remote, .ofPerson]) { _ in
    { engine, turn, _ in engine.shakeControls(&turn) }
  }

  package static let key = CommandKind(
    "key", "Send", "a key, as one that is pressed at the panel", [.remote, .ofPerson]
  ) { parameters in
    let key = parameters.key("key", "Which one.")
    return { engine, turn, given in engine.press(given[key], &turn) }
  }

  static let jack = CommandKind(
    "jack", "Tell", "of a headset that is plugged in", [.remote, .ofPerson]
  ) { parameters in
    let isIn = parameters.flag("in", default: true, "False where it is pulled out.")
    return { engine, turn, given in engine.forEachFeature { _ = $0.notice(.jack(given[isIn]), &$1) }
    }
  }

  package static let all = [
    go, set, spin, open, close, run, play, emit, blank, wake, reset, shake, key, jack,
  ]

  /// The commands that clients, recordings and suites may give.
  package static let remote = all.filter { $0.traits.contains(.remote) }

  /// The commands that a kiosk file may give.
  package static let actions = all.filter { $0.traits.contains(.action) }

  /// The command of a name; nil if unknown.
  package static func named(_ name: String) -> CommandKind? { all.first { $0.name == name } }

  /// The command of controls that has a name, whether or not any control knows it.
  static func ofControls(_ name: String) -> CommandKind {
    all.first { $0.controlCommand == name }
      ?? CommandKind(ofControls: name, name, "a control", [])
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
