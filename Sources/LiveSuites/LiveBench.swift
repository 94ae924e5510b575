// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions
package import RoundelGeometry
internal import RoundelJSON
package import Kiosk
internal import KioskProtocol
internal import LinuxIO
package import RoundelMotion
internal import RoundelRaster
internal import JSONRPC
package import RoundelRuntime
package import RoundelSession
package import RoundelSuites

/// A running kiosk, in real time.
package final class LiveBench: TestBench {
  private let kiosk: LiveKiosk
  private let content: Content

  package init(_ kiosk: LiveKiosk, _ content: Content) {
    self.kiosk = kiosk
    self.content = content
  }

  package var isExact: Bool { false }
  package var now: Instant {
    Instant(microseconds: MonotonicClock.now.microseconds - kiosk.start.microseconds)
  }
  package var events: [SessionLine] { kiosk.events }
  package var recording: [SessionLine] { kiosk.touches.sorted { $0.time < $1.time } }

  private func clock(_ time: Instant) -> Timestamp {
    Timestamp(microseconds: time.microseconds + kiosk.start.microseconds)
  }

  package func begin(seed: UInt64) throws(BenchError) { try kiosk.restart(seed: seed) }

  package func end() throws(BenchError) { try kiosk.lift() }

  package func place(of target: Target) throws(BenchError) -> Point {
    try kiosk.call(PlaceRequest(target)).place
  }

  package func keys(typing text: String, on control: String?) throws(BenchError) -> [Target] {
    let request = TypingRequest {
      $0.text = text
      $0.control = control
    }
    return try kiosk.call(request).keys
  }

  package func play(_ touches: [TimedTouch]) throws(BenchError) { try kiosk.play(touches) }

  package func perform(_ command: Command) throws(BenchError) {
    try kiosk.perform(command)
  }

  package func setClock(_ time: CivilTime) throws(BenchError) {
    throw .refused(
      "cannot set the wall clock of a running kiosk; add \"only: headless\" to the test")
  }

  package func state(of goal: Goal<Condition>) throws(BenchError) -> GoalState {
    try wait(for: goal, seconds: 0).state
  }

  package func wait(for goal: Goal<Condition>, until deadline: Instant) throws(BenchError) -> Bool {
    try wait(for: goal, seconds: max(0, deadline - now)).holds
  }

  private func wait(
    for goal: Goal<Condition>, seconds: Double
  ) throws(BenchError) -> WaitAnswer {
    let request = WaitRequest(for: goal.map { "\($0)" }, timeout: seconds)
    return try kiosk.call(request, timeout: seconds)
  }

  package func wait(
    until deadline: Instant, _ isEnough: ([SessionLine]) -> Bool
  ) throws(BenchError) -> Bool {
    try kiosk.listen(until: clock(deadline)) { isEnough(kiosk.events) }
  }

  package func picture() throws(BenchError) -> Shot {
    let rotation = try kiosk.call(StatusRequest()).display.rotation
    let png = try kiosk.call(ScreenshotRequest()).png
    do {
      let bitmap = try PNG.decode(png).turned(by: rotation.inverse)
      return Shot(
        bitmap,
        Viewport(fitting: content.description.screen.size(on: bitmap.size), into: bitmap.size))
    } catch {
      throw .refused("the kiosk sent no picture: \(error)")
    }
  }
}
