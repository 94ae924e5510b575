// SPDX-License-Identifier: MIT

import ArgumentParser
import Authoring
import Glibc
import JSON
import KioskProtocol
import LanguageServer
import LinuxIO
import Motion
import SystemPackage

struct LanguageServerProtocol: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundel-studio lsp",
    abstract: "Help to write kiosk files in an editor, by the Language Server Protocol.",
    discussion: """
      Speaks the protocol (3.17) on its standard input and output, for an editor that starts \
      it: mistakes while you type, completion, the reference, definitions, references and \
      new names, for kiosk files, suites and recordings.

      The manual, editors.md, says how Neovim, Helix, Kate and VS Code are set up.
      """)

  @Flag(help: "Standard input and output, which many editors ask for; there is no other way.")
  var stdio = false

  /// Seconds without a message after which files are looked at thoroughly.
  private static let pause = 0.3
  /// Seconds that an answer may wait for a look at a file.
  private static let maximumDelay = 0.04
  private static let maximumMessageBytes = 64 << 20

  func run() throws {
    let checker = FileChecker()
    let server = LanguageServer(
      version: ProgramVersion.current, workspace: checker.workspace, check: checker.check
    ) { message in
      let body = Array(message.text.utf8)
      let header = Array("Content-Length: \(body.count)\r\n\r\n".utf8)
      // An editor that does not read has gone, which the end of the input says.
      _ = try? FileDescriptor.standardOutput.writeAll(header + body)
    }
    let input = OwnedDescriptor(adopting: 0)
    var reader = FrameReader(limit: Self.maximumMessageBytes)
    // A long file is looked at in pauses as long as the look takes beyond what a letter may wait: what is asked with
    // the next letter comes within them.
    var pause = 0.0
    while server.exitCode == nil {
      let timeout: Double? =
        server.isBusy
        ? 0
        : server.needsCheck
          ? min(pause, Self.pause) : server.needsThoroughCheck ? Self.pause : nil
      if Self.waits(for: input.rawValue, timeout) {
        guard let piece = try? input.receive(upTo: 1 << 16), !piece.isEmpty else {
          while server.isBusy { server.step() }
          break
        }
        reader.append(piece)
        while let frame = reader.next() { server.take(frame) }
        continue
      }
      // Messages that have come are handled before files are checked.
      if server.isBusy {
        server.step()
      } else {
        let start = MonotonicClock.now
        let isThorough = !server.needsCheck
        server.checkNext(isThorough: isThorough)
        if !isThorough { pause = max(MonotonicClock.now - start - Self.maximumDelay, 0) }
      }
    }
    let code = server.exitCode ?? 1
    if code != 0 { throw ExitCode(code) }
  }

  /// Whether input comes within some seconds; nil waits for ever.
  private static func waits(for descriptor: CInt, _ seconds: Double?) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // One entry, which lives here.
    return unsafe poll(&entry, 1, seconds.map { CInt($0 * 1000) } ?? -1) > 0
  }
}
