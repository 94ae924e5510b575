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
  private var commands: [SessionLine] = []
  var recording: [SessionLine] {
    (kiosk.touches + commands).sorted { $0.time < $1.time }
  }

  private func clock(_ moment: Instant) -> Instant {
    Instant(microseconds: moment.microseconds + kiosk.start.microseconds)
  }

  func begin(seed: UInt64) throws(BenchError) {
    try kiosk.restart(seed: seed)
    commands = []
  }

  func end() throws(BenchError) { try kiosk.lift() }

  func place(of target: Target) throws(BenchError) -> Point {
    let at = try kiosk.call("place", [.init("target", .string(target.description))])["at"]
    let numbers = at.elements.compactMap(\.number)
    guard numbers.count == 2 else { throw .refused("\(target) has no place") }
    return Point(numbers[0], numbers[1])
  }

  func play(_ touches: [TimedTouch]) throws(BenchError) { try kiosk.play(touches) }

  func perform(_ command: Command) throws(BenchError) {
    let (method, parameters) = command.request
    commands.append(SessionLine(command, at: now))
    try kiosk.call(method, parameters)
  }

  func state(of goal: Goal) throws(BenchError) -> Value? {
    try wait(for: goal, seconds: 0)["value"].flatMap { Value($0) }
  }

  func wait(for goal: Goal, until deadline: Instant) throws(BenchError) -> Bool {
    try wait(for: goal, seconds: max(0, deadline - now))["holds"]?.bool == true
  }

  private func wait(for goal: Goal, seconds: Double) throws(BenchError) -> JSONValue {
    let wanted: [JSONValue.Member] =
      switch goal {
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
