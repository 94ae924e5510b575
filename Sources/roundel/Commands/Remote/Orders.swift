// SPDX-License-Identifier: MIT

import ArgumentParser
import Geometry
import JSON
import Kiosk
import LinuxIO
import Remote

/// A command that asks for something to be done, and prints nothing for people once it is.
protocol Order: ParsableCommand {
  var kiosk: KioskOptions { get }
  var method: String { get }
  var parameters: [JSONValue.Member] { get }
}

extension Order {
  var parameters: [JSONValue.Member] { [] }

  func run() throws {
    let result = try kiosk.connect().call(method, parameters)
    if kiosk.json { StandardOutput.write(json: result) }
  }
}

extension CommandConfiguration {
  /// That of a command of this kind.
  fileprivate init(_ kind: String, discussion: String) {
    guard let kind = CommandKind.named(kind) else { preconditionFailure("no command \(kind)") }
    self.init(abstract: kind.imperative, discussion: discussion)
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
      """)
  @Argument(help: "The page's name.") var page: String
  @Flag(help: "Wake the panel, if it sleeps.") var wake = false
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let result = try kiosk.connect().call(
      "go", [.init("page", .string(page)), .init("wake", .bool(wake))])
    if kiosk.json { StandardOutput.write(json: result) }
    if result["blank"]?.bool == true {
      StandardError.write(
        "roundel: the panel sleeps and shows \(page) once it wakes; wake it by roundel wake, "
          + "or by --wake here\n")
    }
  }
}

/// A command that a control does.
protocol ControlOrder: Order {
  var control: String { get }
}

extension ControlOrder {
  var parameters: [JSONValue.Member] { [.init("control", .string(control))] }
}

struct Spin: ControlOrder {
  static let configuration = CommandConfiguration(
    "spin",
    discussion: """
      Example:
        roundel spin reels && roundel wait "!reels.spinning"
      """)
  @Argument(help: "The slot machine's id.") var control: String
  @OptionGroup var kiosk: KioskOptions
  var method: String { "spin" }
}

struct Open: ControlOrder {
  static let configuration = CommandConfiguration(
    "open",
    discussion: """
      Example:
        roundel open drinks && roundel tap drinks/tea
      """)
  @Argument(help: "The menu's id.") var control: String
  @OptionGroup var kiosk: KioskOptions
  var method: String { "open" }
}

struct Close: ControlOrder {
  static let configuration = CommandConfiguration(
    "close",
    discussion: """
      Example:
        roundel close drinks
      """)
  @Argument(help: "The menu's id.") var control: String
  @OptionGroup var kiosk: KioskOptions
  var method: String { "close" }
}

struct Reset: Order {
  static let configuration = CommandConfiguration(
    "reset",
    discussion: """
      Without a control it makes the kiosk ready for the next guest: controls, values
      that are not kept, the language, and the first page.

      Examples:
        roundel reset
        roundel reset minutes
      """)
  @Argument(help: "The control's id; else everything.") var control: String?
  @OptionGroup var kiosk: KioskOptions
  var method: String { "reset" }
  var parameters: [JSONValue.Member] { control.map { [.init("control", .string($0))] } ?? [] }
}

struct Emit: Order {
  static let configuration = CommandConfiguration(
    "emit",
    discussion: """
      Its subscribers get {"event":"emit","name":NAME,"FIELD":VALUE}. A value that is a
      JSON number, true or false is that; all else is a text.

      Examples:
        roundel emit refilled
        roundel emit sold dish=soup price=4.5
      """)
  @Argument(help: "The event's name.") var name: String
  @Argument(help: "FIELD=VALUE.") var fields: [EventField] = []
  @OptionGroup var kiosk: KioskOptions
  var method: String { "emit" }
  var parameters: [JSONValue.Member] {
    [
      .init("name", .string(name)),
      .init("fields", .object(fields.map { .init($0.name, $0.value) })),
    ]
  }
}

struct Shake: Order {
  static let configuration = CommandConfiguration(
    "shake",
    discussion: """
      Example:
        roundel shake
      """)
  @OptionGroup var kiosk: KioskOptions
  var method: String { "shake" }
}

struct Blank: Order {
  static let configuration = CommandConfiguration(
    "blank",
    discussion: """
      The touch that wakes it does nothing else.

      Example:
        roundel blank --host lobby
      """)
  @OptionGroup var kiosk: KioskOptions
  var method: String { "blank" }
}

struct Wake: Order {
  static let configuration = CommandConfiguration(
    "wake",
    discussion: """
      Example:
        roundel wake
      """)
  @OptionGroup var kiosk: KioskOptions
  var method: String { "wake" }
}

/// The older name of `wake`.
struct Unblank: Order {
  static let configuration = CommandConfiguration(
    abstract: "Wake the panel, as wake does.", shouldDisplay: false)
  @OptionGroup var kiosk: KioskOptions
  var method: String { "wake" }
}

struct Rotate: Order {
  static let configuration = CommandConfiguration(
    abstract: "Turn the picture on the panel, and the touches with it.",
    discussion: """
      Until the kiosk is started anew, or its file says another rotation.

      Example:
        roundel rotate 90
      """)
  @Argument(help: "Degrees clockwise.") var degrees: Rotation
  @OptionGroup var kiosk: KioskOptions
  var method: String { "rotate" }
  var parameters: [JSONValue.Member] {
    [.init("degrees", .number(Double(degrees.rawValue)))]
  }
}

struct Reload: Order {
  static let configuration = CommandConfiguration(
    abstract: "Read the kiosk's file anew.",
    discussion: """
      One with mistakes changes nothing.

      Example:
        roundel reload
      """)
  @OptionGroup var kiosk: KioskOptions
  var method: String { "reload" }
}

struct Restart: Order {
  static let configuration = CommandConfiguration(
    abstract: "Make the kiosk as it is after its start.",
    discussion: """
      What was chosen and set is forgotten. Its program goes on.

      Examples:
        roundel restart
        roundel restart --seed 7
      """)
  @Option(help: "What chance begins with (default: what it began with).") var seed: UInt32?
  @OptionGroup var kiosk: KioskOptions
  var method: String { "restart" }
  var parameters: [JSONValue.Member] {
    seed.map { [.init("seed", .number(Double($0)))] } ?? []
  }
}

struct Stop: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End the running kiosk.",
    discussion: """
      Waits until it has gone. Where a unit restarts it, use systemctl stop.

      Example:
        roundel stop
      """)
  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    let result = try connection.call("stop")
    // Its end ends the connection.
    do throws(ClientError) {
      try connection.client.listen(patience: 10)
    } catch {
      throw connection.failure(error)
    }
    if kiosk.json { StandardOutput.write(json: result) }
  }
}
