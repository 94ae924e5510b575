// SPDX-License-Identifier: MIT

import ArgumentParser
import KioskClients
import KioskProtocol
import LinuxIO
import JSONRPC
import SystemPackage
import RoundelTerminal

struct View: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Show the running kiosk in this terminal, and operate it with the mouse.",
    discussion: """
      Works in any terminal, also over SSH and inside tmux. Draws half blocks, or pixels if the \
      terminal supports kitty graphics or sixels. The mouse acts like a finger. q, Esc and \
      Ctrl+C leave.

      Examples:
        roundel view
        roundel view --host lobby --fps 10
      """)

  @Option(help: "The maximum number of frames per second.")
  var fps = 30.0

  @OptionGroup var terminal: TerminalOptions

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard (0.1...120).contains(fps) else {
      throw ValidationError("--fps must be between 0.1 and 120.")
    }
  }

  func run() throws {
    // ssh may print messages, but its prompts use the terminal directly.
    let messages = HeldMessages()
    defer { messages?.release() }
    let connection = try kiosk.connect()
    try connection.call(VersionRequest())
    let loop: EventLoop
    do throws(Errno) {
      loop = try EventLoop()
    } catch {
      throw Failure(.unavailable, "cannot wait for frames: \(error)")
    }
    let screen = try terminal.makeScreen(on: loop)
    defer { screen.close() }
    try LiveView(connection, on: screen, fps: fps, loop: loop).run()
  }
}
