// SPDX-License-Identifier: MIT

import Controls
import Expressions
import Geometry
import JSON
import Kiosk
import LinuxIO
import Motion
import Raster
import Remote
import Runtime
import Session
import Suites

/// A kiosk that runs, in real time. It tells what happens; nobody asks again and again.
final class LiveBench: TestBench {
  private let kiosk: LiveKiosk
  private let content: Content

  init(_ kiosk: LiveKiosk, _ content: Content) {
    self.kiosk = kiosk
    self.content = content
  }

  var isExact: Bool { false }
  var now: Instant {
    Instant(microseconds: MonotonicClock.now.microseconds - kiosk.start.microseconds)
  }
  var events: [SessionLine] { kiosk.events }
  var recording: [SessionLine] { kiosk.touches.sorted { $0.time < $1.time } }

  private func clock(_ moment: Instant) -> Instant {
    Instant(microseconds: moment.microseconds + kiosk.start.microseconds)
  }

  func begin(seed: UInt64) throws(BenchError) { try kiosk.restart(seed: seed) }

  func end() throws(BenchError) { try kiosk.lift() }

  func place(of target: Target) throws(BenchError) -> Point {
    let at = try kiosk.call("place", [.init("target", .string(target.description))])["at"]
    let numbers = at.elements.compactMap(\.number)
    guard numbers.count == 2 else { throw .refused("\(target) has no place") }
    return Point(numbers[0], numbers[1])
  }

  func play(_ touches: [TimedTouch]) throws(BenchError) { try kiosk.play(touches) }

  func perform(_ command: Command) throws(BenchError) {
    guard let (method, parameters) = command.request else {
      throw .refused("only a kiosk's file does \(command.name)")
    }
    try kiosk.call(method, parameters)
  }

  func setClock(_ time: CivilTime) throws(BenchError) {
    throw .refused(
      "the wall clock of a kiosk that runs cannot be set; let the test say \"only: headless\"")
  }

  func state(of goal: Goal) throws(BenchError) -> Value? {
    let answer = try wait(for: goal, seconds: 0)
    if case .that = goal { return answer["found"].flatMap { Value($0) } }
    return answer["value"].flatMap { Value($0) }
  }

  func wait(for goal: Goal, until deadline: Instant) throws(BenchError) -> Bool {
    try wait(for: goal, seconds: max(0, deadline - now))["holds"]?.bool == true
  }

  private func wait(for goal: Goal, seconds: Double) throws(BenchError) -> JSONValue {
    let wanted: [JSONValue.Member] =
      switch goal {
      case .that(let condition): [.init("expression", .string("\(condition)"))]
      case .property(let path, let pattern):
        [.init("property", .string(path.description)), .init("value", pattern.json)]
      case .page(let name): [.init("page", .string(name))]
      case .still: [.init("still", .bool(true))]
      }
    return try kiosk.call(
      "wait", wanted + [.init("timeout", .number(seconds))], patience: seconds)
  }

  func wait(
    until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool
  ) throws(BenchError) -> Bool {
    try kiosk.listen(until: clock(deadline)) { isEnough(kiosk.events) }
  }

  func picture() throws(BenchError) -> Shot {
    let degrees = try kiosk.call("status")["display"]?["rotate"]?.integer ?? 0
    let answer = try kiosk.call("screenshot")
    do {
      let png = answer["png"]?.string.flatMap { Base64.decode($0) } ?? []
      let bitmap = try PNG.decode(png).upright(from: Rotation(rawValue: degrees) ?? .none)
      return Shot(
        bitmap, Viewport(fitting: content.description.screen.size, into: bitmap.size))
    } catch {
      throw .refused("the kiosk gave no picture: \(error)")
    }
  }
}
