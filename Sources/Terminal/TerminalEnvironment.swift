// SPDX-License-Identifier: MIT

internal import Glibc

/// The terminal from which the process was started, as the environment describes it.
package struct TerminalEnvironment: Sendable {
  /// Whether it is a part of another one, by tmux or screen.
  package let isMultiplexed: Bool
  /// Whether a person started the process there, rather than a service manager on a console.
  package let isUsedByPerson: Bool

  /// - Parameter isTerminal: whether the standard input is a terminal; nil to ask the system.
  package init(_ variable: (String) -> String?, isTerminal: Bool? = nil) {
    let name = variable("TERM") ?? ""
    isMultiplexed =
      variable("TMUX") != nil || name.hasPrefix("tmux") || name.hasPrefix("screen")
    isUsedByPerson = (isTerminal ?? (isatty(0) == 1)) && variable("NOTIFY_SOCKET") == nil
  }
}
