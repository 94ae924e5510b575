// SPDX-License-Identifier: MIT

import RoundelInput
import Testing

@testable import InputDevices

@Suite struct DeviceSettingsTests {
  private func settings(_ text: String) -> DeviceSettings {
    DeviceSettings(text, path: "calibration")
  }

  @Test func `each device has its own settings`() {
    let read = settings(
      """
      # A comment.
      ADS7846 Touchscreen:
        calibration: [1.08, 0.01, -0.04, -0.02, 1.11, -0.05]
      "rotary@17":
        steps: 4
      """)
    #expect(read.problems.isEmpty)
    #expect(
      read["ADS7846 Touchscreen"]?.calibration?.coefficients
        == [1.08, 0.01, -0.04, -0.02, 1.11, -0.05])
    #expect(read["rotary@17"]?.stepsPerDetent == 4)
    #expect(read["other"] == nil)
  }

  @Test(arguments: ["plain", "a: b", "\"quotes\" \\ and\ttabs", "# no comment", "Gerät", "- x", ""])
  func `written settings are read back`(_ name: String) throws {
    var written = settings("")
    written[name] = .init(
      calibration: try TouchMatrix([1.25, -0.5, 0.125, 0.0625, 0.75, -0.25]), stepsPerDetent: 2)
    written["other"] = .init(stepsPerDetent: 4)
    let read = settings(written.text)
    #expect(read.problems.isEmpty, "\(read.problems)")
    #expect(read.devices == written.devices)
  }

  @Test(arguments: [
    ("a:\n  calibration: [1, 0, 0, 0, 1]", "calibration:2: a: a calibration must have six numbers"),
    ("a:\n  calibration: [0, 0, 0, 0, 0, 0]", "maps the panel"),
    ("a:\n  calibration: [1, 0, 0, 0, 1, x]", "a calibration's numbers must be"),
    ("a:\n  calibration: 7", "six numbers"),
    ("a:\n  steps: 3", "steps must be 1, 2 or 4"), ("a:\n  other: 3", "unknown setting other"),
    ("a: [", "calibration:1"),
  ])
  func `invalid settings are reported with their location, and the rest is used`(
    _ text: String, _ expected: String
  ) {
    let read = settings("good:\n  steps: 2\n" + text)
    if text != "a: [" { #expect(read["good"]?.stepsPerDetent == 2) }
    let line = expected.replacing("calibration:2", with: "calibration:4")
      .replacing("calibration:1", with: "calibration:")
    #expect(read.problems.count == 1 && read.problems[0].contains(line), "\(read.problems)")
  }

  @Test func `a missing file isn't a problem`() {
    let read = DeviceSettings(reading: "/nonexistent/calibration")
    #expect(read.devices.isEmpty && read.problems.isEmpty)
  }
}
