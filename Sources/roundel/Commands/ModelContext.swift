// SPDX-License-Identifier: MIT

import ArgumentParser
import JSON
import KioskProtocol
import LinuxIO
import Remote

struct ModelContext: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Let a language model see and use the running kiosk, by the Model Context Protocol.",
    discussion: """
      Speaks the protocol on its standard input and output, for an assistant that starts
      it. Its tools are tree, tap, drag, set, wait, screenshot and test. The kiosk may be
      started later, and again.

      Example of an assistant's settings:
        {"mcpServers": {"kiosk": {"command": "roundel", "args": ["mcp", "--host", "lobby"]}}}
      """)

  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, else the unit's).",
    completion: .file())
  var socket: String?

  @Option(help: "[USER@]HOST on which the kiosk runs; goes through ssh.")
  var host: String?

  func run() throws {
    let tools = KioskTools(KioskAddress(host: host, socket: socket))
    let server = ContextServer(
      name: "roundel", version: Roundel.version, instructions: KioskTools.instructions,
      tools: tools.all)
    let lines = JSONLines(
      reading: OwnedDescriptor(adopting: 0), writing: OwnedDescriptor(adopting: 1),
      limit: ContextServer.maximumLineBytes)
    while true {
      let answer: JSONValue?
      do throws(JSONLines.Garbled) {
        guard let message = try lines.next() else {
          if lines.receive() { continue }
          return
        }
        answer = server.answer(to: message)
      } catch {
        answer = ContextServer.refusal(of: error)
      }
      // One that does not read has gone.
      if let answer, (try? lines.send(answer)) == nil { return }
    }
  }
}
