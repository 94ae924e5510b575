// SPDX-License-Identifier: MIT

internal import Motion

/// The client of the broker, which connects again after each end of its connection.
struct BrokerClient {
  private enum State {
    case waiting(until: Timestamp)
    case connecting(ConnectionID)
    case connected(ConnectionID, since: Timestamp)
    case closed
  }

  /// A connection that ends sooner has ended early, and so many in a row are no accident: a broker ends
  /// one when another client takes its name.
  private static let minimumSeconds = 10.0
  private static let clashingEnds = 2
  /// Seconds between two keep-alive messages.
  private static let keepAlive = 60

  private let name: String
  private let broker: String
  private let will: BrokerMessage
  private let minimumPause: Double
  private let actions: ActionQueue
  private var state: State
  private var backOff: BackOff
  /// The number of connections in a row that have ended early.
  private var earlyEnds = 0
  /// The last failure in the log.
  private var reported: String?

  /// A client called `name`, with a last will.
  init(_ name: String, _ will: BrokerMessage, _ settings: BridgeSettings, _ actions: ActionQueue) {
    self.name = name
    self.will = will
    self.actions = actions
    broker = settings.broker
    // Without a minimum, a panel alone would try at once.
    minimumPause = settings.spread == nil ? 1 : 0
    backOff = settings.spread.map { BackOff(spreadOver: $0) } ?? BackOff(maximumSeconds: 60)
    state = .waiting(until: actions.now)
  }

  /// The connection once the broker has accepted it, or nil.
  var connection: ConnectionID? {
    if case .connected(let connection, _) = state { connection } else { nil }
  }

  /// The start of the connection.
  var start: Timestamp? {
    if case .connected(_, let start) = state { start } else { nil }
  }

  func owns(_ connection: ConnectionID) -> Bool {
    switch state {
    case .waiting, .closed: false
    case .connecting(let own), .connected(let own, _): own == connection
    }
  }

  var deadline: Timestamp? {
    if case .waiting(let time) = state { time } else { nil }
  }

  mutating func advance() {
    guard case .waiting(let time) = state, time <= actions.now else { return }
    let connection = actions.makeConnection()
    state = .connecting(connection)
    actions.add(.openBroker(connection, client: name, will: will, keepAlive: Self.keepAlive))
  }

  /// Notes that the broker accepts the connection, whose topics begin with `base`.
  mutating func noteAccepted(topics base: String) {
    guard case .connecting(let connection) = state else { return }
    state = .connected(connection, since: actions.now)
    if earlyEnds < Self.clashingEnds {
      actions.add(.log("connected to the broker \(broker); topics \(base)/…"))
    }
  }

  mutating func noteEnd(_ reason: String) {
    if let start {
      if actions.now < start + Self.minimumSeconds {
        earlyEnds += 1
      } else {
        earlyEnds = 0
        reported = nil
        backOff.reset()
      }
    }
    state = .waiting(until: actions.now + max(backOff.next(), minimumPause))
    let words =
      earlyEnds < Self.clashingEnds
      ? "no connection to the broker \(broker): \(reason)"
      : "the broker \(broker) ends each connection at once: probably another client calls "
        + "itself \(name) there; give each panel its own --name"
    guard reported != words else { return }
    reported = words
    actions.add(
      .log(words + "; trying again, at least every \(Int(backOff.maximumSeconds)) s"))
  }

  /// Publishes a message, if there is a connection.
  func publish(_ topic: String, _ text: String, isRetained: Bool = true) {
    publish(BrokerMessage(topic, text, isRetained: isRetained))
  }

  func publish(_ message: BrokerMessage) {
    if let connection { actions.add(.publish(message, connection)) }
  }

  /// Ends the connection after all messages.
  mutating func close() {
    switch state {
    case .connected(let connection, _): actions.add(.closeBroker(connection))
    case .connecting(let connection): actions.add(.dropBroker(connection))
    case .waiting, .closed: break
    }
    state = .closed
  }
}
