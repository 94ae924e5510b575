// SPDX-License-Identifier: MIT

/// The name, summary and argument of a command. Recordings, suites, the socket and the command line all
/// use this table.
package struct CommandKind: Hashable, Sendable {
  package let name: String
  package let argument: Argument
  /// Whether clients, recordings and suites may give it; otherwise only the kiosk's own file.
  package let isRemote: Bool
  private let verb: String
  private let rest: String

  package enum Argument: Hashable, Sendable {
    /// `{name: value}`: a value, a control's property, or the language.
    case setting
    /// The name of a page.
    case page
    /// The id of a control that knows the command.
    case control
    /// The id of a control, or `all`.
    case controlOrAll
    /// The name of an event, or `{name: NAME, FIELD: value}`.
    case event
    /// True or false.
    case flag
    /// None, written as `true`: always the same command.
    case constant(Command)
    /// A list of texts.
    case program
    /// The name of a sound file.
    case sound
    /// The name of a `Keystroke`.
    case key
  }

  private init(
    _ name: String, _ argument: Argument, _ verb: String, _ rest: String, isRemote: Bool = true
  ) {
    self.name = name
    self.argument = argument
    self.verb = verb
    self.rest = rest
    self.isRemote = isRemote
  }

  /// What it does, in a sentence: `Shows a page.`
  package var summary: String { "\(verb)s \(rest)." }

  /// The summary as an imperative: `Show a page.`
  package var imperative: String { "\(verb) \(rest)." }

  package static let all = [
    CommandKind("set", .setting, "Set", "values, properties or the language"),
    CommandKind("go", .page, "Show", "a page"),
    CommandKind("spin", .control, "Spin", "a slot machine"),
    CommandKind("open", .control, "Open", "a menu"),
    CommandKind("close", .control, "Close", "a menu"),
    CommandKind("emit", .event, "Report", "an event of this name, with fields"),
    CommandKind("blank", .flag, "Put", "the panel to sleep"),
    CommandKind("wake", .constant(.blank(false)), "Wake", "the panel"),
    CommandKind(
      "reset", .controlOrAll, "Reset",
      "a control to how it is after the start, or all but kept values"),
    CommandKind("shake", .constant(.shake), "Shake", "the panel"),
    CommandKind("run", .program, "Start", "a program: its name and its arguments", isRemote: false),
    CommandKind("play", .sound, "Play", "a sound, a WAV file beside the kiosk's", isRemote: false),
    CommandKind("key", .key, "Send", "a key, as one that is pressed at the panel"),
  ]

  /// The commands that clients, recordings and suites may give.
  package static let remote = all.filter(\.isRemote)

  /// The command of a name; nil if unknown.
  package static func named(_ name: String) -> CommandKind? { all.first { $0.name == name } }

  /// The argument of `controlOrAll` for everything.
  package static let everything = "all"

  /// Members of every event, whose names fields cannot have.
  package static let reservedFields = ["t", "event", "control", "item", "by", "name"]
}

extension Command {
  /// The name of its kind.
  package var name: String {
    switch self {
    case .set: "set"
    case .go: "go"
    case .perform(let name, _): name
    case .emit: "emit"
    case .blank(let blank): blank ? "blank" : "wake"
    case .reset: "reset"
    case .run: "run"
    case .play: "play"
    case .shake: "shake"
    case .key: "key"
    }
  }
}
