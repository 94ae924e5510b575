// SPDX-License-Identifier: MIT

package import Exchange
internal import RoundelMotion

package struct BrokerMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  package var isRetained: Bool
  /// The quality of service: 0, 1 or 2.
  package var quality = 0

  package init(_ topic: String, _ payload: [UInt8], isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  package init(_ topic: String, _ text: String, isRetained: Bool) {
    self.init(topic, Array(text.utf8), isRetained: isRetained)
  }
}

package enum Action: Hashable, Sendable {
  case kiosk(KioskAction)
  case openBroker(ConnectionID, client: String, will: BrokerMessage, keepAlive: Int)
  case subscribe(String, ConnectionID)
  case unsubscribe(String, ConnectionID)
  case publish(BrokerMessage, ConnectionID)
  /// Sends a DISCONNECT, so that the broker doesn't publish the will.
  case closeBroker(ConnectionID)
  /// Sends no DISCONNECT, so that the broker publishes the will.
  case dropBroker(ConnectionID)
}

package enum BrokerInput: Sendable {
  case accepted
  case message(BrokerMessage)
  case ended(reason: String)
}

/// The pending actions for the program. All sessions share the queue.
final class ActionQueue {
  let kiosk: KioskActions
  private var actions: [Action] = []

  init(at now: Timestamp) { kiosk = KioskActions(at: now) }

  var now: Timestamp {
    get { kiosk.now }
    set { kiosk.now = newValue }
  }

  func add(_ action: Action) { actions.append(action) }

  func log(_ line: String) { kiosk.log(line) }

  func takeFirst() -> Action? {
    if let action = kiosk.takeFirst() { return .kiosk(action) }
    return actions.isEmpty ? nil : actions.removeFirst()
  }

  func makeConnection() -> ConnectionID { kiosk.makeConnection() }
}
