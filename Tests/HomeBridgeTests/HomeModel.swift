// SPDX-License-Identifier: MIT

import Exchange
import HomeBridge
import JSONRPC
import KioskProtocol
import RoundelJSON
import RoundelMotion

/// A bridge with a simulated kiosk, which answers at once, and messages of a scripted Home Assistant.
struct HomeModel {
  private var bridge: HomeBridge
  private(set) var now = 0.0
  private let tree: JSONValue
  private var values: [String: JSONValue] = [:]
  private var kioskLine: ConnectionID?
  private var watchers: [String: ConnectionID] = [:]
  private(set) var homeLine: ConnectionID?
  /// The values that the bridge has set, such as `room 21.5`.
  private(set) var sets: [String] = []
  private(set) var failures: [String] = []
  private(set) var log: [String] = []
  /// The messages to Home Assistant, as text.
  private(set) var sent: [String] = []
  /// The times of attempts to connect to Home Assistant.
  private(set) var attempts: [Double] = []
  private(set) var isBridged = false

  /// - Parameter ranges: The members of the kiosk's declarations of values, as JSON.
  init(_ ranges: String) throws {
    let text = """
      {"page": "home", "size": [800, 480], "bound": {}, "values": {}, "ranges": {\(ranges)},
       "pages": [{"page": "home", "shown": true, "controls": []}]}
      """
    tree = try JSONValue(parsing: Array(text.utf8))
    bridge = HomeBridge("ws://home:8123", at: Timestamp(seconds: 0))
    step(to: 0)
  }

  var deadline: Double? { bridge.deadline?.seconds }

  mutating func step(to time: Double) {
    now = time
    bridge.advance(to: Timestamp(seconds: time))
    perform()
  }

  // MARK: Home Assistant

  mutating func receive(_ message: String) {
    guard let homeLine else { return }
    bridge.receive(
      .message(Array(message.utf8)), from: homeLine, at: Timestamp(seconds: now))
    perform()
  }

  mutating func endHome(_ reason: String) {
    guard let line = homeLine.take() else { return }
    bridge.receive(HomeInput.ended(reason: reason), from: line, at: Timestamp(seconds: now))
    perform()
  }

  /// Accepts the access token, and answers the subscription with states.
  mutating func logIn(_ states: String = "") {
    receive(#"{"type": "auth_required", "ha_version": "2026.2.3"}"#)
    receive(#"{"type": "auth_ok", "ha_version": "2026.2.3"}"#)
    receive(#"{"id": 1, "type": "result", "success": true, "result": null}"#)
    receive(#"{"id": 1, "type": "event", "event": {"a": {\#(states)}}}"#)
  }

  // MARK: The kiosk

  /// A user changes a value.
  mutating func change(_ name: String, to value: JSONValue) {
    values[name] = value
    report(name, by: "finger")
    perform()
  }

  /// The kiosk reports an event.
  mutating func tell(_ event: String) {
    guard let kioskLine, let json = try? JSONValue(parsing: Array(event.utf8)) else { return }
    receive(.notification(Request("event", json)), from: kioskLine)
    perform()
  }

  mutating func takeSets() -> [String] {
    defer { sets = [] }
    return sets
  }

  mutating func takeSent() -> [String] {
    defer { sent = [] }
    return sent
  }

  private mutating func receive(_ input: KioskInput, from line: ConnectionID) {
    bridge.receive(input, from: line, at: Timestamp(seconds: now))
  }

  private mutating func report(_ name: String, by cause: String) {
    guard let line = watchers[name] else { return }
    let notice = JSONValue.object([
      .init("t", .number(now)), .init("watch", .string(name)),
      .init("value", values[name] ?? .number(20)), .init("by", .string(cause)),
    ])
    receive(.notification(Request("watch", notice)), from: line)
  }

  private mutating func perform() {
    while let action = bridge.nextAction(at: Timestamp(seconds: now)) {
      switch action {
      case .kiosk(.open(let line)):
        kioskLine = kioskLine ?? line
        receive(.opened, from: line)
      case .kiosk(.send(let request, let line)): answer(request, line)
      case .kiosk(.close): break
      case .kiosk(.log(let line)): log.append(line)
      case .open(let line):
        homeLine = line
        attempts.append(now)
      case .authenticate: sent.append("token")
      case .send(let json, _): sent.append(json.text)
      case .close: homeLine = nil
      }
    }
  }

  private mutating func answer(_ request: Request, _ line: ConnectionID) {
    var answer: JSONValue = .bool(true)
    switch request.method {
    case "status":
      var status = StatusAnswer()
      (status.version, status.kiosk, status.page, status.sha256) = ("1", "k", "home", "0")
      answer = status.json
    case "tree": answer = tree
    case "set":
      let name = request.parameters?["property"]?.string ?? ""
      let value = request.parameters?["value"] ?? .null
      sets.append("\(name) \(value.string ?? value.text)")
      values[name] = value
      report(name, by: "command")
    case "watch":
      guard case .array(let names)? = request.parameters?["expressions"] else {
        watchers = [:]
        break
      }
      for name in names.compactMap(\.string) {
        watchers[name] = line
        report(name, by: "time")
      }
    case "failed": failures.append(request.parameters?["message"]?.string ?? "")
    case "bridge": isBridged = request.parameters?["connected"]?.bool ?? false
    default: break
    }
    if let id = request.id { receive(.response(Response(id, .success(answer))), from: line) }
  }
}
