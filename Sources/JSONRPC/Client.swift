// SPDX-License-Identifier: MIT

package import RoundelJSON
package import LinuxIO
package import RoundelMotion
package import SystemPackage

/// The client side of a server's socket, with blocking calls.
package final class Client {
  package var onNotification: (Request) -> Void = { _ in }
  /// Called by `dispatch` and `listen` for answers to requests sent without waiting.
  package var onAnswer: (Response) -> Void = { _ in }

  private let lines: JSONLines
  private var lastID = 0

  /// Uses two descriptors, such as pipes. A message over `limit` bytes is an error. The default
  /// exceeds the largest screenshot.
  package init(
    reading input: consuming OwnedDescriptor, writing output: consuming OwnedDescriptor,
    limit: Int = 256 << 20
  ) {
    lines = JSONLines(reading: input, writing: output, limit: limit)
  }

  package init(at path: String) throws(ClientError) {
    do throws(Errno) {
      lines = try JSONLines(at: path)
    } catch {
      throw ClientError(connectingTo: path, error)
    }
  }

  /// Makes `send` non-blocking. Only short requests may then wait for their answer.
  package func sendWithoutWaiting(on loop: EventLoop) throws(Errno) {
    try lines.sendWithoutWaiting(on: loop)
  }

  /// Sends a request. A nil `timeout` waits forever.
  package func call<Request: MethodRequest>(
    _ request: Request, timeout: Double? = 30
  ) throws(ClientError) -> Request.Answer {
    try answer(to: try send(request), timeout: timeout)
  }

  package struct Sent<Answer: JSONConvertible>: Hashable {
    package let id: JSONValue
    let method: String

    package func answer(_ json: JSONValue) throws(ClientError) -> Answer {
      guard let answer = Answer(json) else { throw .misread(method: method) }
      return answer
    }
  }

  /// Pass the results to `answer(to:)` in the order of the requests.
  package func send<Request: MethodRequest>(
    _ request: Request
  ) throws(ClientError) -> Sent<Request.Answer> {
    let method = Request.method.name
    return Sent(id: try send(method, request.jsonMembers), method: method)
  }

  package func answer<Answer>(
    to sent: Sent<Answer>, timeout: Double? = 30
  ) throws(ClientError) -> Answer {
    try sent.answer(try answer(to: sent.id, timeout: timeout))
  }

  package func call(
    _ method: String, _ parameters: [JSONValue.Member] = [], timeout: Double? = 30
  ) throws(ClientError) -> JSONValue {
    try answer(to: try send(method, parameters), timeout: timeout)
  }

  /// Returns the id of the answer, without waiting for it.
  package func send(
    _ method: String, _ parameters: [JSONValue.Member] = []
  ) throws(ClientError) -> JSONValue {
    lastID += 1
    let id = JSONValue.number(Double(lastID))
    try send(numbered: Request(method, parameters.isEmpty ? nil : .object(parameters), id: id))
    return id
  }

  /// Sends a request with its own id.
  package func send(numbered request: Request) throws(ClientError) {
    do throws(Errno) {
      try lines.send(request.json)
    } catch {
      // The server may have sent an error before.
      do throws(ClientError) {
        while let message = try next(until: MonotonicClock.now + 1) {
          if case .response(let response) = message,
            case .failure(let error) = response.outcome
          {
            throw .refused(error)
          }
        }
      } catch .timedOut {}
      throw .disconnected
    }
  }

  private func answer(
    to id: JSONValue, timeout: Double? = 30
  ) throws(ClientError) -> JSONValue {
    let deadline = timeout.map { MonotonicClock.now + $0 }
    while true {
      switch try next(until: deadline) {
      case .notification(let notification): onNotification(notification)
      case .response(let response):
        switch response.outcome {
        case .success(let result): if response.id == id { return result }
        // An error without an id concerns the connection itself.
        case .failure(let error):
          if response.id == id || response.id == .null { throw .refused(error) }
        }
      case nil: throw .disconnected
      }
    }
  }

  /// Dispatches messages until the server disconnects. Throws after `timeout` seconds.
  package func listen(timeout: Double? = nil) throws(ClientError) {
    let deadline = timeout.map { MonotonicClock.now + $0 }
    try passOn()
    repeat {
      guard lines.wait(until: deadline) else { throw .timedOut(seconds: timeout ?? 0) }
    } while try dispatch()
  }

  /// Waits for messages until `deadline`. Returns false on timeout.
  package func listen(until deadline: Timestamp) throws(ClientError) -> Bool {
    guard try !passOn() else { return true }
    guard lines.wait(until: deadline) else { return false }
    guard try dispatch() else { throw .disconnected }
    return true
  }

  package var descriptor: CInt { lines.descriptor }

  /// Waits for messages. Returns false if the server has disconnected.
  package func dispatch() throws(ClientError) -> Bool {
    guard lines.receive() else { return false }
    try passOn()
    return true
  }

  /// Returns false if no message was received.
  @discardableResult
  private func passOn() throws(ClientError) -> Bool {
    var isAny = false
    while let message = try take() {
      isAny = true
      switch message {
      case .notification(let notification): onNotification(notification)
      case .response(let response): onAnswer(response)
      }
    }
    return isAny
  }

  private enum Message {
    case notification(Request)
    case response(Response)
  }

  private func next(until deadline: Timestamp?) throws(ClientError) -> Message? {
    let start = MonotonicClock.now
    while true {
      if let message = try take() { return message }
      guard lines.wait(until: deadline) else {
        throw .timedOut(seconds: (deadline ?? start) - start)
      }
      guard lines.receive() else { return nil }
    }
  }

  private func take() throws(ClientError) -> Message? {
    do throws(JSONLines.Garbled) {
      guard let json = try lines.next() else { return nil }
      if let response = Response(json) { return .response(response) }
      if let request = try? Request(json) { return .notification(request) }
      throw JSONLines.Garbled(text: String(json.text.prefix(100)))
    } catch {
      throw .garbled(error.text)
    }
  }
}
