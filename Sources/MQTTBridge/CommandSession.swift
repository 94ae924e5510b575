// SPDX-License-Identifier: MIT

internal import HomeAssistant

/// The commands to one entity: one is performed after the other, and then the newest message that has arrived
/// meanwhile.
struct CommandSession {
  private enum State {
    case ready(rest: [IncomingCommand], newer: [IncomingCommand])
    /// The kiosk has not answered the request for a command.
    case waiting(
      IncomingCommand, request: Int, rest: [IncomingCommand], newer: [IncomingCommand])
  }

  private var state = State.ready(rest: [], newer: [])

  /// Takes the commands of a message.
  mutating func receive(_ commands: [IncomingCommand]) {
    switch state {
    case .ready(let rest, _): state = .ready(rest: rest, newer: commands)
    case .waiting(let command, let request, let rest, _):
      state = .waiting(command, request: request, rest: rest, newer: commands)
    }
  }

  /// The next command, unless one waits for its answer.
  mutating func takeNext() -> IncomingCommand? {
    guard case .ready(var rest, var newer) = state else { return nil }
    if rest.isEmpty { swap(&rest, &newer) }
    let command = rest.isEmpty ? nil : rest.removeFirst()
    state = .ready(rest: rest, newer: newer)
    return command
  }

  /// Waits for the answer to the request for a command.
  mutating func noteRequest(_ number: Int, for command: IncomingCommand) {
    guard case .ready(let rest, let newer) = state else { return }
    state = .waiting(command, request: number, rest: rest, newer: newer)
  }

  /// Takes the answer to a request, and returns its command.
  mutating func noteAnswer(to number: Int) -> IncomingCommand? {
    guard case .waiting(let command, number, let rest, let newer) = state else { return nil }
    state = .ready(rest: rest, newer: newer)
    return command
  }

  /// Drops the commands that the kiosk has not been given, and returns whether there were any.
  mutating func dropWaiting() -> Bool {
    guard case .waiting(let command, let request, let rest, let newer) = state else { return false }
    state = .waiting(command, request: request, rest: [], newer: [])
    return !rest.isEmpty || !newer.isEmpty
  }

  var isIdle: Bool {
    if case .ready(let rest, let newer) = state { rest.isEmpty && newer.isEmpty } else { false }
  }
}
