// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

@Suite struct ShakeTests {
  private func slots(_ triggers: Set<Slots.Trigger>) -> Slots {
    Slots(
      center: Point(100, 100), size: Size(100, 100), triggers: triggers,
      reels: [Slots.Reel(id: "r", items: ["a", "b"], direction: .down)])
  }

  private var engine: Engine {
    Engine(
      Description(
        name: "k",
        pages: [
          Page(
            name: "first",
            controls: [
              PlacedControl(id: "shaken", control: slots([.shake])),
              PlacedControl(id: "touched", control: slots([.touch])),
              PlacedControl(id: "off", control: slots([.shake]), isEnabled: false),
              PlacedControl(id: "hidden", control: slots([.shake]), isVisible: false),
            ]),
          Page(name: "second", controls: [PlacedControl(id: "other", control: slots([.touch]))]),
        ]), seed: 1)
  }

  @Test func `a shake spins only slots on the current page that respond to it`() {
    var engine = engine
    #expect(engine.awaitsShake)
    engine.shake(at: Instant(seconds: 1))
    engine.advance(to: Instant(seconds: 10))
    let reported = engine.takeEvents()
    #expect(reported.map(\.name) == ["started", "settled"])
    #expect(reported.map(\.control) == ["shaken", "shaken"])
    #expect(reported.map(\.time.seconds) == [1, 6])
  }

  @Test func `on another page or asleep, the kiosk doesn't listen for shakes`() {
    var engine = engine
    engine.go(to: "second")
    #expect(!engine.awaitsShake)
    engine.go(to: "first")
    engine.setBlank(true)
    #expect(!engine.awaitsShake)
    _ = engine.takeEvents()
    engine.shake(at: Instant(seconds: 1))
    #expect(engine.takeEvents().isEmpty)
  }
}
