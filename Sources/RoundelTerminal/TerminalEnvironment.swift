// SPDX-License-Identifier: MIT

internal import Glibc

package struct TerminalEnvironment: Sendable {
  package let isMultiplexed: Bool
  /// Whether a user started the process, rather than a service manager on a console.
  package let isInteractive: Bool

  /// - Parameter isTerminal: Whether the standard input is a terminal, or nil to query the system.
  package init(_ variable: (String) -> String?, isTerminal: Bool? = nil) {
    let name = variable("TERM") ?? ""
    isMultiplexed =
      variable("TMUX") != nil || name.hasPrefix("tmux") || name.hasPrefix("screen")
    isInteractive = (isTerminal ?? (isatty(0) == 1)) && variable("NOTIFY_SOCKET") == nil
  }
}
