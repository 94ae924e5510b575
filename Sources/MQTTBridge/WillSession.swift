// SPDX-License-Identifier: MIT

internal import Motion

/// The connection to the broker for one value with `gone`, whose last will is that message.
///
/// The connection lasts while the kiosk answers, and never ends with a DISCONNECT. Therefore the broker publishes the
/// will if the kiosk, the bridge, the machine or the network fails. The bridge publishes the value by the same
/// connection: brokers keep the order within a connection only, and `gone` has to follow all values.
struct WillSession {
  /// Seconds between two keep-alive messages.
  private static let keepAlive = 10
  /// The minimum duration of a successful connection, in seconds.
  private static let minimumSeconds = 10.0

  private enum State {
    /// The broker is out of reach.
    case idle
    case waiting(until: Timestamp)
    case connecting(ConnectionID)
    case connected(ConnectionID, since: Timestamp)
  }

  let will: BrokerMessage
  private let client: String
  private let actions: ActionQueue
  private var state = State.idle
  private var backOff = BackOff(maximumSeconds: 60)
  /// Whether the broker has ever received the will.
  private var wasConnected = false
  /// Whether a failure has been reported since the last connection.
  private var isReported = false

  init(_ will: BrokerMessage, as client: String, _ actions: ActionQueue) {
    self.will = will
    self.client = client
    self.actions = actions
  }

  /// The connection once the broker has accepted it, or nil.
  var connection: ConnectionID? {
    if case .connected(let connection, _) = state { connection } else { nil }
  }

  func owns(_ connection: ConnectionID) -> Bool {
    switch state {
    case .idle, .waiting: false
    case .connecting(let own), .connected(let own, _): own == connection
    }
  }

  var deadline: Timestamp? {
    if case .waiting(let time) = state { time } else { nil }
  }

  mutating func advance() {
    if case .waiting(let time) = state, time <= actions.now { connect() }
  }

  /// Connects if the broker can be reached, and stops further attempts if not.
  mutating func setBroker(isReachable: Bool) {
    switch state {
    case .idle, .waiting: if isReachable { connect() } else { state = .idle }
    case .connecting, .connected: break
    }
  }

  private mutating func connect() {
    let connection = actions.makeConnection()
    state = .connecting(connection)
    actions.add(
      .openBroker(connection, client: client, will: will, keepAlive: Self.keepAlive))
  }

  mutating func noteAccepted() {
    guard case .connecting(let connection) = state else { return }
    state = .connected(connection, since: actions.now)
    wasConnected = true
    isReported = false
  }

  /// Notes the end of the connection; returns whether to report it: only the first of several failed attempts.
  mutating func noteEnd(isBrokerReachable: Bool) -> Bool {
    var isFailure = true
    if case .connected(_, let start) = state {
      isFailure = false
      if start + Self.minimumSeconds <= actions.now { backOff.reset() }
    }
    state = isBrokerReachable ? .waiting(until: actions.now + max(backOff.next(), 1)) : .idle
    defer { if isFailure { isReported = true } }
    return isFailure && !isReported
  }

  enum End {
    /// The broker has never received the will.
    case nothing
    /// The broker publishes the will.
    case published
    /// The connection broke before: the broker may not have published the will.
    case owed
  }

  /// Ends the connection, so the broker publishes the will.
  mutating func end() -> End {
    defer { state = .idle }
    switch state {
    case .idle, .waiting: break
    case .connecting(let connection): actions.add(.dropBroker(connection))
    case .connected(let connection, _):
      actions.add(.dropBroker(connection))
      return .published
    }
    return wasConnected ? .owed : .nothing
  }
}
