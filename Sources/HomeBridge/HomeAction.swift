// SPDX-License-Identifier: MIT

package import Exchange
package import RoundelJSON
internal import RoundelMotion

package enum HomeAction: Hashable, Sendable {
  case kiosk(KioskAction)
  case open(ConnectionID)
  /// Sends the access token, which only the program knows.
  case authenticate(ConnectionID)
  case send(JSONValue, ConnectionID)
  case close(ConnectionID)
}

package enum HomeInput: Sendable {
  case message([UInt8])
  case ended(reason: String)
}

/// The pending actions for the program. All sessions share the queue.
final class HomeActions {
  let kiosk: KioskActions
  private var actions: [HomeAction] = []

  init(at now: Timestamp) { kiosk = KioskActions(at: now) }

  var now: Timestamp {
    get { kiosk.now }
    set { kiosk.now = newValue }
  }

  func add(_ action: HomeAction) { actions.append(action) }

  func log(_ line: String) { kiosk.log(line) }

  func takeFirst() -> HomeAction? {
    if let action = kiosk.takeFirst() { return .kiosk(action) }
    return actions.isEmpty ? nil : actions.removeFirst()
  }
}
