// SPDX-License-Identifier: MIT

package import RoundelJSON
package import JSONRPC
package import KioskProtocol

package enum Requester: Hashable {
  /// A value, identified by its expression.
  case value(String)
  /// An entity of the kiosk, identified by its name.
  case entity(String)
}

package enum RequestOutcome {
  case done(JSONValue)
  case refused(RemoteError)
  case disconnected(reason: String)

  init(_ result: Result<JSONValue, RemoteError>) {
    switch result {
    case .success(let json): self = .done(json)
    case .failure(let error): self = .refused(error)
    }
  }

  /// The reason for a failure, or nil on success.
  package var problem: String? {
    switch self {
    case .done: nil
    case .refused(let error): "\(error)"
    case .disconnected(let reason): "not connected to the kiosk: \(reason)"
    }
  }
}

package enum KioskReport {
  /// The description, initially and whenever it may have changed.
  case described(StatusAnswer, TreeAnswer)
  /// The status, every few seconds.
  case status(StatusAnswer)
  case silent
  case lostNotifications
  /// Another connection has replaced a broken one.
  case reconnected(reason: String)
  case away(reason: String)
  case event([JSONValue.Member])
  /// `isSettled` is false while a finger holds a control that sets the value, or such a control
  /// moves.
  case value(String, JSONValue, cause: String, isSettled: Bool)
  case answered(Requester, request: Int, RequestOutcome)
}
