// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskProtocol
import LinuxIO
import JSONRPC

/// A command of the kiosk language. Without --json, prints nothing on success.
protocol CommandOrder: ParsableCommand {
  var kiosk: KioskOptions { get }
  var command: Command { get }
}

extension CommandOrder {
  func run() throws {
    let connection = try kiosk.connect()
    let answer = try connection.perform(command)
    if kiosk.json { StandardOutput.write(json: answer) }
  }
}

/// Another request. Without --json, prints nothing on success.
protocol RequestCommand: ParsableCommand {
  associatedtype Request: MethodRequest
  var kiosk: KioskOptions { get }
  var request: Request { get }
}

extension RequestCommand {
  func run() throws { try kiosk.call(request) }
}

extension CommandConfiguration {
  fileprivate init(_ kind: String, discussion: String) {
    self.init(
      commandName: kind, abstract: CommandKind.known(kind).imperative, discussion: discussion)
  }
}

extension CommandKind {
  fileprivate static func known(_ name: String) -> CommandKind {
    guard let kind = named(name) else { preconditionFailure("no command \(name)") }
    return kind
  }
}

struct Go: ParsableCommand {
  static let configuration = CommandConfiguration(
    "go",
    discussion: """
      A sleeping panel shows the page after it wakes.

      Examples:
        roundel go dinner
        roundel go dinner --wake
        roundel go back
      """)
  @Argument(
    help: "The page's name; back is the previous page, home the first one.",
    completion: .destinations) var page: String
  @Flag(help: "Wake the panel if it sleeps.") var wake = false
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    let json = try connection.perform(.go(page: page), waking: wake)
    if kiosk.json { StandardOutput.write(json: json) }
    guard CommandAnswer(json).isUnseen else { return }
    StandardError.write(
      "roundel: the panel sleeps, and shows \(page) after it wakes; wake it with roundel wake or --wake\n"
    )
  }
}

struct Show: CommandOrder {
  static let configuration = CommandConfiguration(
    "show",
    discussion: """
      While another page or a message is open, the page waits its turn. \
      roundel go back closes it.

      Example:
        roundel show help
      """)
  @Argument(help: "The page's name.") var page: String
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .show(page: page) }
}

struct Notify: CommandOrder {
  static let configuration = CommandConfiguration(
    "notify",
    discussion: """
      While another message or a page is open, the message waits its turn. An alarm comes before \
      other messages, and wakes the panel.

      Examples:
        roundel notify "Tea is ready." --seconds 20
        roundel notify "The door is open." --title Workshop --level alarm
      """)
  @Argument(help: "The text.") var text: String
  @Option(help: "The title.") var title = ""
  @Option(
    help: "info, or alarm, which comes before other messages and wakes the panel.",
    completion: .list(Message.Level.allCases.map(\.rawValue)),
    transform: { word in
      guard let level = Message.Level(rawValue: word) else {
        throw ValidationError("\(word.quoted) is not a level (expected info or alarm).")
      }
      return level
    })
  var level = Message.Level.info
  @Option(help: "The seconds until it closes; 0 stays until a user closes it.") var seconds = 0.0
  @OptionGroup var kiosk: KioskOptions
  var command: Command {
    .notify(Message(text, title: title, level: level, seconds: seconds))
  }
}

struct Spin: CommandOrder {
  static let configuration = CommandConfiguration(
    "spin",
    discussion: """
      Example:
        roundel spin reels && roundel wait "!reels.spinning"
      """)
  @Argument(help: "The slot machine's id.", completion: .controls(knowing: "spin"))
  var control: String
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .perform("spin", control: control) }
}

struct Open: CommandOrder {
  static let configuration = CommandConfiguration(
    "open",
    discussion: """
      Example:
        roundel open drinks && roundel tap drinks/tea
      """)
  @Argument(help: "The menu's id.", completion: .controls(knowing: "open"))
  var control: String
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .perform("open", control: control) }
}

struct Close: CommandOrder {
  static let configuration = CommandConfiguration(
    "close",
    discussion: """
      Example:
        roundel close drinks
      """)
  @Argument(help: "The menu's id.", completion: .controls(knowing: "close"))
  var control: String
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .perform("close", control: control) }
}

struct Reset: CommandOrder {
  static let configuration = CommandConfiguration(
    "reset",
    discussion: """
      Without a control, resets everything for the next user: controls, non-persistent \
      values, the language, and the page.

      Examples:
        roundel reset
        roundel reset minutes
      """)
  @Argument(help: "The control's id (default: everything).", completion: .controls)
  var control: String?
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .reset(control) }
}

struct Emit: CommandOrder {
  static let configuration = CommandConfiguration(
    "emit",
    discussion: """
      Subscribers receive {"event":"emit","name":NAME,"FIELD":VALUE}. A value is a number if it \
      is a JSON number, a flag if it is true or false, and otherwise text.

      Examples:
        roundel emit refilled
        roundel emit sold dish=soup price=4.5
      """)
  @Argument(help: "The event's name.") var name: String
  @Argument(help: "FIELD=VALUE.") var fields: [KioskProtocol.EventField] = []
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .emit(name, fields.map { Field($0.name, $0.value) }) }
}

struct Shake: CommandOrder {
  static let configuration = CommandConfiguration(
    "shake",
    discussion: """
      Example:
        roundel shake
      """)
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .shake }
}

struct SendKeys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Press keys, as on a keyboard at the panel.",
    discussion: """
      The first key only shows the focus. An encoder sends left or right for each detent, and \
      enter when it is pressed.

      Example:
        roundel key right enter right right back
        roundel key F1 4 7 1 1 Return
        roundel key enter --hold 2
      """)
  @Argument(
    help:
      "One or more of \(Keystroke.allCases.map(\.rawValue).joined(separator: ", ")), or xkb names of keys.",
    completion: .list(Keystroke.allCases.map(\.rawValue)),
    transform: { word in
      guard let key = KeyPress(named: word) else {
        let near = KeyPress.allNames.nearest(to: word).map { "; did you mean \($0)?" } ?? ""
        throw ValidationError(
          "\(word.quoted) is not a key (expected \(KeyPress.expected))\(near)")
      }
      return key
    })
  var keys: [KeyPress]
  @Option(help: "Seconds that each key is held. The default is a tap.") var hold: Seconds?
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    func send(_ key: KeyPress, _ phase: KeyPress.Phase) throws {
      let answer = try connection.perform(.key(key, phase))
      if kiosk.json { StandardOutput.write(json: answer) }
    }
    for key in keys {
      guard let hold else {
        try send(key, .tap)
        continue
      }
      // If this program is killed, the kiosk cancels the press.
      try send(key, .down)
      MonotonicClock.sleep(until: MonotonicClock.now + hold.value)
      try send(key, .up)
    }
  }
}

struct Scan: CommandOrder {
  static let configuration = CommandConfiguration(
    "scan",
    discussion: """
      Example:
        roundel scan 4006381333931
      """)
  @Argument(help: "The line that a scanner would type.") var text: String
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .scan(text) }
}

struct Blank: CommandOrder {
  static let configuration = CommandConfiguration(
    "blank",
    discussion: """
      The touch that wakes the panel has no other effect.

      Example:
        roundel blank --host lobby
      """)
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .blank(true) }
}

struct Wake: CommandOrder {
  static let configuration = CommandConfiguration(
    "wake",
    discussion: """
      Example:
        roundel wake
      """)
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .blank(false) }
}

/// The older name of `wake`.
struct Unblank: CommandOrder {
  static let configuration = CommandConfiguration(
    commandName: "unblank",
    abstract: "Wake the panel, like wake.", shouldDisplay: false)
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .blank(false) }
}

struct Rotate: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Rotate the picture on the panel, and the touches with it.",
    discussion: """
      Lasts until the kiosk restarts, or the rotation in its file changes.

      Example:
        roundel rotate 90
      """)
  @Argument(help: "The clockwise rotation, in degrees.") var degrees: Rotation
  @OptionGroup var kiosk: KioskOptions
  var request: RotateRequest { RotateRequest { $0.degrees = degrees } }
}

struct Reload: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Reload the kiosk's file.",
    discussion: """
      If the file has errors, the running kiosk stays.

      Example:
        roundel reload
      """)
  @OptionGroup var kiosk: KioskOptions
  var request: ReloadRequest { ReloadRequest() }
}

struct Restart: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart",
    abstract: "Return the kiosk to its state after the start.",
    discussion: """
      Selections and set values are lost. The logic program continues.

      Examples:
        roundel restart
        roundel restart --seed 7
      """)
  @Option(help: "The random seed (default: the seed of the start).") var seed: UInt32?
  @OptionGroup var kiosk: KioskOptions
  var request: RestartRequest { RestartRequest { $0.seed = seed.map { Double($0) } } }
}

struct Stop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop the running kiosk.",
    discussion: """
      Waits until it has exited. If a unit restarts it, use systemctl stop.

      Example:
        roundel stop
      """)
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    let (_, json) = try connection.ask(StopRequest())
    // The end of the kiosk closes the connection.
    do throws(ClientError) {
      try connection.client.listen(timeout: 10)
    } catch {
      throw connection.error(error)
    }
    if kiosk.json { StandardOutput.write(json: json) }
  }
}
