// SPDX-License-Identifier: MIT

import Exchange
import RoundelJSON
import KioskProtocol
import MQTTBridge
import RoundelMotion

/// A bridge between a simulated kiosk and a simulated broker, on a virtual clock.
final class BridgeModel {
  private(set) var kiosk = KioskModel()
  private(set) var broker = BrokerModel()
  private(set) var log: [String] = []
  /// The numbers of received messages by topic, each with the length of the log before it.
  private(set) var received: [String: [(number: Int, lines: Int)]] = [:]
  private(set) var violation: String?
  private var bridge: Bridge
  private(set) var now = Timestamp(seconds: 1000)
  private var lastNumber = 0

  init() {
    var settings = BridgeSettings(
      broker: "broker:1883", prefix: "roundel", discoveryPrefix: "homeassistant", version: "1",
      wallTime: { 0 }, requestUpdate: { nil })
    settings.node = ("n", "n")
    bridge = Bridge(settings, at: now)
    advance()
  }

  // MARK: The bridge

  private func performActions() {
    while let action = bridge.nextAction(at: now, hasRoom: { broker.hasRoom($0) }) {
      switch action {
      case .kiosk(.open(let connection)): kiosk.open(connection)
      case .kiosk(.send(let request, let connection)): kiosk.send(request, by: connection)
      case .kiosk(.close(let connection)): kiosk.close(connection)
      case .kiosk(.log(let line)): log.append(line)
      case .openBroker(let connection, let client, let will, _):
        broker.open(connection, client, will: will)
      case .subscribe(_, let connection), .unsubscribe(_, let connection),
        .publish(_, let connection), .closeBroker(let connection), .dropBroker(let connection):
        broker.add(action, by: connection)
      }
    }
  }

  private func advance() {
    bridge.advance(to: now)
    performActions()
  }

  private var deadline: Timestamp? { bridge.deadline { broker.hasRoom($0) } }

  /// Advances the time and runs the bridge's timers. Messages arrive within 10 seconds.
  func pass(_ seconds: Double) {
    if seconds > 10 { while deliverFromKiosk() || deliverFromBroker() {} }
    let end = now + seconds
    var count = 0
    while let deadline, deadline <= end {
      now = max(now, deadline)
      advance()
      count += 1
      guard count < 1000 else {
        violation = "the bridge wakes up again and again"
        break
      }
    }
    now = end
  }

  /// Advances to the bridge's next timer, at most by `seconds`.
  func passUntilTimer(_ seconds: Double) {
    pass(deadline.map { min(max($0 - now, 0), seconds) } ?? seconds)
  }

  // MARK: Steps

  func perform(_ step: BridgeStep) {
    switch step {
    case .pass(let seconds): pass(seconds)
    case .drain: drain()
    case .kioskServes(let choice): kiosk.serve(choice, at: now.seconds)
    case .kioskAnswers: deliverFromKiosk()
    case .brokerServes(let choice): broker.serve(choice)
    case .brokerAnswers: deliverFromBroker()
    case .kioskRuns: kiosk.run(at: now.seconds)
    case .kioskHangs: kiosk.hang()
    case .kioskDies: kiosk.die()
    case .kioskBreaks: kiosk.breakConnections()
    case .kioskRestarts: kiosk.restart()
    case .kioskReloads: kiosk.reload()
    case .brokerRuns: broker.run()
    case .brokerDies(let isForgetting): broker.die(forgetting: isForgetting)
    case .brokerBreaks(let choice): broker.breakConnection(choice)
    case .user(let name): kiosk.set(name, to: -Double(nextNumber()), by: "finger")
    case .device(let topic, let isRetained):
      broker.publish(BrokerMessage(topic, "\(nextNumber())", isRetained: isRetained))
    case .press(let name):
      let payload = name == "panel" ? #"{"state": "ON", "brightness": 9}"# : "PRESS"
      broker.publish(BrokerMessage("roundel/n/\(name)/set", payload, isRetained: false))
    }
  }

  private func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  @discardableResult
  private func deliverFromKiosk() -> Bool {
    guard let (connection, input) = kiosk.takeOutput() else { return false }
    bridge.receive(input, from: connection, at: now)
    performActions()
    return true
  }

  @discardableResult
  private func deliverFromBroker() -> Bool {
    guard let (connection, input) = broker.takeOutput() else { return false }
    if case .message(let message) = input,
      let number = Int(String(decoding: message.payload, as: UTF8.self))
    {
      received[message.topic, default: []].append((number, log.count))
    }
    bridge.receive(input, from: connection, at: now)
    performActions()
    return true
  }

  /// Delivers everything.
  func drain() {
    for _ in 0..<10_000 {
      if kiosk.hasRequests {
        kiosk.serve(kiosk.done.count, at: now.seconds)
      } else if broker.hasActions {
        broker.serve(0)
        performActions()
      } else if !deliverFromKiosk(), !deliverFromBroker() {
        return
      }
    }
    violation = "messages go round and round"
  }
}

/// A step of a history.
enum BridgeStep: Hashable {
  case pass(Double), drain
  case kioskServes(Int), kioskAnswers, brokerServes(Int), brokerAnswers
  case kioskRuns, kioskHangs, kioskDies, kioskBreaks, kioskRestarts, kioskReloads
  case brokerRuns, brokerDies(isForgetting: Bool), brokerBreaks(Int)
  /// A user changes a value at the kiosk.
  case user(String)
  /// A device publishes a number.
  case device(String, isRetained: Bool)
  case press(String)

  static func random(_ generator: inout some RandomNumberGenerator) -> BridgeStep {
    let choice = Int.random(in: 0..<6, using: &generator)
    let seconds = [0.05, 0.3, 1, 2.5, 5, 12, 70]
    return switch Int.random(in: 0..<100, using: &generator) {
    case ..<12: .pass(seconds[Int.random(in: 0..<7, using: &generator)])
    case ..<24: .drain
    case ..<30: .kioskServes(choice)
    case ..<36: .kioskAnswers
    case ..<42: .brokerServes(choice)
    case ..<48: .brokerAnswers
    case ..<53: .kioskRuns
    case ..<55: .kioskHangs
    case ..<58: .kioskDies
    case ..<61: .kioskBreaks
    case ..<63: .kioskRestarts
    case ..<65: .kioskReloads
    case ..<69: .brokerRuns
    case ..<71: .brokerDies(isForgetting: choice < 3)
    case ..<74: .brokerBreaks(choice)
    case ..<84: .user(["out", "both", "jog", "both"][choice % 4])
    case ..<92:
      .device(["kept", "sent", "both/state"][choice % 3], isRetained: choice % 3 == 0)
    case ..<96: .device("roundel/n/count/set", isRetained: false)
    default: .press(choice < 3 ? "$node/reset" : "panel")
    }
  }
}
