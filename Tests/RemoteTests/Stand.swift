// SPDX-License-Identifier: MIT

import Glibc
package import JSON
import LinuxIO
import Motion
import Remote
import SystemPackage

/// A server in a temporary folder, and the loop on which it and all its clients are.
final class Stand {
  let folder: String
  let loop: EventLoop
  let worker: Worker
  private(set) var server: Server?
  /// Clients that have left.
  var gone: [ClientID] = []
  /// Replies that `later` keeps.
  var kept: [Reply] = []
  var subscribers: [ClientID] = []

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
    let server = try Server(at: path, methods: methods, limits: limits, worker: worker, on: loop)
    server.onLeave = { [unowned self] in
      gone.append($0)
      subscribers.removeAll { $0 == gone.last }
    }
    server.isSubscribed = { [unowned self] in subscribers.contains($0) }
    self.server = server
  }

  func stopServing() { server = nil }

  deinit {
    server = nil
    _ = unsafe unlink(path)
    _ = unsafe rmdir(folder)
  }

  private var methods: [Method] {
    [
      Method("echo", "Gives back what it is given.") { parameters in
        let value = parameters.optional("value", .any, default: .null, "Anything.")
        return { arguments, _ in .done(arguments[value]) }
      },
      Method("repeat", "Gives a text many times.") { parameters in
        let text = parameters.required("text", .text, "The text.")
        let times = parameters.optional(
          "times", .number(0...1e8), default: 2, "How many times.")
        return { arguments, _ in
          .done(.string(String(repeating: arguments[text], count: Int(arguments[times]))))
        }
      },
      Method("later", "Answers some other time.") { _ in
        { [unowned self] _, reply in
          kept.append(reply)
          return .later
        }
      },
      Method("forget", "Never answers.") { _ in { _, _ in .later } },
      Method("subscribe", "Wants to be told.") { _ in
        { [unowned self] _, reply in
          subscribers.append(reply.client)
          return .done(true)
        }
      },
      Method("fail", "Cannot be done.") { _ in
        { _, _ in throw RemoteError(.failed, "it is broken") }
      },
    ]
  }

  /// Lets the loop turn until `condition` holds; false if that takes more than a minute.
  func run(until condition: () -> Bool) throws -> Bool {
    let end = MonotonicClock.now + 60
    while !condition() {
      if MonotonicClock.now > end { return false }
      try loop.turn(until: MonotonicClock.now + 0.002)
    }
    return true
  }

  /// Lets the loop turn until nothing more comes of what has happened.
  func settle() throws {
    for _ in 0..<5 { try loop.turn(until: MonotonicClock.now + 0.002) }
  }

  func connect() throws -> Wire { Wire(try LocalSocket.connect(to: path)) }
}

// Expectations read best as what they are: JSON.
extension JSONValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByStringLiteral
{
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(stringLiteral value: String) { self = .string(value) }
}

/// A client that sends whatever it likes and reads only when it is told to.
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

  /// Sends as much as there is room for; how much that was.
  @discardableResult
  func send(_ bytes: some Sequence<UInt8>) -> Int {
    (try? LocalSocket.send(Array(bytes)[...], to: socket.rawValue)) ?? 0
  }

  func send(line: String) { send((line + "\n").utf8) }

  func endOutput() { shutdown(socket.rawValue, CInt(SHUT_WR)) }

  /// Takes what has come.
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

  /// The answers so far, as JSON.
  var answers: [JSONValue] { lines.compactMap { try? JSONValue(parsing: $0.utf8) } }
}

extension Stand {
  /// What the server answers to one line.
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
