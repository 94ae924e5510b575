// SPDX-License-Identifier: MIT

internal import HomeAssistant
internal import Kiosk
internal import Motion

/// The connections of values with `gone`, while the kiosk answers.
struct WillSessions {
  private let actions: ActionQueue
  /// By the expressions of the values.
  private var sessions: [String: WillSession] = [:]
  /// The wills of broken connections, for the next connection to the broker.
  private var owed: [BrokerMessage] = []
  /// The wills that the broker was to publish, with the times. If it was dead then, the bridge's own connection ends
  /// within these seconds, and they are owed.
  private var unconfirmed: [(will: BrokerMessage, time: Timestamp)] = []
  private static let confirmationSeconds = 150.0
  /// The bridge's own connection to the broker, or nil.
  private var broker: ConnectionID?

  init(_ actions: ActionQueue) { self.actions = actions }

  /// The connection of a value once the broker has accepted it, or nil.
  func connection(of expression: String) -> ConnectionID? {
    sessions[expression]?.broker.connection
  }

  /// Opens a connection for each value with `gone`, and ends the connections of former topics and messages.
  mutating func renew(for values: [TopicValue], as client: String) {
    let wills = values.compactMap { value in value.will.map { (value: value, will: $0) } }
      .sorted { $0.value.name < $1.value.name }
    let expressions = Dictionary(
      wills.map { ($0.value.expression, $0.will) }, uniquingKeysWith: { $1 })
    for (expression, session) in sessions.sorted(by: { $0.key < $1.key })
    where expressions[expression] != session.broker.will { end(expression) }
    for (value, will) in wills where sessions[value.expression] == nil {
      // No panel's own name has a full stop.
      var session = WillSession(will, as: "\(client).\(value.name)", actions)
      session.setBroker(isReachable: broker != nil)
      sessions[value.expression] = session
    }
  }

  /// Ends all connections, so that each `gone` is published.
  mutating func endAll() {
    for expression in sessions.keys.sorted() { end(expression) }
  }

  private mutating func end(_ expression: String) {
    guard var session = sessions.removeValue(forKey: expression) else { return }
    switch session.end() {
    case .nothing: break
    case .published where broker != nil: unconfirmed.append((session.broker.will, actions.now))
    case .published, .owed:
      owed.append(session.broker.will)
      publishOwed()
    }
  }

  private mutating func publishOwed() {
    guard let broker else { return }
    for will in owed {
      actions.add(.publish(will, broker))
      unconfirmed.append((will, actions.now))
    }
    owed = []
    unconfirmed.removeAll { $0.time + Self.confirmationSeconds <= actions.now }
  }

  /// Takes the bridge's own connection to the broker, nil after its end.
  mutating func setBroker(_ connection: ConnectionID?) {
    if connection == nil {
      owed += unconfirmed.filter { actions.now < $0.time + Self.confirmationSeconds }.map(\.will)
      unconfirmed = []
    }
    broker = connection
    publishOwed()
    for expression in sessions.keys.sorted() {
      sessions[expression]?.setBroker(isReachable: connection != nil)
    }
  }

  // MARK: Input

  enum Report {
    /// The last message of a value may be published by its new connection.
    case connected(String)
    /// The first attempt to connect has failed.
    case failed(String, reason: String)
  }

  mutating func receive(_ input: BrokerInput, from connection: ConnectionID) -> Report? {
    guard let expression = sessions.first(where: { $0.value.broker.owns(connection) })?.key else {
      return nil
    }
    switch input {
    case .accepted:
      sessions[expression]?.noteAccepted()
      // The value follows, which no earlier will may replace.
      let topic = sessions[expression]?.broker.will.topic
      unconfirmed.removeAll { $0.will.topic == topic }
      owed.removeAll { $0.topic == topic }
      return .connected(expression)
    case .message: return nil
    case .ended(let reason):
      let isNews = sessions[expression]?.noteEnd(isBrokerReachable: broker != nil) == true
      return isNews ? .failed(expression, reason: reason) : nil
    }
  }

  var deadline: Timestamp? { sessions.values.compactMap(\.broker.deadline).min() }

  mutating func advance() {
    for expression in sessions.keys.sorted() { sessions[expression]?.advance() }
  }
}

extension TopicValue {
  /// The last will of the value's connection, or nil without `gone`.
  fileprivate var will: BrokerMessage? {
    guard let target, let gone else { return nil }
    return BrokerMessage(target.topic, gone, isRetained: target.isRetained)
  }
}
