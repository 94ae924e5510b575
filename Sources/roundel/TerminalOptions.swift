// SPDX-License-Identifier: MIT

import ArgumentParser
import Geometry
import Glibc
import LinuxIO
import Presentation
import Terminal

/// How a picture is shown in the terminal from which a command was started.
struct TerminalOptions: ParsableArguments {
  enum Choice: String, CaseIterable, ExpressibleByArgument {
    case auto, blocks, kitty, sixel

    var graphics: Graphics? { Graphics(rawValue: rawValue) }
  }

  @Option(help: "How a terminal shows pixels; auto asks it for the best.")
  var graphics = Choice.auto

  /// Takes over the terminal.
  func makeScreen(on loop: EventLoop) throws(Failure) -> TerminalScreen {
    do throws(DisplayError) {
      return try TerminalScreen(
        graphics: graphics.graphics, isMultiplexed: Self.isMultiplexed, on: loop)
    } catch {
      throw Failure(error.kind == .permission ? .permission : .unavailable, "\(error)")
    }
  }

  /// Whether a person started this from a terminal, rather than a service manager on a console.
  var isUsed: Bool { isatty(0) == 1 && Self.variable("NOTIFY_SOCKET") == nil }

  private static var isMultiplexed: Bool {
    let name = variable("TERM") ?? ""
    return variable("TMUX") != nil || name.hasPrefix("tmux") || name.hasPrefix("screen")
  }

  private static func variable(_ name: String) -> String? {
    // The name of a variable that nothing changes meanwhile.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
