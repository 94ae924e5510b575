// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDeclarations
import RoundelExpressions
import Glibc
import KioskProtocol
import LinuxIO
import LiveSuites

/// The command line.
///
/// Each command states its name. Deriving all names from the types would take a twelfth of a
/// kiosk's start.
@main
struct Roundel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundel",
    abstract: "Kiosks of round controls, straight on a Linux panel.",
    discussion: """
      Examples:
        roundel new shop.yaml                     begin a kiosk from an example
        roundel try shop.yaml                     edit it in the browser or the terminal
        roundel check shop.yaml                   find all errors
        roundel render shop.yaml -o shop.png      paint the first page
        roundel replay shop.yaml taps.jsonl       play a recording
        roundel test suites/*.yaml                run its test suites
        roundel run shop.yaml                     show it on the panel
        roundel bench shop.yaml                   measure its speed
        roundel doctor                            find out why the panel is dark
        roundel tap shows/dateline --host lobby   use a remote kiosk

      Exit codes:
        0   done
        1   failure: a condition is false, errors were found, a file was not written
        64  wrong usage
        65  invalid kiosk file, recording or suite
        69  no display, or no running kiosk
        77  no permission
      """,
    version: "roundel \(version)",
    groupedSubcommands: [
      CommandGroup(
        name: "Kiosk file",
        subcommands: [
          New.self, Try.self, Run.self, Check.self, Render.self, Play.self, Test.self, Bench.self,
          Doctor.self,
          Calibrate.self, SetUp.self, Schema.self, ReferenceText.self, LSPCommand.self,
          StudioCommand.self,
        ]),
      CommandGroup(
        name: "Bundles",
        subcommands: [MakeBundle.self, Install.self, Pull.self, Rollback.self]),
      CommandGroup(
        name: "Running kiosk",
        subcommands: [
          Status.self, Tree.self, View.self, Events.self, Screenshot.self, Tap.self, Drag.self,
          PlayLive.self, Record.self, Get.self, SetProperties.self, Wait.self,
          WatchExpressions.self, Go.self, Show.self, Notify.self, Spin.self, Open.self, Close.self,
          Reset.self, Emit.self,
          Shake.self, Blank.self, Wake.self, Unblank.self, Rotate.self, Reload.self, Restart.self,
          Latencies.self, Stop.self, Call.self, Relay.self, SendKeys.self, Scan.self,
          ModelContext.self,
          MQTTCommand.self, HomeCommand.self,
        ]),
    ])

  static let version = ProgramVersion.current

  static func main() {
    StandardDescriptors.openClosed()
    FreedMemory.share()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as Failure {
      end(failure)
    } catch let error as KioskError {
      end(Failure(error))
    } catch let error as LiveError {
      end(Failure(error))
    } catch {
      if let unknown = unknownCommand(CommandLine.arguments.dropFirst().first) { end(unknown) }
      // Like `exit(withError:)`, which could mention the typed words.
      let message = fullMessage(for: error)
      let code = exitCode(for: error)
      if !message.isEmpty {
        if code.isSuccess {
          StandardOutput.write(message + "\n")
        } else {
          StandardError.write(message + "\n")
        }
      }
      Glibc.exit(code.rawValue)
    }
  }
}

extension Roundel {
  private static func end(_ failure: Failure) -> Never {
    failure.report()
    Glibc.exit(failure.code.rawValue)
  }

  /// Names an unknown command. The parser would only count the unexpected words.
  private static func unknownCommand(_ word: String?) -> Failure? {
    let names =
      configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName } + ["help"]
    guard let word, !word.hasPrefix("-"), !names.contains(word) else { return nil }
    let near = names.nearest(to: word).map { "did you mean \"\($0)\"?" }
    return Failure(
      .usage, "unknown command \(word.quoted) (\(near ?? "see roundel --help"))")
  }
}

extension Failure {
  func report() {
    if !message.isEmpty { StandardError.write("roundel: \(message)\n") }
  }
}
