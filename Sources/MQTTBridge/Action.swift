// SPDX-License-Identifier: MIT

package import JSONRPC
internal import Motion

/// A connection to the kiosk or to a broker.
package struct ConnectionID: Hashable, Sendable {
  fileprivate let number: Int
}

package struct BrokerMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// For a message to the broker, whether the broker must retain it. For a received message, whether it was retained.
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

/// An action that the bridge's program performs.
package enum Action: Hashable, Sendable {
  case openKiosk(ConnectionID)
  case send(Request, ConnectionID)
  case closeKiosk(ConnectionID)
  case openBroker(ConnectionID, client: String, will: BrokerMessage, keepAlive: Int)
  case subscribe(String, ConnectionID)
  case unsubscribe(String, ConnectionID)
  case publish(BrokerMessage, ConnectionID)
  /// Ends the connection with a DISCONNECT, so that the broker does not publish the will.
  case closeBroker(ConnectionID)
  /// Ends the connection without a DISCONNECT, so that the broker publishes the will.
  case dropBroker(ConnectionID)
  case log(String)
}

/// Input from a connection to the kiosk.
package enum KioskInput: Sendable {
  case opened
  case response(Response)
  case notification(Request)
  case ended(reason: String)
}

/// Input from a connection to a broker.
package enum BrokerInput: Sendable {
  case accepted
  case message(BrokerMessage)
  case ended(reason: String)
}

/// The pending actions for the program, in order, and the current time. All sessions share the queue.
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
