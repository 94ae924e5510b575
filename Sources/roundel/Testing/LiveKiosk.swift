// SPDX-License-Identifier: MIT

import Controls
import Geometry
import JSON
import Kiosk
import LinuxIO
import Motion
import Remote
import Runtime
import Session
import Suites

/// A kiosk that runs, as a bench for tests needs it: with fingers on its panel, and an ear for what
/// it tells.
final class LiveKiosk {
  let connection: KioskConnection
  private let fingers: any LiveFingers
  /// What it has told since `listen` began.
  private(set) var events: [SessionLine] = []
  private(set) var touches: [SessionLine] = []
  /// When a recording's clock was at zero.
  private(set) var start = Instant.zero
  /// Events that were lost because this side read too slowly.
  private var lost = 0

  /// Seconds in which a kiosk that lives has answered.
  private static let patience = 15.0

  /// Connects to the kiosk that the suites test.
  init(_ options: KioskOptions, plan: TestPlan, touch: TouchWay) throws(Failure) {
    connection = try options.connect()
    let name = try connection.call("status")["kiosk"]?.string ?? ""
    for (suite, content) in plan.suites where content.description.name != name {
      throw Failure(
        .unavailable,
        "the kiosk that runs is \"\(name)\"; the suite \(suite.name) tests "
          + "\"\(content.description.name)\" (\(suite.kiosk))")
    }
    fingers = try touch.makeFingers(on: connection, options)
    connection.client.onNotification = { [unowned self] in take($0) }
    try connection.call("events")
  }

  private func take(_ notification: Request) {
    guard let parameters = notification.parameters, var line = SessionLine(parameters) else {
      return
    }
    lost += parameters["lost"]?.integer ?? 0
    line.members.removeAll { $0.name == "lost" }
    switch notification.method {
    case "event": events.append(line)
    case "touch": touches.append(line)
    default: break
    }
  }

  /// Makes it as after its start, and forgets what it has told until then.
  func restart(seed: UInt64) throws(BenchError) {
    try call("record", [.init("on", .bool(false))])
    try call("restart", [.init("seed", .number(Double(seed)))])
    start = MonotonicClock.now
    try call("record")
    events = []
    touches = []
    lost = 0
  }

  @discardableResult
  func call(
    _ method: String, _ parameters: [JSONValue.Member] = [], patience: Double = 0
  ) throws(BenchError) -> JSONValue {
    do throws(ClientError) {
      return try connection.client.call(
        method, parameters, patience: patience + Self.patience)
    } catch {
      throw benchError(error)
    }
  }

  private func benchError(_ error: ClientError) -> BenchError {
    if case .refused(let refusal) = error,
      [.failed, .invalidParameters, .busy].contains(refusal.code)
    {
      return .refused("\(refusal)")
    }
    return .lost(connection.failure(error).message)
  }

  /// Listens until `isEnough`, or `deadline`; whether it is.
  func listen(until deadline: Instant, _ isEnough: () -> Bool) throws(BenchError) -> Bool {
    while !isEnough() {
      do throws(ClientError) {
        guard try connection.client.listen(until: deadline) else { return isEnough() }
      } catch {
        throw benchError(error)
      }
      guard lost == 0 else {
        throw .refused("\(lost) events were lost: this side has read too slowly")
      }
    }
    return true
  }

  /// Lets fingers touch; returns when the kiosk has told of all.
  func play(_ touches: [TimedTouch]) throws(BenchError) {
    let before = self.touches.count
    try fingers.play(touches, on: self)
    guard let last = touches.last else { return }
    // A move is told by where it goes: the kernel passes over those to where the finger is.
    func isTold() -> Bool {
      let told = self.touches.dropFirst(before)
      func count(_ names: [String]) -> Int {
        told.count { line in line.members.contains { names.contains($0.name) } }
      }
      let downs = touches.count { $0.touch.phase == .down }
      let ups = touches.count { $0.touch.phase == .up || $0.touch.phase == .cancel }
      guard count(["down"]) >= downs, count(["up", "cancel"]) >= ups else { return false }
      guard last.touch.phase == .move else { return true }
      return self.touches.last { $0.isPlace }.map { $0.isNear(last.touch) } ?? false
    }
    guard try listen(until: MonotonicClock.now + last.after + Self.patience, isTold) else {
      throw .refused("the kiosk has not seen the fingers")
    }
  }

  func lift() throws(BenchError) { try fingers.lift(on: self) }

  /// Listens no more, and takes the touchscreen away that was plugged in. Where ssh is in between,
  /// nothing else would tell the kiosk before it has something to say.
  func close() {
    // One that has gone needs not be told.
    _ = try? call("record", [.init("on", .bool(false))])
    _ = try? call("events", [.init("on", .bool(false))])
    fingers.close()
  }
}

extension SessionLine {
  fileprivate var isPlace: Bool { members.contains { $0.name == "down" || $0.name == "move" } }

  /// Whether it tells of a finger where this touch is, but for a panel's pixel or two.
  fileprivate func isNear(_ touch: Touch) -> Bool {
    guard let place = members.first?.value, let x = place["x"]?.number, let y = place["y"]?.number
    else { return false }
    return abs(x - touch.position.x) < 3 && abs(y - touch.position.y) < 3
  }
}
