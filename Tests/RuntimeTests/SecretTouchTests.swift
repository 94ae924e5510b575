// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelSession
import Testing
import RoundelText

@Suite struct SecretTouchTests {
  @Test func `touches on a PIN keypad aren't recorded, touches outside it are`() {
    let pads = [(KeypadLayout.pin, 100.0), (.digits, 300)].map { layout, x in
      PlacedControl(
        id: "\(Int(x))",
        control: Keypad(center: Point(x, 100), size: Size(180, 180), layout: layout))
    }
    let cycle = FrameCycle(
      Content(
        Description(
          name: "k", screen: Screen(size: Size(400, 200)), pages: [Page(name: "p", controls: pads)]
        ), fonts: FontLibrary()),
      on: HeadlessDisplay(
        size: PixelSize(400, 200), rotation: .none, refreshInterval: 0, clock: { .zero }),
      seed: 0
    ) { .zero }
    var recorded: [Touch] = []
    cycle.onTouch = { touch, _ in recorded.append(touch) }
    var printed = ""
    cycle.onEvent = { printed += SessionLine($0).text }
    for (finger, x) in [100.0, 300].enumerated() {
      // The keys 5 and enter.
      for place in [Point(x, 100), Point(x + 60, 160)] {
        for phase in [Touch.Phase.down, .move, .up] {
          cycle.handle(Touch(finger: finger, phase: phase, position: place), at: .zero)
        }
      }
    }
    _ = cycle.turn()
    #expect(recorded.count == 6)
    #expect(recorded.allSatisfy { $0.finger == 1 })
    #expect(printed.contains("\"control\":\"300\",\"event\":\"entered\",\"text\":\"5\""))
    #expect(printed.contains("\"control\":\"100\",\"event\":\"entered\",\"count\":1"), "\(printed)")
  }
}
