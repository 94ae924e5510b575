// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskProtocol
import LinuxIO
import LiveSuites
import RoundelMotion
import RoundelRaster
import JSONRPC
import RoundelRuntime
import RoundelSession
import RoundelSuites
import RoundelText
import Testing

@Suite struct LiveBenchTests {
  @Test func `touches, commands and expectations work on a running kiosk`() throws {
    let fixture = try LiveFixture()
    #expect(
      try fixture.failure(
        "tap: left", "expect: {control: left, event: selected}", "expect: {note.text: left}",
        "drag: {from: dial/0, to: dial/3}", "wait: still", "expect: {dial.value: 9}",
        "set: {cups: 3}", "expect: {that: cups == 3}", "tap: right", "expect: {page: second}",
        "wait: {that: \"page == 'second'\", within: 1}", "expect: {back.enabled: true}") == nil)
  }

  @Test func `a running kiosk provides the keys that type a text`() throws {
    let fixture = try LiveFixture()
    let failure = try fixture.failure("type: 47")
    #expect(failure?.contains("no keypad is shown") == true, "\(failure ?? "")")
  }

  @Test func `each test starts from the initial state`() throws {
    let fixture = try LiveFixture()
    let results = try fixture.results(
      """
        - test: leaves
          steps:
            - set: {cups: 5}
            - press: left
        - test: begins
          steps:
            - expect: {that: cups == 1}
            - expect: {no_event: cancelled, during: 0.05}
            - tap: left
      """)
    #expect(results.map { $0.failure?.message } == [nil, nil])
    #expect(try Client(at: fixture.path).call(StatusRequest()).fingers == 0)
  }

  @Test func `a failed expectation reports the actual value`() throws {
    let fixture = try LiveFixture()
    let value = try fixture.failure("expect: {cups: 7, within: 0.05}")
    #expect(value?.contains("cups") == true && value?.contains("1") == true, "\(value ?? "")")
    let expression = try fixture.failure("expect: {that: cups > 7, within: 0.05}")
    #expect(expression?.contains("cups is 1") == true, "\(expression ?? "")")
    let place = try fixture.failure("tap: back")
    #expect(place?.contains("is on the page second, which is not shown") == true, "\(place ?? "")")
    let clock = try fixture.failure("clock: \"2026-11-21T08:00:00\"")
    #expect(clock?.contains("only: headless") == true, "\(clock ?? "")")
  }

  @Test func `a picture is unrotated on a rotated panel`() throws {
    for rotation in Rotation.allCases {
      let fixture = try LiveFixture(rotation)
      let kiosk = try fixture.connect()
      let bench = LiveBench(kiosk, Content(makeKiosk(), fonts: FontLibrary()))
      try bench.begin(seed: 1)
      try bench.perform(.go(page: "second"))
      #expect(try bench.wait(for: .still, until: bench.now + 5))
      let shot = try bench.picture()
      #expect(shot.bitmap.size == PixelSize(400, 200))
      #expect(shot.bitmap.pixels.first == 0xffff_ffff)
      kiosk.close()
    }
  }

  @Test func `a recording has touches and commands in order of time`() throws {
    let fixture = try LiveFixture()
    let kiosk = try fixture.connect()
    defer { kiosk.close() }
    let bench = LiveBench(kiosk, Content(makeKiosk(), fonts: FontLibrary()))
    try bench.begin(seed: 1)
    let down = Touch(finger: 0, phase: .down, position: Point(60, 100))
    let up = Touch(finger: 0, phase: .up, position: Point(60, 100))
    try bench.play([TimedTouch(after: 0, down), TimedTouch(after: 0.05, up)])
    try bench.perform(.set(.value("cups"), .number(2)))
    #expect(try bench.wait(until: bench.now + 5) { !$0.isEmpty })
    #expect(try bench.wait(for: .still, until: bench.now + 5))
    #expect(bench.recording.map { $0.members.first?.name } == ["down", "up", "set"])
    #expect(bench.recording.map(\.time) == bench.recording.map(\.time).sorted())
    #expect(try bench.state(of: .page("first")) == GoalState(.text("first")))
  }

  @Test func `a disconnected kiosk ends the tests, a rejected command doesn't`() throws {
    let fixture = try LiveFixture()
    let kiosk = try fixture.connect()
    #expect(kiosk.name == "kiosk")
    let bench = LiveBench(kiosk, Content(makeKiosk(), fonts: FontLibrary()))
    try bench.begin(seed: 1)
    func error(_ body: () throws(BenchError) -> Void) -> BenchError? {
      do throws(BenchError) {
        try body()
        return nil
      } catch {
        return error
      }
    }
    let refusal = error { () throws(BenchError) in try bench.perform(.go(page: "third")) }
    #expect(
      refusal == .refused("there is no page \"third\" (expected first or second)"))
    guard case .refused? = error({ () throws(BenchError) in try bench.perform(.run(["ls"])) })
    else {
      Issue.record("clients start no programs")
      return
    }
    try fixture.stop()
    guard case .lost? = error({ () throws(BenchError) in try bench.begin(seed: 1) }) else {
      Issue.record("it was lost")
      return
    }
  }

  @Test func `a missing kiosk is unavailable, and the error names its socket`() {
    let path = "/tmp/roundel-nowhere/socket"
    #expect {
      try LiveKiosk(at: KioskAddress(socket: path), version: "1", touch: .socket)
    } throws: { error in
      guard case .kiosk(let error)? = error as? LiveError else { return false }
      return error.kind == .unavailable && error.description.contains(path)
    }
  }

  @Test(arguments: [
    ("socket", TouchRoute.socket), ("uinput", .uinput), ("qmp:/run/q", .qmp("/run/q")),
    ("qmp:", nil), ("", nil), ("mouse", nil),
  ])
  func `the ways of touching have names`(_ text: String, _ route: TouchRoute?) {
    #expect(TouchRoute(text) == route)
  }
}
