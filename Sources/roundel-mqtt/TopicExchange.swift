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

  init(_ kiosk: KioskLink) { self.kiosk = kiosk }

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
    guard values[expression]?.note(value) != nil, !unsent.contains(expression) else { return }
    unsent.append(expression)
  }

  // MARK: The broker

  /// Nil while there is no connection.
  var broker: BrokerConnection? {
    didSet {
      subscribed = []
      subscribe()
      for expression in values.keys { values[expression]?.forgetSent() }
      // The broker may have forgotten the last message, or never have received it.
      unsent = values.filter { $0.value.isDue }.keys.sorted()
    }
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
    while let broker, broker.isConnected, !broker.isBusy, let next = unsent.first {
      unsent.removeFirst()
      guard let value = values[next], let target = value.target, let message = value.message else {
        continue
      }
      broker.publish(target.topic, message, isRetained: target.isRetained)
      values[next]?.noteSent()
    }
  }

  // MARK: Messages

  /// Takes a message, if it is of a topic that a value comes from.
  func take(_ message: BrokerConnection.Message) {
    for expression in listeners[message.topic] ?? [] {
      // A message that the broker has kept is sent to a new listener, and is not an echo of what was sent.
      if !message.isRetained, values[expression]?.isOwn(message.payload) == true { continue }
      // A message that is too long is only counted.
      let payload = message.payload.prefix(TopicValue.maximumBytes)
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
