// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelJSON
import KioskClients
import KioskProtocol
import LinuxIO
import RoundelMotion
import JSONRPC
import SystemPackage

struct ModelContext: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract:
      "Let a language model view and operate the running kiosk, by the Model Context Protocol.",
    discussion: """
      An assistant starts this command and speaks the protocol on the standard input and \
      output. The tools are tree, tap, drag, set, wait, screenshot and test. The kiosk may \
      start later, and restart.

      Example of an assistant's settings:
        {"mcpServers": {"kiosk": {"command": "roundel", "args": ["mcp", "--host", "lobby"]}}}
      """)

  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, or the unit's).",
    completion: .file())
  var socket: String?

  @Option(help: "The kiosk's machine as [USER@]HOST, connected by ssh.")
  var host: String?

  func run() throws {
    let loop: EventLoop
    do throws(Errno) {
      loop = try EventLoop()
    } catch {
      throw Failure(.unavailable, "cannot wait for requests: \(error)")
    }
    let lines = JSONLines(
      reading: OwnedDescriptor(adopting: 0), writing: OwnedDescriptor(adopting: 1),
      limit: ContextServer.maximumLineBytes)
    let tools = KioskTools(KioskAddress(host: host, socket: socket), on: loop)
    let server = ContextServer(
      name: "roundel", version: Roundel.version, instructions: KioskTools.instructions,
      tools: tools.all
    ) { message in
      // The client has disconnected.
      if (try? lines.send(message)) == nil { loop.stop() }
    }
    /// Returns false at the end of the input.
    func receive() -> Bool {
      guard lines.receive() else { return false }
      while true {
        do throws(JSONLines.Garbled) {
          guard let message = try lines.next() else { return true }
          server.take(message)
        } catch {
          server.refuse(error)
        }
      }
    }
    var isEnded = false
    // Released at the end of the input, which would otherwise be reported repeatedly.
    var watch: EventLoop.Token?
    defer { _ = watch }
    do throws(Errno) {
      watch = try loop.watch(lines.descriptor) { _ in
        guard !receive() else { return }
        isEnded = true
        watch = nil
      }
    } catch {
      // A file is always ready.
      while receive() {}
      isEnded = true
    }
    // Clients close the input and wait for the exit, usually for two seconds, before they send
    // SIGTERM.
    var end: EventLoop.Token?
    defer { _ = end }
    try loop.run {
      if isEnded, end == nil {
        end = loop.schedule(at: loop.now + 1) {
          server.end("the input ended a second ago")
          loop.stop()
        }
      }
      if isEnded, server.isIdle { loop.stop() }
      return nil
    }
  }
}
