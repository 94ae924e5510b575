// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import SystemPackage

/// Sends concurrent requests, each on its own connection. When one closes, the kiosk ends its waits
/// and lifts its fingers.
final class KioskRequests {
  private let address: KioskAddress
  private let loop: EventLoop
  private var idle: [Line] = []

  init(_ address: KioskAddress, on loop: EventLoop) {
    self.address = address
    self.loop = loop
  }

  private final class Line {
    // `watch` must end before the connection closes its descriptor.
    var watch: EventLoop.Token?
    let connection: KioskConnection
    var timeout: EventLoop.Token?
    var whenDone: ((Result<JSONValue, ClientError>) -> Void)?

    init(_ connection: KioskConnection) { self.connection = connection }
  }

  /// A pending request, cancelled when released.
  final class Pending {
    private let line: AnyObject
    fileprivate init(_ line: AnyObject) { self.line = line }
  }

  /// Calls `whenDone` at most `timeout` seconds later, unless the result is released earlier.
  func ask(
    _ method: String, _ parameters: [JSONValue.Member], timeout: Double = 30,
    whenDone: @escaping (Result<JSONValue, KioskError>) -> Void
  ) throws(KioskError) -> Pending {
    let line: Line
    if let free = idle.popLast() { line = free } else { line = try connect() }
    do throws(ClientError) {
      _ = try line.connection.client.send(method, parameters)
    } catch {
      throw line.connection.error(error)
    }
    line.whenDone = { [unowned line] result in
      switch result {
      case .success(let answer): whenDone(.success(answer))
      case .failure(let error): whenDone(.failure(line.connection.error(error)))
      }
    }
    line.timeout = loop.schedule(at: loop.now + timeout) {
      [unowned self, unowned line] in
      end(line, .failure(.timedOut(seconds: timeout)))
    }
    return Pending(line)
  }

  private func connect() throws(KioskError) -> Line {
    let line = Line(try KioskConnection(to: address, version: ProgramVersion.current, waits: false))
    let client = line.connection.client
    client.onAnswer = { [unowned self, unowned line] response in
      switch response.outcome {
      case .success(let answer): end(line, .success(answer))
      case .failure(let error): end(line, .failure(.refused(error)))
      }
    }
    do throws(Errno) {
      line.watch = try loop.watch(client.descriptor) { [unowned self, unowned line] _ in
        do throws(ClientError) {
          guard try line.connection.client.dispatch() else { throw .disconnected }
        } catch {
          end(line, .failure(error))
        }
      }
    } catch {
      throw KioskError(.unavailable, "cannot wait for the kiosk: \(error)")
    }
    return line
  }

  /// Reuses a connection that answered.
  private func end(_ line: Line, _ result: Result<JSONValue, ClientError>) {
    line.timeout = nil
    idle.removeAll { $0 === line }
    guard let whenDone = line.whenDone else { return }
    line.whenDone = nil
    switch result {
    case .success, .failure(.refused): idle.append(line)
    case .failure: line.watch = nil
    }
    whenDone(result)
  }
}
