// SPDX-License-Identifier: MIT

internal import Exchange
internal import HomeAssistant
internal import Kiosk
internal import RoundelMotion

struct WillSessions {
  private let actions: ActionQueue
  private var sessions: [String: WillSession] = [:]
  /// Wills of broken connections, for the next connection to the broker.
  private var pending: [BrokerMessage] = []
  /// Wills that the broker should have published. They are owed if the main connection ends within
  /// `confirmationSeconds`, because the broker was unreachable.
  private var unconfirmed: [(will: BrokerMessage, time: Timestamp)] = []
  private static let confirmationSeconds = 150.0
  /// The bridge's main connection.
  private var broker: ConnectionID?

  init(_ actions: ActionQueue) { self.actions = actions }

  /// Returns nil until the broker has accepted the connection.
  func connection(of expression: String) -> ConnectionID? {
    sessions[expression]?.broker.connection
  }

  /// Opens connections for new values with `gone`, and ends the others.
  mutating func renew(for values: [ExchangedValue], as client: String) {
    let wills = values.compactMap { value in value.will.map { (value: value, will: $0) } }
      .sorted { $0.value.name < $1.value.name }
    let expressions = Dictionary(
      wills.map { ($0.value.expression, $0.will) }, uniquingKeysWith: { $1 })
    for (expression, session) in sessions.sorted(by: { $0.key < $1.key })
    where expressions[expression] != session.broker.will { end(expression) }
    for (value, will) in wills where sessions[value.expression] == nil {
      // Panel names don't contain full stops.
      var session = WillSession(will, as: "\(client).\(value.name)", actions)
      session.setBroker(isReachable: broker != nil)
      sessions[value.expression] = session
    }
  }

  /// Ends all connections, so that the broker publishes each `gone`.
  mutating func endAll() {
    for expression in sessions.keys.sorted() { end(expression) }
  }

  private mutating func end(_ expression: String) {
    guard var session = sessions.removeValue(forKey: expression) else { return }
    switch session.end() {
    case .nothing: break
    case .published where broker != nil: unconfirmed.append((session.broker.will, actions.now))
    case .published, .pending:
      pending.append(session.broker.will)
      publishPending()
    }
  }

  private mutating func publishPending() {
    guard let broker else { return }
    for will in pending {
      actions.add(.publish(will, broker))
      unconfirmed.append((will, actions.now))
    }
    pending = []
    unconfirmed.removeAll { $0.time + Self.confirmationSeconds <= actions.now }
  }

  mutating func setBroker(_ connection: ConnectionID?) {
    if connection == nil {
      pending += unconfirmed.filter { actions.now < $0.time + Self.confirmationSeconds }.map(\.will)
      unconfirmed = []
    }
    broker = connection
    publishPending()
    for expression in sessions.keys.sorted() {
      sessions[expression]?.setBroker(isReachable: connection != nil)
    }
  }

  // MARK: Input

  enum Report {
    /// A value's new connection may publish its last message.
    case connected(String)
    case failed(String, reason: String)
  }

  mutating func receive(_ input: BrokerInput, from connection: ConnectionID) -> Report? {
    guard let expression = sessions.first(where: { $0.value.broker.owns(connection) })?.key else {
      return nil
    }
    switch input {
    case .accepted:
      sessions[expression]?.recordAccepted()
      // No earlier will may replace the value that is published next.
      let topic = sessions[expression]?.broker.will.topic
      unconfirmed.removeAll { $0.will.topic == topic }
      pending.removeAll { $0.topic == topic }
      return .connected(expression)
    case .message: return nil
    case .ended(let reason):
      let isNews = sessions[expression]?.recordEnd(isBrokerReachable: broker != nil) == true
      return isNews ? .failed(expression, reason: reason) : nil
    }
  }

  var deadline: Timestamp? { sessions.values.compactMap(\.broker.deadline).min() }

  mutating func advance() {
    for expression in sessions.keys.sorted() { sessions[expression]?.advance() }
  }
}

extension ExchangedValue {
  fileprivate var will: BrokerMessage? {
    guard let target, let gone else { return nil }
    return BrokerMessage(target.name, gone, isRetained: target.isRetained)
  }
}
