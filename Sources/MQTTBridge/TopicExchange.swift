// SPDX-License-Identifier: MIT

internal import Exchange
internal import Kiosk
internal import KioskProtocol
internal import RoundelJSON

struct TopicExchange {
  private let actions: ActionQueue
  private(set) var values: ValueExchange
  /// The newest messages of each value to a topic that the value also comes from.
  private var own: [String: OwnMessages] = [:]
  private var broker: ConnectionID?
  private var subscribed: Set<String> = []

  init(_ settings: BridgeSettings, _ actions: ActionQueue) {
    self.actions = actions
    values = ValueExchange(.mqtt, actions.kiosk, keepImage: settings.keepImage)
  }

  // MARK: The kiosk

  mutating func describe(by tree: TreeAnswer) -> Bool {
    let (hasNew, sources) = values.describe(by: tree)
    // A broker sends its retained message again after each new subscription.
    subscribed.subtract(sources)
    own = own.filter { values[$0.key] != nil }
    subscribe()
    return hasNew
  }

  var hasMachines: Bool { values.values.contains { $0.gone != nil } }

  mutating func recordAbsence() {
    subscribed = []
    values.recordAbsence()
  }

  /// Makes the broker send its retained messages again.
  mutating func recordRestart() {
    subscribed = []
    values.recordRestart()
  }

  mutating func record(_ expression: String, is value: JSONValue, isSettled: Bool) {
    values.record(expression, is: value, isSettled: isSettled)
  }

  mutating func advance(_ kiosk: KioskSession) { values.advance(kiosk) }

  mutating func recordAnswer(
    to request: Int, of expression: String, _ outcome: RequestOutcome, from kiosk: KioskSession?
  ) {
    values.recordAnswer(to: request, of: expression, outcome, from: kiosk)
  }

  mutating func report(_ failure: String, to kiosk: KioskSession?) {
    values.report(failure, to: kiosk)
  }

  // MARK: The broker

  mutating func receive(_ message: BrokerMessage) {
    for expression in values.listeners[message.topic] ?? [] {
      // A retained message isn't an echo of a published one.
      if !message.isRetained, own[expression]?.take(message.payload) == true { continue }
      guard let value = values[expression] else { continue }
      // Only the size of a message above the limit matters.
      let payload = Array(message.payload.prefix(value.maximumBytes + 1))
      values.receive(.bytes(payload), for: expression)
    }
  }

  mutating func setBroker(_ connection: ConnectionID?) {
    broker = connection
    subscribed = []
    // The broker doesn't return messages after the connection's end.
    own = [:]
    subscribe()
    guard connection != nil else { return }
    for expression in values.expressions where values[expression]?.gone == nil {
      republish(expression)
    }
  }

  private mutating func subscribe() {
    guard let broker else { return }
    let listeners = values.listeners
    for topic in subscribed.sorted() where listeners[topic] == nil {
      actions.add(.unsubscribe(topic, broker))
    }
    for topic in listeners.keys.sorted() where !subscribed.contains(topic) {
      actions.add(.subscribe(topic, broker))
    }
    subscribed = Set(listeners.keys)
  }

  /// Publishes the last message of a value on its new connection.
  mutating func republish(_ expression: String) { values.resend(expression) }

  /// Values with `gone` have separate connections.
  mutating func nextMessage(
    _ wills: WillSessions, _ hasRoom: (ConnectionID) -> Bool
  ) -> (message: BrokerMessage, connection: ConnectionID)? {
    let broker = broker
    let next = values.next { value in
      let connection = value.gone == nil ? broker : wills.connection(of: value.expression)
      return connection.flatMap { hasRoom($0) ? $0 : nil }
    }
    guard let next, let target = next.value.target else { return nil }
    let text = target.message(of: next.json)
    if next.value.source?.name == target.name {
      own[next.value.expression, default: OwnMessages()].add(text)
    }
    return (BrokerMessage(target.name, text, isRetained: target.isRetained), next.route)
  }
}

/// The newest messages to a topic that a value also comes from. The broker returns each of them once, in order.
struct OwnMessages {
  private var texts: [String] = []
  private static let maximumCount = 64

  mutating func add(_ text: String) {
    if texts.count == Self.maximumCount { texts.removeFirst() }
    texts.append(text)
  }

  /// Returns whether the message is among these, and forgets it and earlier ones, which were lost.
  mutating func take(_ payload: [UInt8]) -> Bool {
    guard let place = texts.firstIndex(where: { $0.utf8.elementsEqual(payload) }) else {
      return false
    }
    texts.removeFirst(place + 1)
    return true
  }
}

extension ValueTarget {
  /// A JSON payload contains the value in JSON.
  func message(of value: JSONValue) -> String {
    let plain = value.string ?? value.text
    guard let payload, payload != "{value}" else { return plain }
    func filled(_ text: String) -> String { payload.replacing("{value}", with: text) }
    func isJSON(_ text: String) -> Bool { (try? JSONValue(parsing: text.utf8)) != nil }
    if isJSON(filled("0")), !isJSON(filled("x")) { return filled(value.text) }
    if isJSON(filled("x")) {
      return filled(String(JSONValue.string(plain).text.dropFirst().dropLast()))
    }
    return filled(plain)
  }
}
