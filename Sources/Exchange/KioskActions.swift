// SPDX-License-Identifier: MIT

package import JSONRPC
package import RoundelMotion

/// A connection to the kiosk or to a service.
package struct ConnectionID: Hashable, Sendable {
  fileprivate let number: Int
}

package enum KioskAction: Hashable, Sendable {
  case open(ConnectionID)
  case send(Request, ConnectionID)
  case close(ConnectionID)
  case log(String)
}

package enum KioskInput: Sendable {
  case opened
  case response(Response)
  case notification(Request)
  case ended(reason: String)
}

/// The pending actions for the program. All sessions of a bridge share the queue.
package final class KioskActions {
  package var now: Timestamp
  private var actions: [KioskAction] = []
  private var lastConnection = 0

  package init(at now: Timestamp) { self.now = now }

  func add(_ action: KioskAction) { actions.append(action) }

  package func log(_ line: String) { actions.append(.log(line)) }

  package func takeFirst() -> KioskAction? { actions.isEmpty ? nil : actions.removeFirst() }

  package func makeConnection() -> ConnectionID {
    lastConnection += 1
    return ConnectionID(number: lastConnection)
  }
}
