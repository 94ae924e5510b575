// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelInput
import RoundelJSON
import KioskService
import LinuxIO
import RoundelMotion
import RoundelRuntime
import Testing

@Suite struct KioskCalibrationTests {
  /// Runs a calibration and taps each cross on a misaligned touchscreen.
  private func calibrate(
    _ fixture: KioskFixture, _ parameters: String = "{}", matrix: TouchMatrix = .identity,
    felt: (Point) -> Point
  ) throws -> JSONValue {
    let wire = try fixture.connect()
    wire.send(
      line: "{\"jsonrpc\":\"2.0\",\"method\":\"calibrate\",\"params\":\(parameters),\"id\":1}")
    var colors: Set<Int> = []
    for cross in Calibration().crosses {
      #expect(try fixture.run { fixture.touchTaker != nil && fixture.cycle.isShown })
      colors.insert(fixture.cycle.overlay.count)
      let place = matrix.applied(to: felt(cross))
      let touchscreen = Touchscreen(name: "ADS7846", matrix: matrix)
      fixture.touchTaker?(.down(device: 3, slot: 0, at: Point(0.5, 0.5)), touchscreen)
      fixture.touchTaker?(
        .down(device: 4, slot: 0, at: Point(0.1, 0.5)), Touchscreen(name: "other"))
      fixture.touchTaker?(.move(device: 3, slot: 0, to: place), touchscreen)
      fixture.touchTaker?(.up(device: 4, slot: 0), Touchscreen(name: "other"))
      fixture.touchTaker?(.up(device: 3, slot: 0), touchscreen)
    }
    #expect(colors == [3])
    #expect(
      try fixture.run {
        wire.read()
        return wire.answers.contains { $0["id"] != nil }
      })
    let answer = wire.answers.last { $0["id"] != nil }
    return answer?["result"] ?? answer?["error"] ?? .null
  }

  private func numbers(_ value: JSONValue?) -> [Double] {
    guard case .array(let items)? = value else { return [] }
    return items.compactMap(\.number)
  }

  @Test func `five taps give the matrix, and the panel returns to the kiosk`() throws {
    let fixture = try KioskFixture()
    fixture.hasTouchscreen = true
    let answer = try calibrate(fixture) { Point($0.x * 0.8 + 0.1, $0.y * 0.5 + 0.2) }
    #expect(answer["device"]?.string == "ADS7846")
    let expected = [1.25, 0, -0.125, 0, 2, -0.4]
    for (a, b) in zip(numbers(answer["calibration"]), expected) { #expect(abs(a - b) < 1e-9) }
    #expect(numbers(answer["errors"]) == [0, 0, 0, 0, 0])
    #expect(fixture.matrices.count == 1)
    #expect(fixture.touchTaker == nil && fixture.cycle.overlay.isEmpty)
    #expect(fixture.events.allSatisfy { !$0.contains("pressed") })
  }

  @Test func `the current matrix is included in the result`() throws {
    let fixture = try KioskFixture()
    fixture.hasTouchscreen = true
    let present = try TouchMatrix([0.9, 0.1, 0, 0, 1.1, 0.05])
    let answer = try calibrate(fixture, matrix: present) { Point($0.y, 1 - $0.x) }
    let expected = [0.0, -1, 1, 1, 0, 0]
    for (a, b) in zip(numbers(answer["calibration"]), expected) { #expect(abs(a - b) < 1e-9) }
  }

  @Test func `a check reports the error and changes nothing`() throws {
    let fixture = try KioskFixture()
    fixture.hasTouchscreen = true
    let answer = try calibrate(fixture, #"{"check":true}"#) { Point($0.x + 0.01, $0.y) }
    // Each row of the panel has 400 pixels.
    #expect(numbers(answer["errors"]) == [4, 4, 4, 4, 4])
    #expect(fixture.matrices.isEmpty)
  }

  @Test func `taps at the same position are rejected, and the kiosk continues`() throws {
    let fixture = try KioskFixture()
    fixture.hasTouchscreen = true
    let answer = try calibrate(fixture) { _ in Point(0.4, 0.4) }
    #expect(answer["message"]?.string?.contains("at one point") == true)
    #expect(fixture.matrices.isEmpty && fixture.touchTaker == nil && fixture.cycle.overlay.isEmpty)
  }

  @Test func `calibration fails without a touchscreen`() throws {
    let answer = try KioskFixture().ask("calibrate")
    #expect(answer["message"]?.string?.contains("no touchscreen") == true)
  }

  @Test func `a disconnected client returns the panel to the kiosk`() throws {
    let fixture = try KioskFixture()
    fixture.hasTouchscreen = true
    do {
      let wire = try fixture.connect()
      wire.send(line: #"{"jsonrpc":"2.0","method":"calibrate","id":1}"#)
      #expect(try fixture.run { fixture.touchTaker != nil })
      // There is only one calibration at a time.
      #expect(
        try fixture.ask("calibrate")["message"]?.string == "another calibration is in progress")
    }
    #expect(try fixture.run { fixture.touchTaker == nil && fixture.cycle.overlay.isEmpty })
  }
}
