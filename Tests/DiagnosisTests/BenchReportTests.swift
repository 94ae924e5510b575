// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import RoundelJSON
import Kiosk
import RoundelRuntime
import Testing
import RoundelText

@testable import RoundelDiagnosis

@Suite struct BenchReportTests {
  @Test func `a measurement is a median with a range of nine in ten values`() throws {
    let times = try #require(FrameTimes((0..<100).map(Double.init).shuffled()))
    #expect(times.median == 50 && times.low == 5 && times.high == 94)
    #expect(FrameTimes([]) == nil)
    let single = try #require(FrameTimes([3]))
    #expect(single.median == 3 && single.low == 3 && single.high == 3)
  }

  @Test func `each visible control and the page transition are timed`() throws {
    let wheel = Pinwheel(
      center: Point(50, 50), radius: 40, hole: 5, press: .color(.white),
      wedges: [.init(id: "a", color: .hex(0x800000)), .init(id: "b")])
    let gauge = try Ring(
      center: Point(150, 50), radius: 40, thickness: 10,
      scale: #require(Scale(from: 0, to: 100, step: 1)),
      isInteractive: false)
    let content = Content(
      Description(
        name: "k", screen: Screen(size: Size(200, 100)),
        pages: [
          Page(
            name: "one",
            controls: [
              PlacedControl(id: "wheel", control: wheel),
              PlacedControl(id: "gauge", control: gauge),
              PlacedControl(id: "hidden", control: wheel, isVisible: false),
            ]), Page(name: "two", controls: []),
        ]), fonts: FontLibrary())
    let report = try BenchReport(
      content, panel: PixelSize(200, 100), rotation: .none, frames: 20)
    #expect(report.controls.map(\.id) == ["wheel", "gauge"])
    #expect(report.controls[0].highlight != nil && report.controls[1].highlight == nil)
    #expect(report.controls[1].motion != nil)
    #expect(report.changes.map(\.name) == ["slide", "fade", "swipe"])
    #expect(report.changes.allSatisfy { $0.first != nil && $0.rest != nil })
    #expect(report.json["frames"]?.number == 20)
    #expect(report.json["controls"]?["wheel"]?["highlight_us"]?.number != nil)
    #expect(report.json["controls"]?["gauge"]?["highlight_us"] == .null)
    let lines = report.table.split(separator: "\n")
    #expect(lines[0] == "200x100, median of 20 frames")
    #expect(lines.contains { $0.hasPrefix("gauge: highlight") && $0.hasSuffix("–") })
    #expect(Set(lines.dropFirst(2).map(\.count)).count <= 2)
  }
}
