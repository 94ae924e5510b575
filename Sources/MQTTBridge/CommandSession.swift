// SPDX-License-Identifier: MIT

internal import HomeAssistant

/// One entity's commands, performed one at a time. Of messages in the meantime, only the newest is
/// performed.
struct CommandSession {
  private enum State {
    case ready(rest: [IncomingCommand], newer: [IncomingCommand])
    case waiting(
      IncomingCommand, request: Int, rest: [IncomingCommand], newer: [IncomingCommand])
  }

  private var state = State.ready(rest: [], newer: [])

  /// Replaces the queued commands of an earlier message.
  mutating func receive(_ commands: [IncomingCommand]) {
    switch state {
    case .ready(let rest, _): state = .ready(rest: rest, newer: commands)
    case .waiting(let command, let request, let rest, _):
      state = .waiting(command, request: request, rest: rest, newer: commands)
    }
  }

  /// Returns nil while a command waits for its answer.
  mutating func takeNext() -> IncomingCommand? {
    guard case .ready(var rest, var newer) = state else { return nil }
    if rest.isEmpty { swap(&rest, &newer) }
    let command = rest.isEmpty ? nil : rest.removeFirst()
    state = .ready(rest: rest, newer: newer)
    return command
  }

  mutating func recordRequest(_ number: Int, for command: IncomingCommand) {
    guard case .ready(let rest, let newer) = state else { return }
    state = .waiting(command, request: number, rest: rest, newer: newer)
  }

  mutating func recordAnswer(to number: Int) -> IncomingCommand? {
    guard case .waiting(let command, number, let rest, let newer) = state else { return nil }
    state = .ready(rest: rest, newer: newer)
    return command
  }

  /// Drops the unsent commands, and returns whether there were any.
  mutating func dropWaiting() -> Bool {
    guard case .waiting(let command, let request, let rest, let newer) = state else { return false }
    state = .waiting(command, request: request, rest: [], newer: [])
    return !rest.isEmpty || !newer.isEmpty
  }

  var isIdle: Bool {
    if case .ready(let rest, let newer) = state { rest.isEmpty && newer.isEmpty } else { false }
  }
}
