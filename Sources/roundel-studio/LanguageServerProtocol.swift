// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelAuthoring
import RoundelJSON
import KioskProtocol
import LanguageServer
import LinuxIO
import RoundelMotion

struct LanguageServerProtocol: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundel-studio lsp",
    abstract: "Support editors of kiosk files, by the Language Server Protocol.",
    discussion: """
      An editor starts this command and speaks the protocol (3.17) on its standard input and \
      output. Provides diagnostics, completion, documentation, definitions, references and \
      renaming for kiosk files, suites and recordings.

      editors.md in the manual describes the setup of Neovim, Helix, Kate and VS Code.
      """)

  @Flag(help: "Has no effect: the transport is always the standard input and output.")
  var stdio = false

  /// Seconds without a message before files are checked thoroughly.
  private static let pause = 0.3
  /// Seconds that an answer may wait for a check.
  private static let maximumDelay = 0.04
  private static let maximumMessageBytes = 64 << 20

  func run() throws {
    let stream = MessageStream(limit: Self.maximumMessageBytes)
    let checker = FileChecker()
    let server = LanguageServer(
      version: ProgramVersion.current, workspace: checker.workspace, check: checker.check
    ) { message in
      stream.send(Array(message.text.utf8))
    }
    // A pause before a long check, for the next keystroke's requests, as long as the last check
    // exceeded `maximumDelay`.
    var pause = 0.0
    while server.exitCode == nil {
      let timeout: Double? =
        if server.isBusy {
          0
        } else if server.needsCheck {
          min(pause, Self.pause)
        } else if server.isSearching {
          0
        } else if server.needsThoroughCheck {
          Self.pause
        } else {
          nil
        }
      if stream.wait(timeout) {
        let isOpen = stream.receive()
        while let frame = stream.next() { server.take(frame) }
        if isOpen { continue }
        while server.isBusy { server.step() }
        break
      }
      if server.isBusy {
        server.step()
      } else {
        let start = MonotonicClock.now
        let isThorough = !server.needsCheck && !server.isSearching
        server.checkNext(isThorough: isThorough)
        if !isThorough { pause = max(MonotonicClock.now - start - Self.maximumDelay, 0) }
      }
    }
    let code = server.exitCode ?? 1
    if code != 0 { throw ExitCode(code) }
  }
}
