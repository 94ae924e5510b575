// SPDX-License-Identifier: MIT

import ArgumentParser
import Geometry
import JSON
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

struct Go: Order {
  static let configuration = CommandConfiguration(
    abstract: "Show a page.",
    discussion: """
      Example:
        roundel go dinner
      """)
  @Argument(help: "The page's name.") var page: String
  @OptionGroup var kiosk: KioskOptions
  var method: String { "go" }
  var parameters: [JSONValue.Member] { [.init("page", .string(page))] }
}

struct Spin: Order {
  static let configuration = CommandConfiguration(
    abstract: "Let a slot machine spin.",
    discussion: """
      Example:
        roundel spin reels && roundel wait reels.spinning=false
      """)
  @Argument(help: "The slot machine's id.") var control: String
  @OptionGroup var kiosk: KioskOptions
  var method: String { "spin" }
  var parameters: [JSONValue.Member] { [.init("control", .string(control))] }
}

struct Open: Order {
  static let configuration = CommandConfiguration(
    abstract: "Open a menu.",
    discussion: """
      Example:
        roundel open drinks && roundel tap drinks/tea
      """)
  @Argument(help: "The menu's id.") var control: String
  @OptionGroup var kiosk: KioskOptions
  var method: String { "open" }
  var parameters: [JSONValue.Member] { [.init("control", .string(control))] }
}

struct Close: Order {
  static let configuration = CommandConfiguration(
    abstract: "Close a menu.",
    discussion: """
      Example:
        roundel close drinks
      """)
  @Argument(help: "The menu's id.") var control: String
  @OptionGroup var kiosk: KioskOptions
  var method: String { "close" }
  var parameters: [JSONValue.Member] { [.init("control", .string(control))] }
}

struct Blank: Order {
  static let configuration = CommandConfiguration(
    abstract: "Put the panel to sleep.",
    discussion: """
      The touch that wakes it does nothing else.

      Example:
        roundel blank --host lobby
      """)
  @OptionGroup var kiosk: KioskOptions
  var method: String { "blank" }
}

struct Unblank: Order {
  static let configuration = CommandConfiguration(
    abstract: "Wake the panel.",
    discussion: """
      Example:
        roundel unblank
      """)
  @OptionGroup var kiosk: KioskOptions
  var method: String { "unblank" }
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
