// SPDX-License-Identifier: MIT

package import JSONRPC
internal import RoundelMotion

/// A connection to the kiosk or to a broker.
package struct ConnectionID: Hashable, Sendable {
  fileprivate let number: Int
}

package struct BrokerMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// Whether the broker must retain the message, or has retained a received one.
  package var isRetained: Bool

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
  case openKiosk(ConnectionID)
  case send(Request, ConnectionID)
  case closeKiosk(ConnectionID)
  case openBroker(ConnectionID, client: String, will: BrokerMessage, keepAlive: Int)
  case subscribe(String, ConnectionID)
  case unsubscribe(String, ConnectionID)
  case publish(BrokerMessage, ConnectionID)
  /// Sends a DISCONNECT, so that the broker doesn't publish the will.
  case closeBroker(ConnectionID)
  /// Sends no DISCONNECT, so that the broker publishes the will.
  case dropBroker(ConnectionID)
  case log(String)
}

package enum KioskInput: Sendable {
  case opened
  case response(Response)
  case notification(Request)
  case ended(reason: String)
}

package enum BrokerInput: Sendable {
  case accepted
  case message(BrokerMessage)
  case ended(reason: String)
}

/// The pending actions for the program. All sessions share the queue.
final class ActionQueue {
  var now: Timestamp
  private var actions: [Action] = []
  private var lastConnection = 0

  init(at now: Timestamp) { self.now = now }

  func add(_ action: Action) { actions.append(action) }

  func takeFirst() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

  func makeConnection() -> ConnectionID {
    lastConnection += 1
    return ConnectionID(number: lastConnection)
  }
}
