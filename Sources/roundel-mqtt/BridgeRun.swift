// SPDX-License-Identifier: MIT

import Exchange
import LinuxIO
import MQTTBridge
import RoundelBroker
import RoundelMotion

/// Performs a bridge's actions, and passes it input and deadlines.
final class BridgeRun {
  /// The largest image. Descriptions of kiosks with thousands of controls are smaller.
  private static let maximumPayloadBytes = ImageFolder.maximumBytes
  /// Seconds between the last change and the release of unused memory.
  private static let restSeconds = 3.0

  private let address: BrokerAddress
  private let loop: EventLoop
  private var bridge: Bridge
  private let kiosk: KioskConnections
  private var brokers: [ConnectionID: BrokerConnection] = [:]
  private var timer: (time: Timestamp, token: EventLoop.Token)?
  private var rest: EventLoop.Token?

  init(
    _ settings: BridgeSettings, broker address: BrokerAddress, kiosk socket: String,
    on loop: EventLoop
  ) {
    self.address = address
    self.loop = loop
    bridge = Bridge(settings, at: loop.now)
    kiosk = KioskConnections(to: socket, on: loop)
    kiosk.onLog = { log.write($0) }
    kiosk.onInput = { [unowned self] input, connection in
      bridge.receive(input, from: connection, at: loop.now)
      performActions()
    }
  }

  func start() {
    bridge.advance(to: loop.now)
    performActions()
  }

  func stop() {
    bridge.stop(at: loop.now)
    performActions()
  }

  private func receive(broker input: BrokerInput, from connection: ConnectionID) {
    bridge.receive(input, from: connection, at: loop.now)
    performActions()
  }

  // MARK: Actions

  private func performActions() {
    while let action = bridge.nextAction(at: loop.now, hasRoom: hasRoom) { perform(action) }
    let deadline = bridge.deadline(hasRoom: hasRoom)
    guard deadline != timer?.time else { return }
    timer = deadline.map { time in
      let token = loop.schedule(at: time) { [unowned self] in
        timer = nil
        bridge.advance(to: loop.now)
        performActions()
      }
      return (time, token)
    }
  }

  private func hasRoom(_ connection: ConnectionID) -> Bool {
    brokers[connection].map { $0.isConnected && !$0.isBusy } ?? false
  }

  private func perform(_ action: Action) {
    switch action {
    case .kiosk(let action): kiosk.perform(action)
    case .openBroker(let connection, let client, let will, let keepAlive):
      openBroker(connection, client, will, keepAlive: keepAlive)
    case .subscribe(let topic, let connection): brokers[connection]?.subscribe(to: topic)
    case .unsubscribe(let topic, let connection): brokers[connection]?.unsubscribe(from: topic)
    case .publish(let message, let connection):
      brokers[connection]?.publish(BrokerConnection.Message(message))
      giveBackMemorySoon()
    case .closeBroker(let connection):
      let broker = brokers.removeValue(forKey: connection)
      broker?.close()
      release(broker)
    case .dropBroker(let connection):
      let broker = brokers.removeValue(forKey: connection)
      broker?.drop()
      release(broker)
    }
  }

  /// Releases a connection later, because it may be on the call stack.
  private func release(_ connection: Any?) {
    if let connection { loop.perform(at: loop.now) { _ = connection } }
  }

  private func giveBackMemorySoon() {
    guard rest == nil else { return }
    rest = loop.schedule(at: loop.now + Self.restSeconds) { [unowned self] in
      rest = nil
      FreedMemory.giveBack()
      FreedMemory.giveBackCode()
    }
  }

  // MARK: The broker

  private func openBroker(
    _ connection: ConnectionID, _ client: String, _ will: BrokerMessage, keepAlive: Int
  ) {
    do throws(BrokerConnection.Failure) {
      let broker = try BrokerConnection(
        to: address, as: client, will: BrokerConnection.Message(will), keepAlive: keepAlive,
        maximumPayloadBytes: Self.maximumPayloadBytes, on: loop)
      brokers[connection] = broker
      broker.onConnect = { [unowned self] in receive(broker: .accepted, from: connection) }
      broker.onMessage = { [unowned self] message in
        receive(
          broker: .message(
            BrokerMessage(message.topic, message.payload, isRetained: message.isRetained)),
          from: connection)
        if message.payload.count > 1 << 16 { FreedMemory.giveBack() }
      }
      broker.onWritable = { [unowned self] in performActions() }
      broker.onEnd = { [unowned self] in
        release(brokers.removeValue(forKey: connection))
        receive(broker: .ended(reason: "\($0)"), from: connection)
      }
    } catch {
      loop.perform(at: loop.now) { [unowned self] in
        receive(broker: .ended(reason: "\(error)"), from: connection)
      }
    }
  }
}

extension BrokerConnection.Message {
  fileprivate init(_ message: BrokerMessage) {
    self.init(topic: message.topic, payload: message.payload, isRetained: message.isRetained)
    quality = message.quality
  }
}
