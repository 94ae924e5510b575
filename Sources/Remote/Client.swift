// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
public import JSON
public import LinuxIO
internal import Motion
public import SystemPackage

/// The asking side of a server's socket, for programs that have nothing better to do than to wait.
public final class Client {
  /// Called for what the server tells without being asked.
  public var onNotification: (Request) -> Void = { _ in }
  /// Called by `dispatch` and `listen` for an answer to a request that was sent without waiting.
  public var onAnswer: (Response) -> Void = { _ in }

  private let input: OwnedDescriptor
  private let output: OwnedDescriptor
  private var reader: LineReader
  private var lastID = 0

  /// Talks through two descriptors, such as the ends of a program that passes everything on. A
  /// message of more than `limit` bytes is none: the largest picture has less.
  public init(
    reading input: consuming OwnedDescriptor, writing output: consuming OwnedDescriptor,
    limit: Int = 256 << 20
  ) {
    self.input = input
    self.output = output
    reader = LineReader(limit: limit)
  }

  /// Talks to the server at `path`.
  public convenience init(at path: String) throws(ClientError) {
    do throws(Errno) {
      let socket = try LocalSocket.connect(to: path)
      let copy = OwnedDescriptor(
        adopting: try retryingOnInterrupt { fcntl(socket.rawValue, F_DUPFD_CLOEXEC, 3) })
      self.init(reading: socket, writing: copy)
    } catch {
      throw ClientError(connectingTo: path, error)
    }
  }

  /// Asks, and waits for the answer `patience` seconds long; nil waits for ever.
  public func call(
    _ method: String, _ parameters: [JSONValue.Member] = [], patience: Double? = 30
  ) throws(ClientError) -> JSONValue {
    try answer(to: try send(method, parameters), patience: patience)
  }

  /// Asks without waiting; the result is to be given to `answer(to:)`, in the order of the requests.
  public func send(
    _ method: String, _ parameters: [JSONValue.Member] = []
  ) throws(ClientError) -> JSONValue {
    lastID += 1
    let id = JSONValue.number(Double(lastID))
    let request = Request(
      method, parameters.isEmpty ? nil : .object(parameters), id: id)
    do {
      try FileDescriptor(rawValue: output.rawValue).writeAll((request.json.text + "\n").utf8)
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
    return id
  }

  /// Waits for the answer to a request.
  public func answer(
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

  /// Passes on what the server tells, until it goes away; `patience` is in seconds, nil for ever.
  public func listen(patience: Double? = nil) throws(ClientError) {
    let deadline = patience.map { MonotonicClock.now + $0 }
    // Something may have come along with the last answer.
    try passOn()
    repeat { try waitForInput(until: deadline) } while try dispatch()
  }

  /// Becomes readable when `dispatch` has something to do without waiting.
  public var descriptor: CInt { input.rawValue }

  /// Waits for something to be told and passes it on; false where the server has gone.
  public func dispatch() throws(ClientError) -> Bool {
    guard let piece = try? input.receive(upTo: 1 << 16), !piece.isEmpty else { return false }
    reader.append(piece)
    try passOn()
    return true
  }

  private func passOn() throws(ClientError) {
    while let message = try take() {
      switch message {
      case .notification(let notification): onNotification(notification)
      case .response(let response): onAnswer(response)
      }
    }
  }

  private enum Message {
    case notification(Request)
    case response(Response)
  }

  private func next(until deadline: Instant?) throws(ClientError) -> Message? {
    while true {
      if let message = try take() { return message }
      try waitForInput(until: deadline)
      guard let piece = try? input.receive(upTo: 1 << 16), !piece.isEmpty else { return nil }
      reader.append(piece)
    }
  }

  /// The next message that has come whole.
  private func take() throws(ClientError) -> Message? {
    switch reader.next() {
    case .text(let line)?:
      if let json = try? JSONValue(parsing: line) {
        if let response = Response(json) { return .response(response) }
        if let request = try? Request(json) { return .notification(request) }
      }
      throw .garbled(String(decoding: line.prefix(100), as: UTF8.self))
    case .tooLong?: throw .garbled("a line that does not end")
    case nil: return nil
    }
  }

  private func waitForInput(until deadline: Instant?) throws(ClientError) {
    guard let deadline else { return }
    let start = MonotonicClock.now
    while true {
      let left = max(0, deadline - MonotonicClock.now)
      var entry = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
      // One entry, which lives here.
      let count = unsafe poll(&entry, 1, CInt(min(left * 1000 + 1, 1e9)))
      if count > 0 { return }
      if count == 0, MonotonicClock.now >= deadline { throw .silent(seconds: deadline - start) }
    }
  }
}

/// Why a client got no answer.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody listens at the path.
  case absent(path: String)
  case denied(path: String)
  /// Too many connect at the same time, or nobody takes what waits.
  case busy(path: String)
  case unreachable(path: String, reason: String)
  /// It was there and closed the connection.
  case wentAway
  case silent(seconds: Double)
  /// The other side does not speak JSON-RPC.
  case garbled(String)
  case refused(RemoteError)

  /// What `LocalSocket.connect` says about a path.
  public init(connectingTo path: String, _ error: Errno) {
    self =
      switch error {
      case .noSuchFileOrDirectory, .connectionRefused: .absent(path: path)
      case .permissionDenied, .notPermitted: .denied(path: path)
      case .resourceTemporarilyUnavailable: .busy(path: path)
      default: .unreachable(path: path, reason: "\(error)")
      }
  }

  public var description: String {
    switch self {
    case .absent(let path):
      "no kiosk is running at \(path), or it is starting just now; see \"roundel run\" and --socket"
    case .denied(let path):
      "\(path) may be used by the kiosk's user, root and the group roundel only"
        + " (usermod -aG roundel USER, then log in again)"
    case .busy(let path): "the kiosk at \(path) is too busy to take another connection"
    case .unreachable(let path, let reason): "the kiosk at \(path) cannot be reached: \(reason)"
    case .wentAway: "the kiosk went away before it answered; it may be restarting"
    case .silent(let seconds):
      "the kiosk has not answered for \(Int(seconds.rounded())) seconds; it is busy or hangs"
    case .garbled(let text): "the other side is no kiosk; it says \"\(text)\""
    case .refused(let error): error.description
    }
  }
}
