// SPDX-License-Identifier: MIT

import Exchange
import JSONRPC
import Kiosk
import KioskFile
import KioskProtocol
import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import RoundelMotion
import Testing

/// A kiosk with one knob, a bridge, and a lamp that reports each command after a delay.
struct SlowLamp {
  private struct Order {
    var time: Double
    var level: Double
  }

  private(set) var engine: Engine
  private(set) var lampLevel = 50.0
  /// The numbers that the lamp received, with their times.
  private(set) var received: [(time: Double, level: Double)] = []
  private let actions = KioskActions(at: .zero)
  private var kiosk: KioskClient
  private var exchange: ValueExchange
  private let delay: () -> Double
  private var reports: [Order] = []
  private var now = 0.0
  private var connection: ConnectionID?
  private var watched: JSONValue?
  private var isWatching = false
  private let range: String

  /// - Parameter keys: The keys of the value besides its topics, for the file and the bridge.
  init(_ when: String, every: Double?, echo: Double, delay: @escaping () -> Double) throws {
    let every = every.map { ", every: \($0)" } ?? ""
    let file = """
      kiosk: k
      screen: {size: [400, 400]}
      values:
        level: {value: 50, min: 0, max: 100, step: 1, from: {mqtt: lamp/state}, to: {mqtt: lamp/set, when: \(when)\(every)}, echo: \(echo)}
      pages:
        - page: home
          controls:
            - {ring: knob, at: [200, 200], radius: 150, step: 1, value: "{level}"}
      """
    let reading = ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: NoAssets())
    try #require(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
    engine = Engine(try #require(reading.description), seed: 1)
    range = """
      {"page": "home", "size": [400, 400], "bound": {}, "values": {"level": 50},
       "ranges": {"level": {"kind": "number", "min": 0, "max": 100, "step": 1, "echo": \(echo),
        "from": {"mqtt": "lamp/state"},
        "to": {"mqtt": "lamp/set", "when": "\(when)"\(every.replacing("every", with: "\"every\""))}}},
       "pages": [{"page": "home", "shown": true, "controls": []}]}
      """
    self.delay = delay
    kiosk = KioskClient(of: .mqtt, actions)
    exchange = ValueExchange(.mqtt, actions) { (_, _) throws(MessageError) in "" }
    step(to: 0)
  }

  var knob: Double { number("knob.value") }
  var level: Double { number("level") }

  private func number(_ name: String) -> Double {
    if let reference = Reference(name), case .number(let number)? = engine.value(of: reference) {
      number
    } else {
      .nan
    }
  }

  mutating func touch(_ phase: Touch.Phase, _ degrees: Double) {
    let place = Point(200, 200) + Angle.degrees(degrees).unit * 140
    engine.handle(Touch(finger: 0, phase: phase, position: place), at: Instant(seconds: now))
    exchangeMessages()
  }

  /// Advances by at most 20 ms.
  mutating func step(to time: Double) {
    now = time
    engine.advance(to: Instant(seconds: time))
    exchangeMessages()
  }

  // MARK: Messages

  private mutating func exchangeMessages() {
    actions.now = Timestamp(seconds: now)
    for report in kiosk.advance() { handle(report) }
    for report in reports where report.time <= now {
      lampLevel = report.level
      exchange.receive(
        .bytes(Array(JSONValue.number(report.level).text.utf8)), for: "level")
    }
    reports.removeAll { $0.time <= now }
    repeat {
      reportValue()
      if let session = kiosk.session { exchange.advance(session) }
      while let (_, json, _) = exchange.next({ _ in true }) {
        received.append((now, json.number ?? .nan))
        // A lamp reports in the order of its commands.
        let time = max(now + delay(), reports.last?.time ?? 0)
        reports.append(Order(time: time, level: json.number ?? .nan))
      }
    } while performAction()
  }

  private mutating func performAction() -> Bool {
    guard let action = actions.takeFirst() else { return false }
    switch action {
    case .open(let connection):
      self.connection = connection
      receive(.opened)
    case .send(let request, _):
      let answer = answer(to: request)
      reportValue()
      if let id = request.id { receive(.response(Response(id, .success(answer)))) }
    case .close, .log: break
    }
    return true
  }

  private mutating func answer(to request: Request) -> JSONValue {
    switch request.method {
    case "status":
      var status = StatusAnswer()
      (status.version, status.kiosk, status.page, status.sha256) = ("1", "k", "home", "0")
      return status.json
    case "tree": return (try? JSONValue(parsing: Array(range.utf8))) ?? .null
    case "watch": isWatching = true
    case "set":
      if let number = request.parameters?["value"]?.number {
        try? engine.set(.value("level"), to: .number(number))
      }
    default: break
    }
    return .bool(true)
  }

  private mutating func reportValue() {
    guard isWatching else { return }
    let notice = JSONValue.object([
      .init("t", .number(now)), .init("watch", .string("level")), .init("value", .number(level)),
      .init("by", .string("finger")),
      .init("settled", .bool(engine.isSettled([.value("level")]))),
    ])
    guard notice["value"] != watched?["value"] || notice["settled"] != watched?["settled"] else {
      return
    }
    watched = notice
    receive(.notification(Request("watch", notice)))
  }

  private mutating func receive(_ input: KioskInput) {
    guard let connection else { return }
    for report in kiosk.receive(input, from: connection) { handle(report) }
  }

  private mutating func handle(_ report: KioskReport) {
    switch report {
    case .described(_, let tree):
      _ = exchange.describe(by: tree)
      kiosk.session?.watch(["level"], and: [], phased: exchange.phased)
    case .value(let expression, let value, _, let isSettled):
      exchange.record(expression, is: value, isSettled: isSettled)
    case .answered(.value(let expression), let request, let outcome):
      exchange.recordAnswer(to: request, of: expression, outcome, from: kiosk.session)
    default: break
    }
  }
}

private struct NoAssets: AssetLoader {
  func loadImage(at path: String) throws(AssetError) {}
  func loadSound(at path: String) throws(AssetError) {}
  func loadFont(_ face: FaceName) throws(AssetError) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no such file")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}
