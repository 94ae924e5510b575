// SPDX-License-Identifier: MIT

internal import Exchange
internal import RoundelMotion

/// A client of the broker with a last will. Reconnects after the connection ends.
struct BrokerSession {
  private enum State {
    case idle
    case waiting(until: Timestamp)
    case connecting(ConnectionID)
    case connected(ConnectionID, since: Timestamp)
  }

  enum End {
    case refused
    /// The connection lasted less than 10 seconds.
    case early
    case late
  }

  private static let minimumSeconds = 10.0

  let client: String
  let will: BrokerMessage
  private let keepAlive: Int
  private let minimumPause: Double
  private let actions: ActionQueue
  private(set) var backOff: BackOff
  private var state = State.idle

  /// - Parameters:
  ///   - keepAlive: Seconds.
  ///   - spread: The seconds over which many clients spread their attempts, or nil for a single
  ///     client.
  init(
    _ client: String, _ will: BrokerMessage, keepAlive: Int, spread: Double? = nil,
    _ actions: ActionQueue
  ) {
    self.client = client
    self.will = will
    self.keepAlive = keepAlive
    self.actions = actions
    // A single client would otherwise retry immediately.
    minimumPause = spread == nil ? 1 : 0
    backOff = spread.map { BackOff(spreadOver: $0) } ?? BackOff(maximumSeconds: 60)
  }

  /// The connection, or nil until the broker has accepted it.
  var connection: ConnectionID? {
    if case .connected(let connection, _) = state { connection } else { nil }
  }

  var start: Timestamp? {
    if case .connected(_, let start) = state { start } else { nil }
  }

  func owns(_ connection: ConnectionID) -> Bool {
    switch state {
    case .idle, .waiting: false
    case .connecting(let own), .connected(let own, _): own == connection
    }
  }

  mutating func connect() {
    switch state {
    case .connecting, .connected: return
    case .idle, .waiting: break
    }
    let connection = actions.makeConnection()
    state = .connecting(connection)
    actions.add(.openBroker(connection, client: client, will: will, keepAlive: keepAlive))
  }

  /// Cancels the next attempt.
  mutating func rest() {
    if case .waiting = state { state = .idle }
  }

  mutating func recordAccepted() {
    if case .connecting(let connection) = state {
      state = .connected(connection, since: actions.now)
    }
  }

  /// Schedules another attempt.
  mutating func recordEnd() -> End {
    let end: End =
      start.map { $0 + Self.minimumSeconds <= actions.now ? .late : .early } ?? .refused
    if end == .late { backOff.reset() }
    state = .waiting(until: actions.now + max(backOff.next(), minimumPause))
    return end
  }

  /// Closes after all messages, so that the broker doesn't publish the will.
  mutating func close() {
    switch state {
    case .connected(let connection, _): actions.add(.closeBroker(connection))
    case .connecting(let connection): actions.add(.dropBroker(connection))
    case .idle, .waiting: break
    }
    state = .idle
  }

  /// Drops the connection, so that the broker publishes the will.
  mutating func drop() {
    switch state {
    case .connecting(let connection), .connected(let connection, _):
      actions.add(.dropBroker(connection))
    case .idle, .waiting: break
    }
    state = .idle
  }

  var deadline: Timestamp? {
    if case .waiting(let time) = state { time } else { nil }
  }

  mutating func advance() {
    if let deadline, deadline <= actions.now { connect() }
  }
}
