// SPDX-License-Identifier: MIT

import Broker
import HomeAssistant
import JSON
import Kiosk
import KioskProtocol
import LinuxIO
import Motion

/// Passes values of the kiosk to topics that its file names, and messages of such topics to the kiosk.
///
/// Only the newest message for each value counts, and one message is on its way to the kiosk at a time: a
/// sender that is faster than the kiosk costs it nothing.
final class TopicExchange {
  private let kiosk: KioskLink
  /// The values that have topics, by their expressions.
  private var values: [String: TopicValue] = [:]
  /// The expressions of the values that come from a topic.
  private var listeners: [String: [String]] = [:]
  private var subscribed: Set<String> = []
  private var isKioskThere = false

  private struct Arrival {
    var payload: [UInt8]
    var time: Timestamp
  }

  /// The newest messages that the kiosk has not been given, and the order in which their values take turns.
  private var arrivals: [String: Arrival] = [:]
  private var turns: [String] = []
  /// The message that the kiosk has been given and has not answered; there is one at a time.
  private struct Flight {
    let number: Int
    let expression: String
    let arrival: Arrival
  }

  private var flight: Flight?
  private var lastFlight = 0
  /// Values with a message that the broker has not been given.
  private var unsent: [String] = []
  private var complaints = Complaints(maximumLines: 60)

  private let address: BrokerAddress
  private let loop: EventLoop
  /// The panel's name among the broker's clients.
  var device = ""
  /// The connections of values with `gone`, while the kiosk answers.
  private var lifelines: [String: Lifeline] = [:]
  /// The last wills of connections that broke before the kiosk ended. The broker may not have published them.
  private var owed: [BrokerConnection.Will] = []

  init(_ kiosk: KioskLink, _ address: BrokerAddress, on loop: EventLoop) {
    self.kiosk = kiosk
    self.address = address
    self.loop = loop
  }

  // MARK: The kiosk

  /// Learns which values have topics; answers whether some are new, which the kiosk is to tell.
  func meet(_ tree: TreeAnswer) -> Bool {
    isKioskThere = true
    var hasNew = false
    let old = values
    values = [:]
    listeners = [:]
    for range in tree.ranges ?? [] {
      guard var value = TopicValue(range.name, range.value) else { continue }
      let expression = value.expression
      if let known = old[expression], known.isDescribed(as: value) {
        value = known
      } else {
        hasNew = true
        // A broker gives a new listener what it has kept for each subscription.
        if let topic = value.source?.topic { subscribed.remove(topic) }
      }
      values[expression] = value
      if let topic = value.source?.topic { listeners[topic, default: []].append(expression) }
    }
    arrivals = arrivals.filter { values[$0.key]?.source != nil }
    subscribe()
    renewLifelines()
    return hasNew
  }

  /// Whether the value of an expression comes from a topic and goes to one. What it becomes by a restart is
  /// not to be sent, so the restart has to be known before.
  func isTwoWay(_ expression: String) -> Bool {
    values[expression].map { $0.source != nil && $0.target != nil } ?? false
  }

  /// Notes that the kiosk is away. Arriving messages wait for it, and so does the one that it has not answered.
  func miss() {
    isKioskThere = false
    takeBack()
    subscribed = []
    releaseMachines()
    for expression in values.keys { values[expression]?.forget() }
  }

  /// Keeps the unanswered message for the next connection to the kiosk.
  func takeBack() {
    if let flight, arrivals[flight.expression] == nil {
      arrivals[flight.expression] = flight.arrival
      turns.insert(flight.expression, at: 0)
    }
    flight = nil
  }

  /// Notes that the kiosk has been restarted and has forgotten its messages: the broker is to send those that it has
  /// kept again. Until then, values from topics are as the file has them, which is no news for a device.
  func restart() {
    subscribed = []
    for (expression, value) in values where value.source != nil { values[expression]?.forget() }
  }

  /// Takes note of what the kiosk tells.
  func tell(_ expression: String, is value: JSONValue) {
    if values[expression]?.note(value) != nil { queue(expression) }
  }

  private func queue(_ expression: String) {
    if !unsent.contains(expression) { unsent.append(expression) }
  }

  // MARK: Values with `gone`

  /// Whether a machine depends on the kiosk.
  var hasMachines: Bool { values.values.contains { $0.gone != nil } }

  /// Publishes each `gone`.
  func releaseMachines() {
    for expression in lifelines.keys { release(expression) }
    flush()
  }

  private func release(_ expression: String) {
    guard let line = lifelines.removeValue(forKey: expression) else { return }
    if line.connection == nil, line.wasConnected { owed.append(line.will) }
    line.drop()
  }

  /// Opens a connection for each value with `gone`, and ends the connections of former topics and messages.
  private func renewLifelines() {
    for (expression, line) in lifelines where values[expression]?.will != line.will {
      release(expression)
    }
    for (expression, value) in values.sorted(by: { $0.key < $1.key })
    where lifelines[expression] == nil {
      guard let will = value.will else { continue }
      // No panel's own name has a full stop.
      let line = Lifeline(to: address, as: "\(device).\(value.name)", will, on: loop)
      line.onConnect = { [unowned self] in
        if values[expression]?.isDue == true { queue(expression) }
        flush()
      }
      line.onRoom = { [unowned self] in flush() }
      line.onFailure = { [unowned self] in
        report("cannot publish \(expression): no connection for its \"gone\": \($0)")
      }
      lifelines[expression] = line
      if broker != nil { line.connect() }
    }
  }

  // MARK: The broker

  /// Nil while there is no connection.
  var broker: BrokerConnection? {
    didSet {
      subscribed = []
      subscribe()
      for expression in values.keys { values[expression]?.forgetSent() }
      // The broker may have forgotten the last message, or never have received it.
      for (expression, value) in values.sorted(by: { $0.key < $1.key })
      where value.gone == nil && value.isDue { queue(expression) }
      for line in lifelines.values { if broker == nil { line.rest() } else { line.connect() } }
    }
  }

  private func connection(of value: TopicValue) -> BrokerConnection? {
    value.gone == nil ? broker : lifelines[value.expression]?.connection
  }

  private func subscribe() {
    guard let broker else { return }
    for topic in subscribed where listeners[topic] == nil { broker.unsubscribe(from: topic) }
    for topic in listeners.keys.sorted() where !subscribed.contains(topic) {
      broker.subscribe(to: topic)
    }
    subscribed = Set(listeners.keys)
  }

  /// Sends what waits, as long as the broker takes it.
  func flush() {
    while let broker, broker.isConnected, let will = owed.first {
      owed.removeFirst()
      broker.publish(will.topic, will.text, isRetained: will.isRetained)
    }
    var index = 0
    while index < unsent.count {
      let expression = unsent[index]
      guard let value = values[expression], let target = value.target, let message = value.message
      else {
        unsent.remove(at: index)
        continue
      }
      guard let connection = connection(of: value), connection.isConnected, !connection.isBusy
      else {
        index += 1
        continue
      }
      unsent.remove(at: index)
      connection.publish(target.topic, message, isRetained: target.isRetained)
      values[expression]?.noteSent()
    }
  }

  // MARK: Messages

  /// Takes a message, if it is of a topic that a value comes from.
  func take(_ message: BrokerConnection.Message) {
    for expression in listeners[message.topic] ?? [] {
      // A message that the broker has kept is sent to a new listener, and is not an echo of what was sent.
      if !message.isRetained, values[expression]?.isOwn(message.payload) == true { continue }
      // A message that is too long is only counted.
      let payload = message.payload.prefix(TopicValue.maximumBytes + 1)
      if arrivals.updateValue(
        Arrival(payload: Array(payload), time: MonotonicClock.now), forKey: expression) == nil
      {
        turns.append(expression)
      }
    }
    advance()
  }

  /// Gives the kiosk the next message.
  func advance() {
    while isKioskThere, flight == nil, !turns.isEmpty {
      let expression = turns.removeFirst()
      guard let arrival = arrivals.removeValue(forKey: expression), let value = values[expression],
        let topic = value.source?.topic
      else { continue }
      if let after = value.staleAfter, arrival.time + after <= MonotonicClock.now { continue }
      do throws(OrderError) {
        let new = try value.value(in: arrival.payload)
        give(new, to: expression, from: topic, arrival)
      } catch {
        report("\(value.name): \(topic): \(error)")
      }
    }
  }

  private func give(
    _ new: JSONValue, to expression: String, from topic: String, _ arrival: Arrival
  ) {
    guard let order = values[expression]?.order(new) else { return }
    values[expression]?.hear(new)
    lastFlight += 1
    let number = lastFlight
    flight = Flight(number: number, expression: expression, arrival: arrival)
    kiosk.carryOut(order) { [unowned self] problem in
      // The kiosk has been away since, and is given the message once more.
      guard flight?.number == number else { return }
      flight = nil
      if let problem {
        values[expression]?.dropHeard()
        report("\(expression): \(topic): \(problem)")
      } else {
        values[expression]?.confirmHeard()
      }
      advance()
    }
  }

  private func report(_ failure: String) {
    guard let line = complaints.line(failure, at: MonotonicClock.now) else { return }
    Log.write(line)
    kiosk.report(failure: line)
  }
}

extension TopicValue {
  /// The last will of its connection, or nil without `gone`.
  fileprivate var will: BrokerConnection.Will? {
    guard let target, let gone else { return nil }
    return BrokerConnection.Will(
      topic: target.topic, text: gone, isRetained: target.isRetained)
  }
}
