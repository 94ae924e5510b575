// SPDX-License-Identifier: MIT

internal import HomeAssistant
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import RoundelMotion

/// The kiosk's values with MQTT topics.
///
/// The kiosk gets one message at a time, and only the newest of each value, so a fast sender
/// doesn't affect it.
struct ValueExchange {
  private let actions: ActionQueue
  /// The sessions by expression.
  private var sessions: [String: ValueSession] = [:]
  /// The expressions of values by source topic.
  private var listeners: [String: [String]] = [:]
  private var broker: ConnectionID?
  private var subscribed: Set<String> = []
  private var lastTurn = 0
  private var failures = FailureLog(maximumLines: 60)

  init(_ actions: ActionQueue) { self.actions = actions }

  private mutating func nextTurn() -> Int {
    lastTurn += 1
    return lastTurn
  }

  // MARK: The kiosk

  /// Returns whether there are new values to watch.
  mutating func describe(by tree: TreeAnswer) -> Bool {
    var hasNew = false
    let old = sessions
    sessions = [:]
    listeners = [:]
    for range in tree.ranges ?? [] {
      guard let value = TopicValue(range.name, range.value) else { continue }
      let expression = value.expression
      if let known = old[expression], known.value == value {
        sessions[expression] = known
      } else {
        hasNew = true
        sessions[expression] = ValueSession(value, after: old[expression])
        // A broker sends its retained message again after each new subscription.
        if let topic = value.source?.topic { subscribed.remove(topic) }
      }
      if let topic = value.source?.topic { listeners[topic, default: []].append(expression) }
    }
    subscribe()
    return hasNew
  }

  /// Whether a value has both topics. Its value after a restart must not be published, so the
  /// bridge must learn of the restart first.
  func isTwoWay(_ expression: String) -> Bool {
    sessions[expression].map { $0.value.source != nil && $0.value.target != nil } ?? false
  }

  var values: [TopicValue] { sessions.values.map(\.value) }

  /// Whether a machine depends on the kiosk.
  var hasMachines: Bool { sessions.values.contains { $0.value.gone != nil } }

  /// Makes arriving messages wait for the kiosk.
  mutating func recordAbsence() {
    subscribed = []
    for expression in sessions.keys { sessions[expression]?.forgetReports() }
  }

  /// Makes the broker send its retained messages again. Until then, values from topics have their
  /// initial values, which are not published.
  mutating func recordRestart() {
    subscribed = []
    for (expression, session) in sessions where session.value.source != nil {
      sessions[expression]?.forgetReports()
    }
  }

  mutating func record(_ expression: String, is value: JSONValue) {
    let turn = nextTurn()
    sessions[expression]?.record(value, turn: turn)
  }

  // MARK: Messages to the kiosk

  mutating func receive(_ message: BrokerMessage) {
    for expression in listeners[message.topic] ?? [] {
      // A retained message isn't an echo of a published one.
      if !message.isRetained, sessions[expression]?.isEcho(message.payload) == true { continue }
      // Only the size of a message above the limit matters.
      let payload = Array(message.payload.prefix(TopicValue.maximumBytes + 1))
      let turn = nextTurn()
      sessions[expression]?.receive(.init(payload: payload, time: actions.now), turn: turn)
    }
  }

  /// Waits for the previous answer.
  mutating func advance(_ kiosk: KioskSession) {
    guard !sessions.values.contains(where: \.isAwaitingAnswer) else { return }
    while let expression = nextIncoming {
      guard let message = sessions[expression]?.takeWaiting(at: actions.now),
        let value = sessions[expression]?.value
      else { continue }
      do throws(MessageError) {
        let json = try value.value(in: message.payload)
        guard let call = value.command(json)?.call else { continue }
        let number = kiosk.send(call.method, call.parameters, for: .value(expression))
        sessions[expression]?.recordRequest(number, for: message, giving: json)
        return
      } catch {
        report("\(value.name): \(value.source?.topic ?? ""): \(error)", to: kiosk)
      }
    }
  }

  mutating func recordAnswer(
    to request: Int, of expression: String, _ outcome: RequestOutcome, from kiosk: KioskSession?
  ) {
    guard sessions[expression]?.recordAnswer(to: request, outcome) == true,
      case .refused(let error) = outcome
    else { return }
    report("\(expression): \(sessions[expression]?.value.source?.topic ?? ""): \(error)", to: kiosk)
  }

  private var nextIncoming: String? {
    sessions.compactMap { expression, session in
      session.incomingTurn.map { (turn: $0, expression: expression) }
    }.min { $0.turn < $1.turn }?.expression
  }

  mutating func report(_ failure: String, to kiosk: KioskSession?) {
    guard let line = failures.line(failure, at: actions.now) else { return }
    actions.add(.log(line))
    kiosk?.report(failure: line)
  }

  // MARK: Messages to the broker

  mutating func setBroker(_ connection: ConnectionID?) {
    broker = connection
    subscribed = []
    subscribe()
    for (expression, session) in sessions.sorted(by: { $0.key < $1.key }) {
      sessions[expression]?.forgetEchoes()
      if connection != nil, session.value.gone == nil {
        republish(expression)
      }
    }
  }

  private mutating func subscribe() {
    guard let broker else { return }
    for topic in subscribed.sorted() where listeners[topic] == nil {
      actions.add(.unsubscribe(topic, broker))
    }
    for topic in listeners.keys.sorted() where !subscribed.contains(topic) {
      actions.add(.subscribe(topic, broker))
    }
    subscribed = Set(listeners.keys)
  }

  /// Publishes the last message of a value with `gone` on its new connection.
  mutating func republish(_ expression: String) {
    let turn = nextTurn()
    sessions[expression]?.republish(turn: turn)
  }

  /// Values with `gone` have separate connections.
  mutating func nextMessage(
    _ wills: WillSessions, _ hasRoom: (ConnectionID) -> Bool
  ) -> (message: BrokerMessage, connection: ConnectionID)? {
    var next: (turn: Int, expression: String, connection: ConnectionID)?
    for (expression, session) in sessions {
      guard let turn = session.outgoingTurn, turn < next?.turn ?? .max,
        let connection = session.value.gone == nil ? broker : wills.connection(of: expression),
        hasRoom(connection)
      else { continue }
      next = (turn, expression, connection)
    }
    guard let next, let message = sessions[next.expression]?.takeOutgoing() else { return nil }
    return (message, next.connection)
  }
}
