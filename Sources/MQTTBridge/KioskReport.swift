// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import JSONRPC
internal import KioskProtocol

enum Requester: Hashable {
  /// A value's topic, identified by the value's expression.
  case value(String)
  /// An entity's topic, identified by the entity's name.
  case entity(String)
}

enum RequestOutcome {
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
  var problem: String? {
    switch self {
    case .done: nil
    case .refused(let error): "\(error)"
    case .disconnected(let reason): "not connected to the kiosk: \(reason)"
    }
  }
}

enum KioskReport {
  /// The description, at first and whenever it may have changed.
  case described(StatusAnswer, TreeAnswer)
  /// The status, every few seconds.
  case status(StatusAnswer)
  case silent
  case lostNotifications
  /// Another connection has replaced a broken one.
  case reconnected(reason: String)
  case away(reason: String)
  case event([JSONValue.Member])
  case value(String, JSONValue, cause: String)
  case answered(Requester, request: Int, RequestOutcome)
}
