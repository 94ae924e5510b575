// SPDX-License-Identifier: MIT

package import JSON
package import LinuxIO
package import Motion
package import SystemPackage

/// The client side of a server's socket, for programs that can afford to wait.
package final class Client {
  /// Called for what the server sends without being asked.
  package var onNotification: (Request) -> Void = { _ in }
  /// Called by `dispatch` and `listen` for an answer to a request that was sent without waiting.
  package var onAnswer: (Response) -> Void = { _ in }

  private let lines: JSONLines
  private var lastID = 0

  /// Talks through two descriptors, such as the ends of a program that passes everything on. A
  /// message of more than `limit` bytes is an error; the largest picture is smaller.
  package init(
    reading input: consuming OwnedDescriptor, writing output: consuming OwnedDescriptor,
    limit: Int = 256 << 20
  ) {
    lines = JSONLines(reading: input, writing: output, limit: limit)
  }

  /// Talks to the server at `path`.
  package init(at path: String) throws(ClientError) {
    do throws(Errno) {
      lines = try JSONLines(at: path)
    } catch {
      throw ClientError(connectingTo: path, error)
    }
  }

  /// Makes every later `send` return at once. Messages wait for room on `loop`, so only short calls may be awaited.
  package func sendWithoutWaiting(on loop: EventLoop) throws(Errno) {
    try lines.sendWithoutWaiting(on: loop)
  }

  /// Asks, and waits for the answer `patience` seconds long; nil waits for ever.
  package func call<Request: MethodRequest>(
    _ request: Request, patience: Double? = 30
  ) throws(ClientError) -> Request.Answer {
    try answer(to: try send(request), patience: patience)
  }

  /// A request that was sent without waiting.
  package struct Sent<Answer: JSONConvertible>: Hashable {
    package let id: JSONValue
    let method: String

    /// Reads an answer to it.
    package func answer(_ json: JSONValue) throws(ClientError) -> Answer {
      guard let answer = Answer(json) else { throw .misread(method: method) }
      return answer
    }
  }

  /// Asks without waiting; the result is to be given to `answer(to:)`, in the order of the requests.
  package func send<Request: MethodRequest>(
    _ request: Request
  ) throws(ClientError) -> Sent<Request.Answer> {
    let method = Request.method.name
    return Sent(id: try send(method, request.jsonMembers), method: method)
  }

  /// Waits for the answer to a request.
  package func answer<Answer>(
    to sent: Sent<Answer>, patience: Double? = 30
  ) throws(ClientError) -> Answer {
    try sent.answer(try answer(to: sent.id, patience: patience))
  }

  /// Asks by a method's name, and waits for the answer.
  package func call(
    _ method: String, _ parameters: [JSONValue.Member] = [], patience: Double? = 30
  ) throws(ClientError) -> JSONValue {
    try answer(to: try send(method, parameters), patience: patience)
  }

  /// Asks by a method's name, without waiting; the id of the answer.
  package func send(
    _ method: String, _ parameters: [JSONValue.Member] = []
  ) throws(ClientError) -> JSONValue {
    lastID += 1
    let id = JSONValue.number(Double(lastID))
    try send(numbered: Request(method, parameters.isEmpty ? nil : .object(parameters), id: id))
    return id
  }

  /// Sends a request whose id the caller has chosen, without waiting for the answer.
  package func send(numbered request: Request) throws(ClientError) {
    do throws(Errno) {
      try lines.send(request.json)
    } catch {
      // It may have said why before it closed.
      do throws(ClientError) {
        while let message = try next(until: MonotonicClock.now + 1) {
          if case .response(let response) = message,
            case .failure(let error) = response.outcome
          {
            throw .refused(error)
          }
        }
      } catch .silent {}
      throw .wentAway
    }
  }

  private func answer(
    to id: JSONValue, patience: Double? = 30
  ) throws(ClientError) -> JSONValue {
    let deadline = patience.map { MonotonicClock.now + $0 }
    while true {
      switch try next(until: deadline) {
      case .notification(let notification): onNotification(notification)
      case .response(let response):
        switch response.outcome {
        case .success(let result): if response.id == id { return result }
        // Without an id it is about the connection itself.
        case .failure(let error):
          if response.id == id || response.id == .null { throw .refused(error) }
        }
      case nil: throw .wentAway
      }
    }
  }

  /// Passes on what the server sends, until it goes away; `patience` is in seconds, nil for ever.
  package func listen(patience: Double? = nil) throws(ClientError) {
    let deadline = patience.map { MonotonicClock.now + $0 }
    // Something may have come along with the last answer.
    try passOn()
    repeat {
      guard lines.wait(until: deadline) else { throw .silent(seconds: patience ?? 0) }
    } while try dispatch()
  }

  /// Waits for something to come, `deadline` at the latest, and passes it on; false where nothing did.
  package func listen(until deadline: Timestamp) throws(ClientError) -> Bool {
    guard try !passOn() else { return true }
    guard lines.wait(until: deadline) else { return false }
    guard try dispatch() else { throw .wentAway }
    return true
  }

  /// Becomes readable when `dispatch` has something to do without waiting.
  package var descriptor: CInt { lines.descriptor }

  /// Waits for something to come and passes it on; false where the server has gone.
  package func dispatch() throws(ClientError) -> Bool {
    guard lines.receive() else { return false }
    try passOn()
    return true
  }

  /// Passes on the messages that have come; false where there were none.
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
        throw .silent(seconds: (deadline ?? start) - start)
      }
      guard lines.receive() else { return nil }
    }
  }

  /// The next message that has come whole.
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
