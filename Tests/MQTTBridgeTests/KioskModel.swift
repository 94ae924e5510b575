// SPDX-License-Identifier: MIT

import Exchange
import RoundelJSON
import JSONRPC
import KioskProtocol
import MQTTBridge

/// A simulated kiosk, which serves requests, dies, hangs and breaks connections on request.
struct KioskModel {
  struct Line {
    /// Unread requests, which remain after the bridge closes the connection.
    var requests: [Request] = []
    /// Answers and notifications that the bridge hasn't read yet.
    var output: [KioskInput] = []
    var isClosed = false
    var hasEvents = false
    var watched: [String] = []
  }

  enum State { case dead, hung, running }

  static let initialValues: [String: Double] = [
    "out": 0, "kept": 0, "sent": 0, "both": 0, "jog": 0, "count": 0,
  ]
  /// Values from topics: a retained one, an unretained one, and one that also goes to a topic.
  static let sources = ["kept", "sent", "both"]

  private(set) var state = State.dead
  private(set) var process = 0
  private var start = 0.0
  private(set) var values = initialValues
  private var isWide = false
  /// Connections in numerical order, for deterministic runs.
  private(set) var lines: [ConnectionID: Line] = [:]
  private(set) var order: [ConnectionID] = []
  /// The executed commands, each with the number of connections that ended before it.
  private(set) var done: [(text: String, ends: Int)] = []
  private(set) var ends = 0

  // MARK: Connections

  mutating func open(_ connection: ConnectionID) {
    var line = Line()
    if state == .dead {
      line.output = [.ended(reason: "no kiosk is running")]
      line.isClosed = true
    } else {
      line.output = [.opened]
    }
    lines[connection] = line
    order.append(connection)
  }

  mutating func send(_ request: Request, by connection: ConnectionID) {
    guard lines[connection]?.isClosed == false else { return }
    lines[connection]?.requests.append(request)
  }

  mutating func close(_ connection: ConnectionID) {
    lines[connection]?.isClosed = true
    lines[connection]?.output = []
    ends += 1
    forgetEnded()
  }

  /// The next message to the bridge.
  mutating func takeOutput() -> (ConnectionID, KioskInput)? {
    guard let connection = order.first(where: { lines[$0]?.output.isEmpty == false }),
      let input = lines[connection]?.output.removeFirst()
    else { return nil }
    if case .ended = input { close(connection) }
    return (connection, input)
  }

  private mutating func forgetEnded() {
    order.removeAll { connection in
      guard let line = lines[connection], line.isClosed, line.output.isEmpty, line.requests.isEmpty
      else { return false }
      lines[connection] = nil
      return true
    }
  }

  /// Ends all connections. The bridge still reads pending output; pending requests are dropped.
  mutating func breakConnections(_ reason: String = "the kiosk disconnected") {
    for connection in order {
      lines[connection]?.requests = []
      guard lines[connection]?.isClosed == false else { continue }
      lines[connection]?.isClosed = true
      lines[connection]?.hasEvents = false
      lines[connection]?.output.append(.ended(reason: reason))
    }
    forgetEnded()
  }

  // MARK: The process

  mutating func run(at time: Double) {
    guard state == .dead else {
      state = .running
      return
    }
    state = .running
    process += 1
    start = time
    values = Self.initialValues
    isWide = false
  }

  mutating func hang() { if state == .running { state = .hung } }

  mutating func die() {
    state = .dead
    breakConnections()
  }

  /// Restarts with initial values, which a disconnected bridge can't distinguish from changes.
  mutating func restart() {
    guard state == .running, order.contains(where: { lines[$0]?.hasEvents == true }) else { return }
    notify(
      "event",
      [
        .init("t", .number(1)), .init("event", .string("restarted")),
        .init("by", .string("command")),
      ])
    for (name, value) in Self.initialValues.sorted(by: { $0.key < $1.key }) {
      set(name, to: value, by: "action")
    }
  }

  /// Changes a value's declaration.
  mutating func reload() {
    guard state == .running else { return }
    isWide.toggle()
    notify("event", [.init("t", .number(1)), .init("event", .string("reloaded"))])
  }

  mutating func set(_ name: String, to value: Double, by cause: String) {
    guard state == .running, let old = values[name], old != value else { return }
    values[name] = value
    for connection in order where lines[connection]?.watched.contains(name) == true {
      report(name, by: cause, to: connection)
    }
  }

  private mutating func report(_ name: String, by cause: String, to connection: ConnectionID) {
    let value: JSONValue
    switch name {
    case "page": value = .string("home")
    case "screen.brightness": value = .number(1)
    default: value = values[name].map { .number($0) } ?? .null
    }
    let notice = JSONValue.object([
      .init("t", .number(1)), .init("watch", .string(name)), .init("value", value),
      .init("by", .string(cause)),
    ])
    add(.notification(Request("watch", notice)), to: connection)
  }

  private mutating func notify(_ method: String, _ members: [JSONValue.Member]) {
    for connection in order where lines[connection]?.hasEvents == true {
      add(.notification(Request(method, .object(members))), to: connection)
    }
  }

  private mutating func add(_ input: KioskInput, to connection: ConnectionID) {
    if lines[connection]?.isClosed == false { lines[connection]?.output.append(input) }
  }

  // MARK: Requests

  /// Whether a running kiosk has pending requests.
  var hasRequests: Bool {
    state == .running && order.contains { lines[$0]?.requests.isEmpty == false }
  }

  /// Serves the oldest request of the `choice`th connection with pending requests.
  mutating func serve(_ choice: Int, at time: Double) {
    guard state == .running else { return }
    let waiting = order.filter { lines[$0]?.requests.isEmpty == false }
    guard !waiting.isEmpty else { return }
    let connection = waiting[choice % waiting.count]
    guard let request = lines[connection]?.requests.removeFirst() else { return }
    // Reports of a change come before or after the answer.
    let reports = lines[connection]?.output.count ?? 0
    let result = perform(request, for: connection, at: time)
    guard let id = request.id, lines[connection]?.isClosed == false else { return forgetEnded() }
    let answer = KioskInput.response(Response(id, result))
    if choice % 2 == 1, request.method == "set" {
      lines[connection]?.output.insert(answer, at: reports)
    } else {
      lines[connection]?.output.append(answer)
    }
    forgetEnded()
  }

  private mutating func perform(
    _ request: Request, for connection: ConnectionID, at time: Double
  ) -> Result<JSONValue, RemoteError> {
    switch request.method {
    case "events": lines[connection]?.hasEvents = true
    case "status": return .success(status(at: time))
    case "tree": return .success(isWide ? Self.wideTree : Self.tree)
    case "watch":
      guard let names = request.parameters?["expressions"], case .array(let names) = names else {
        lines[connection]?.watched = []
        break
      }
      for name in names.compactMap(\.string) {
        lines[connection]?.watched.append(name)
        report(name, by: "time", to: connection)
      }
    case "set":
      guard let name = request.parameters?["property"]?.string,
        let value = request.parameters?["value"]?.number
      else { break }
      done.append(("\(name) \(Int(value))", ends))
      set(name, to: value, by: "command")
    case "bridge", "failed": break
    default: done.append((request.method, ends))
    }
    return .success(.bool(true))
  }

  private func status(at time: Double) -> JSONValue {
    guard case .object(let members) = Self.status else { return .null }
    return .object(
      members.map {
        switch $0.name {
        case "process": .init("process", .number(Double(process)))
        case "uptime": .init("uptime", .number(time - start))
        default: $0
        }
      })
  }

  private static let status: JSONValue = {
    var status = StatusAnswer()
    (status.version, status.kiosk, status.page, status.sha256) = ("1", "model", "home", "0123")
    return status.json
  }()

  private static let tree = tree(maximum: 1_000_000)
  private static let wideTree = tree(maximum: 2_000_000)

  private static func tree(maximum: Int) -> JSONValue {
    let text = """
      {"page": "home", "size": [800, 480], "bound": {},
       "values": {"out": 0, "kept": 0, "sent": 0, "both": 0, "jog": 0, "count": 0},
       "ranges": {
         "out": {"kind": "number", "to": {"mqtt": "out", "retain": true}},
         "kept": {"kind": "number", "from": {"mqtt": "kept"}},
         "sent": {"kind": "number", "max": \(maximum), "from": {"mqtt": "sent"}},
         "both": {"kind": "number", "from": {"mqtt": "both/state"}, "to": {"mqtt": "both/set"}},
         "jog": {"kind": "number", "to": {"mqtt": "jog"}, "gone": "stop"}},
       "pages": [{"page": "home", "shown": true, "controls": []}]}
      """
    // The text is always JSON.
    return (try? JSONValue(parsing: text.utf8)) ?? .null
  }
}
