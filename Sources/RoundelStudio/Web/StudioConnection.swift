// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import JSONRPC
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// A browser's connection with one request, which may upgrade to a WebSocket.
final class StudioConnection {
  private enum State {
    case request([UInt8])
    case webSocket
    /// The response is being sent, before the connection closes.
    case answered
  }

  /// Enough for several pictures and a file.
  private static let maximumWaiting = 96 << 20
  private static let maximumMessageBytes = 8 << 20
  /// Seconds for a request, each part of its response, and each message of a page.
  private static let timeout = 10.0

  private let socket: OwnedDescriptor
  private unowned let server: StudioServer
  private var token: EventLoop.Token?
  private var state = State.request([])
  private var frames = WebSocketFrames(limit: maximumMessageBytes)
  private var waiting: [UInt8] = []
  private var sent = 0
  /// The time limit, or nil for a WebSocket between messages.
  private var deadline: EventLoop.Token?
  private(set) var isOpen = true
  let page: ClientID

  var shown: SeenPicture?
  /// Sent frames that the page hasn't drawn yet.
  var framesInFlight = 0

  init(
    _ socket: consuming OwnedDescriptor, _ page: ClientID, of server: StudioServer
  ) throws(Errno) {
    self.socket = socket
    self.page = page
    self.server = server
    token = try server.loop.watch(self.socket.rawValue) { [unowned self] readiness in
      if readiness.contains(.writable) { flush() }
      if isOpen, !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) { receive() }
    }
    postponeEnd()
  }

  var isWebSocket: Bool { if case .webSocket = state { true } else { false } }

  private func postponeEnd() {
    deadline = server.loop.schedule(at: server.loop.now + Self.timeout) { [unowned self] in
      close()
    }
  }

  private func receive() {
    let chunk: [UInt8]
    do throws(Errno) {
      chunk = try socket.receive(upTo: 1 << 16)
    } catch .resourceTemporarilyUnavailable {
      return
    } catch {
      return close()
    }
    guard !chunk.isEmpty else { return close() }
    switch state {
    case .request(let before): request(before + chunk)
    case .webSocket:
      frames.append(chunk)
      while isOpen {
        do throws(WebSocketFrames.Violation) {
          guard let message = try frames.next() else { break }
          take(message)
        } catch {
          return close()
        }
      }
      // Messages have a time limit.
      guard frames.isIncomplete else { return deadline = nil }
      if deadline == nil { postponeEnd() }
    case .answered: break
    }
  }

  private func request(_ bytes: [UInt8]) {
    guard let end = HTTPRequest.end(of: bytes) else {
      if bytes.count > HTTPRequest.maximumBytes {
        return answer(.refusal("431 Request Header Fields Too Large", "the request is too long"))
      }
      state = .request(bytes)
      return
    }
    guard let request = HTTPRequest(bytes[..<end]) else {
      return answer(.refusal("400 Bad Request", "not an HTTP request"))
    }
    switch server.answer(to: request) {
    case .response(let response): answer(response, withBody: request.method != "HEAD")
    case .webSocket(let accept):
      state = .webSocket
      deadline = nil
      let head = """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Accept: \(accept)\r
        \r

        """
      send(Array(head.utf8))
      server.opened(self)
    }
  }

  private func answer(_ response: HTTPResponse, withBody: Bool = true) {
    state = .answered
    send(response.bytes(withBody: withBody))
  }

  private func take(_ message: WebSocketFrames.Message) {
    switch message {
    case .close: close()
    case .ping(let payload): send(WebSocketFrames.head(10, count: payload.count) + payload)
    case .binary: close()
    case .text(let bytes):
      guard let json = try? JSONValue(parsing: bytes, maximumValues: 100_000) else {
        return close()
      }
      server.take(json, from: self)
    }
  }

  func send(text bytes: [UInt8]) {
    send(WebSocketFrames.head(1, count: bytes.count) + bytes)
  }

  func send(binary bytes: [UInt8]) {
    send(WebSocketFrames.head(2, count: bytes.count) + bytes)
  }

  private func send(_ bytes: [UInt8]) {
    guard isOpen else { return }
    waiting += bytes
    guard waiting.count - sent <= Self.maximumWaiting else { return close() }
    flush()
  }

  private func flush() {
    while sent < waiting.count {
      do throws(Errno) {
        let count = try LocalSocket.send(waiting[sent...], to: socket.rawValue)
        if count == 0 { break }
        sent += count
        if case .answered = state { postponeEnd() }
      } catch {
        return close()
      }
    }
    let isDone = sent == waiting.count
    if isDone {
      waiting = []
      sent = 0
      if case .answered = state { return close() }
    }
    if let token {
      try? server.loop.change(token, to: isDone ? .readable : [.readable, .writable])
    }
  }

  /// The socket is closed when the owner releases it.
  func close() {
    guard isOpen else { return }
    isOpen = false
    token = nil
    deadline = nil
    server.closed(self)
  }
}
