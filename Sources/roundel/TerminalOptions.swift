// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelGeometry
import LinuxIO
import RoundelPresentation
import RoundelTerminal

struct TerminalOptions: ParsableArguments {
  enum Choice: String, CaseIterable, ExpressibleByArgument {
    case auto, blocks, kitty, sixel

    var graphics: Graphics? { Graphics(rawValue: rawValue) }
  }

  @Option(help: "The terminal's graphics; auto selects the best supported.")
  var graphics = Choice.auto

  func makeScreen(on loop: EventLoop) throws(Failure) -> TerminalScreen {
    do throws(DisplayError) {
      return try TerminalScreen(
        graphics: graphics.graphics,
        isMultiplexed: TerminalEnvironment(Environment.variable).isMultiplexed,
        on: loop)
    } catch {
      throw Failure(error.kind == .permission ? .permission : .unavailable, "\(error)")
    }
  }
}
