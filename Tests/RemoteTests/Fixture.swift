// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Glibc
import RoundelJSON
import LinuxIO
import RoundelMotion
import JSONRPC
import SystemPackage

/// A server in a temporary folder, and the loop that it shares with all its clients.
final class Fixture {
  let folder: String
  let loop: EventLoop
  let worker: Worker
  private(set) var server: Server?
  let component = Component()

  /// The disconnected clients.
  var gone: [ClientID] { component.gone }
  /// The replies kept by `later`.
  var kept: [Reply<JSONValue>] {
    get { component.kept }
    set { component.kept = newValue }
  }
  var subscribers: [ClientID] { component.subscribers }

  var path: String { folder + "/socket" }

  init(_ limits: Limits = Limits(), serving: Bool = true) throws {
    var template = Array("/tmp/roundel-remote-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    loop = try EventLoop()
    worker = try Worker(on: loop)
    if serving { try serve(limits) }
  }

  func serve(_ limits: Limits = Limits()) throws {
    server = try Server(at: path, components: [component], limits: limits, worker: worker, on: loop)
  }

  func stopServing() { server = nil }

  deinit {
    server = nil
    _ = unsafe unlink(path)
    _ = unsafe rmdir(folder)
  }

  final class Component: JSONRPC.ServerComponent {
    var gone: [ClientID] = []
    var kept: [Reply<JSONValue>] = []
    var subscribers: [ClientID] = []

    func forget(_ client: ClientID) {
      gone.append(client)
      subscribers.removeAll { $0 == client }
    }

    func isSubscribed(_ client: ClientID) -> Bool { subscribers.contains(client) }

    private struct Echo: MethodRequest {
      var value: JSONValue = .null
      static let method = Method<Echo, JSONValue>("echo", "Gives back what it is given.")
      static let members: [Member<Echo>] = [.optional("value", \.value, .any, "Anything.")]
    }

    private struct Repeat: MethodRequest {
      var text = ""
      var times = 2.0
      static let method = Method<Repeat, JSONValue>("repeat", "Gives a text many times.")
      static let members: [Member<Repeat>] = [
        .required("text", \.text, .text, "The text."),
        .optional("times", \.times, .number(0...1e8), "How many times."),
      ]
    }

    private func method(
      _ name: String, _ summary: String,
      _ handler: @escaping (Reply<JSONValue>) throws -> Outcome<JSONValue>
    ) -> ServedMethod {
      ServedMethod(Method<NoParameters, JSONValue>(name, summary)) { try handler($1) }
    }

    var methods: [ServedMethod] {
      [
        ServedMethod(Echo.self) { request, _ in .done(request.value) },
        ServedMethod(Repeat.self) { request, _ in
          .done(.string(String(repeating: request.text, count: Int(request.times))))
        },
        method("later", "Answers some other time.") { [unowned self] reply in
          kept.append(reply)
          return .later
        },
        method("forget", "Never answers.") { _ in .later },
        method("subscribe", "Wants to be sent notifications.") { [unowned self] reply in
          subscribers.append(reply.client)
          return .done(true)
        },
        method("fail", "Cannot be done.") { _ in throw RemoteError(.failed, "it is broken") },
      ]
    }
  }

  /// Runs the loop until `condition` is true. Returns false after a minute.
  func run(until condition: () -> Bool) throws -> Bool {
    let end = MonotonicClock.now + 60
    while !condition() {
      if MonotonicClock.now > end { return false }
      try loop.turn(until: MonotonicClock.now + 0.002)
    }
    return true
  }

  /// Runs the loop until all effects of past input are done.
  func settle() throws {
    for _ in 0..<5 { try loop.turn(until: MonotonicClock.now + 0.002) }
  }

  func connect() throws -> Wire { Wire(try LocalSocket.connect(to: path)) }
}

extension Server {
  /// Creates a server with its own shared state.
  convenience init(
    at path: String, components: [any JSONRPC.ServerComponent] = [], limits: Limits = Limits(),
    worker: Worker,
    on loop: EventLoop
  ) throws(ServerError) {
    let work = ClientWork(on: loop, limits: limits)
    self.init(
      components: components, limits: limits, clients: Clients(work), work: work,
      budget: ByteBudget(limits), worker: worker, on: loop)
    try listen(at: path)
  }
}

/// A client that sends arbitrary bytes and reads only on demand.
final class Wire {
  private let socket: OwnedDescriptor
  private var reader = LineReader(limit: 256 << 20)
  private(set) var lines: [String] = []
  /// Whether the server has closed the connection.
  private(set) var isClosed = false

  init(_ socket: consuming OwnedDescriptor) {
    _ = fcntl(socket.rawValue, F_SETFL, O_NONBLOCK)
    self.socket = socket
  }

  /// Sends as many bytes as possible and returns their number.
  @discardableResult
  func send(_ bytes: some Sequence<UInt8>) -> Int {
    (try? LocalSocket.send(Array(bytes)[...], to: socket.rawValue)) ?? 0
  }

  func send(line: String) { send((line + "\n").utf8) }

  func endOutput() { shutdown(socket.rawValue, CInt(SHUT_WR)) }

  /// Reads the available bytes.
  func read() {
    while !isClosed {
      do throws(Errno) {
        let piece = try socket.receive(upTo: 1 << 16)
        if piece.isEmpty { isClosed = true }
        reader.append(piece)
      } catch .resourceTemporarilyUnavailable {
        break
      } catch {
        isClosed = true
      }
    }
    while case .text(let line)? = reader.next() {
      lines.append(String(decoding: line, as: UTF8.self))
    }
  }

  /// The received answers, as JSON.
  var answers: [JSONValue] { lines.compactMap { try? JSONValue(parsing: $0.utf8) } }
}

extension Fixture {
  /// The server's answer to one line.
  func answer(to line: String) throws -> JSONValue? {
    let wire = try connect()
    wire.send(line: line)
    _ = try run {
      wire.read()
      return !wire.lines.isEmpty
    }
    return wire.answers.first
  }
}

private struct NoParameters: JSONRecord {
  static let members: [Member<NoParameters>] = []
}
