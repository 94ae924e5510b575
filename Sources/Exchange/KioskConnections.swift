// SPDX-License-Identifier: MIT

internal import JSONRPC
internal import KioskProtocol
package import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// A bridge's connections to the kiosk's socket, on an event loop.
package final class KioskConnections {
  private struct Connection {
    let client: Client
    let watch: EventLoop.Token
  }

  private let socket: String
  private let loop: EventLoop
  private var connections: [ConnectionID: Connection] = [:]

  package var onInput: (KioskInput, ConnectionID) -> Void = { _, _ in }
  package var onLog: (String) -> Void = { _ in }

  package init(to socket: String, on loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  package func perform(_ action: KioskAction) {
    switch action {
    case .open(let connection): open(connection)
    case .send(let request, let connection):
      // If the connection has ended, the next read reports it.
      try? connections[connection]?.client.send(numbered: request)
    case .close(let connection): release(connection)
    case .log(let line): onLog(line)
    }
  }

  private func open(_ connection: ConnectionID) {
    do throws(ClientError) {
      connections[connection] = try connect(connection)
      loop.perform(at: loop.now) { [unowned self] in onInput(.opened, connection) }
    } catch {
      end(connection, error)
    }
  }

  private func connect(_ connection: ConnectionID) throws(ClientError) -> Connection {
    let client = try Client(at: socket)
    client.onNotification = { [unowned self] in onInput(.notification($0), connection) }
    client.onAnswer = { [unowned self] in onInput(.response($0), connection) }
    do throws(Errno) {
      // A hung kiosk doesn't read.
      try client.sendWithoutWaiting(on: loop)
      let watch = try loop.watch(client.descriptor) { [unowned self, unowned client] _ in
        do throws(ClientError) {
          guard try client.dispatch() else { throw .disconnected }
        } catch {
          end(connection, error)
        }
      }
      return Connection(client: client, watch: watch)
    } catch {
      throw .unreachable(path: socket, reason: "\(error)")
    }
  }

  private func end(_ connection: ConnectionID, _ error: ClientError) {
    release(connection)
    loop.perform(at: loop.now) { [unowned self] in onInput(.ended(reason: "\(error)"), connection) }
  }

  /// Releases a connection later, because it may be on the call stack.
  private func release(_ connection: ConnectionID) {
    guard let client = connections.removeValue(forKey: connection)?.client else { return }
    loop.perform(at: loop.now) { _ = client }
  }
}
