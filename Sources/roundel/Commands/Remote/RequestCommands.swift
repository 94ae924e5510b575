// SPDX-License-Identifier: MIT

import ArgumentParser
import Controls
import Declarations
import Expressions
import Geometry
import JSON
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
      A panel that sleeps shows it once it wakes.

      Examples:
        roundel go dinner
        roundel go dinner --wake
        roundel go back
      """)
  @Argument(
    help: "The page's name; back for the page before, home for the first one.",
    completion: .destinations) var page: String
  @Flag(help: "Wake the panel, if it sleeps.") var wake = false
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    let json = try connection.perform(.go(page: page), waking: wake)
    if kiosk.json { StandardOutput.write(json: json) }
    guard CommandAnswer(json).isUnseen else { return }
    StandardError.write(
      "roundel: the panel sleeps and shows \(page) once it wakes; wake it by roundel wake, "
        + "or by --wake here\n")
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
      Without a control it makes the kiosk ready for the next guest: controls, values \
      that are not kept, the language, and the first page.

      Examples:
        roundel reset
        roundel reset minutes
      """)
  @Argument(help: "The control's id; else everything.", completion: .controls)
  var control: String?
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .reset(control) }
}

struct Emit: CommandOrder {
  static let configuration = CommandConfiguration(
    "emit",
    discussion: """
      Its subscribers get {"event":"emit","name":NAME,"FIELD":VALUE}. A value that is a \
      JSON number, true or false is that; all else is a text.

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
    abstract: "Send keys, as those that are pressed at the panel.",
    discussion: """
      The first key only shows where the focus is. An encoder that is turned sends \
      left and right, one for each detent, and enter when it is pressed.

      Example:
        roundel key right enter right right back
      """)
  @Argument(
    help: "One or more of \(Keystroke.allCases.map(\.rawValue).joined(separator: ", ")).",
    completion: .list(Keystroke.allCases.map(\.rawValue)),
    transform: { word in
      guard let key = Keystroke(rawValue: word) else {
        throw ValidationError(
          "\(word.quoted) is not a key (expected one of "
            + Keystroke.allCases.map(\.rawValue).joined(separator: ", ") + ").")
      }
      return key
    })
  var keys: [Keystroke]
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    for key in keys {
      let answer = try connection.perform(.key(key))
      if kiosk.json { StandardOutput.write(json: answer) }
    }
  }
}

struct Blank: CommandOrder {
  static let configuration = CommandConfiguration(
    "blank",
    discussion: """
      The touch that wakes it does nothing else.

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
    abstract: "Wake the panel, as wake does.", shouldDisplay: false)
  @OptionGroup var kiosk: KioskOptions
  var command: Command { .blank(false) }
}

struct Rotate: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Turn the picture on the panel, and the touches with it.",
    discussion: """
      Until the kiosk is started again, or its file says another rotation.

      Example:
        roundel rotate 90
      """)
  @Argument(help: "Degrees clockwise.") var degrees: Rotation
  @OptionGroup var kiosk: KioskOptions
  var request: RotateRequest { RotateRequest { $0.degrees = degrees } }
}

struct Reload: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Read the kiosk's file again.",
    discussion: """
      One with mistakes changes nothing.

      Example:
        roundel reload
      """)
  @OptionGroup var kiosk: KioskOptions
  var request: ReloadRequest { ReloadRequest() }
}

struct Restart: RequestCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart",
    abstract: "Make the kiosk as it is after its start.",
    discussion: """
      What was chosen and set is forgotten. Its program goes on.

      Examples:
        roundel restart
        roundel restart --seed 7
      """)
  @Option(help: "The random seed (default: the one that it began with).") var seed: UInt32?
  @OptionGroup var kiosk: KioskOptions
  var request: RestartRequest { RestartRequest { $0.seed = seed.map { Double($0) } } }
}

struct Stop: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "End the running kiosk.",
    discussion: """
      Waits until it has gone. Where a unit restarts it, use systemctl stop.

      Example:
        roundel stop
      """)
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    let (_, json) = try connection.ask(StopRequest())
    // The end of the kiosk closes the connection.
    do throws(ClientError) {
      try connection.client.listen(patience: 10)
    } catch {
      throw connection.error(error)
    }
    if kiosk.json { StandardOutput.write(json: json) }
  }
}
