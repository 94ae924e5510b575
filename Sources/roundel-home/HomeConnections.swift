// SPDX-License-Identifier: MIT

import Exchange
import HomeBridge
import LinuxIO
import RoundelDeclarations
import RoundelJSON
import RoundelWebSocket

/// The connections to Home Assistant, which send the access token.
final class HomeConnections {
  private let address: WebSocketAddress
  private let authorities: String?
  private let maximumBytes: Int
  /// Reads the token, which may have been replaced since the last connection.
  private let token: () throws(Failure) -> String
  private let loop: EventLoop
  private var connections: [ConnectionID: WebSocketConnection] = [:]

  var onInput: (HomeInput, ConnectionID) -> Void = { _, _ in }

  init(
    to address: WebSocketAddress, authorities: String?, maximumBytes: Int,
    token: @escaping () throws(Failure) -> String, on loop: EventLoop
  ) {
    self.address = address
    self.authorities = authorities
    self.maximumBytes = maximumBytes
    self.token = token
    self.loop = loop
  }

  func perform(_ action: HomeAction) {
    switch action {
    case .kiosk: break
    case .open(let connection): open(connection)
    case .authenticate(let connection): authenticate(connection)
    case .send(let json, let connection): connections[connection]?.send(json.text)
    case .close(let connection):
      let closed = connections.removeValue(forKey: connection)
      closed?.close()
      release(closed)
    }
  }

  private func open(_ connection: ConnectionID) {
    do throws(WebSocketConnection.Failure) {
      let home = try WebSocketConnection(
        to: address, authorities: authorities, maximumBytes: maximumBytes, on: loop)
      connections[connection] = home
      home.onMessage = { [unowned self] in onInput(.message($0), connection) }
      home.onEnd = { [unowned self] in end(connection, $0) }
    } catch {
      loop.perform(at: loop.now) { [unowned self] in end(connection, error.description) }
    }
  }

  private func authenticate(_ connection: ConnectionID) {
    do throws(Failure) {
      let message: JSONValue = ["type": "auth", "access_token": .string(try token())]
      connections[connection]?.send(message.text)
    } catch {
      loop.perform(at: loop.now) { [unowned self] in end(connection, error.message) }
    }
  }

  private func end(_ connection: ConnectionID, _ reason: String) {
    let ended = connections.removeValue(forKey: connection)
    ended?.close()
    release(ended)
    onInput(.ended(reason: reason), connection)
  }

  /// Releases a connection later, because it may be on the call stack.
  private func release(_ connection: WebSocketConnection?) {
    if let connection { loop.perform(at: loop.now) { _ = connection } }
  }
}
