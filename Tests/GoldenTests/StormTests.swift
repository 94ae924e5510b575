// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing

/// Random use of every control at once.
@Suite struct StormTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `after random touches, unplugging and page changes nothing is held, lit or moving`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var description = try Example.home.description()
    description.screen.homeAfter = nil
    var engine = Engine(description, seed: seed)
    let pages = description.pages.map(\.name)
    var time = 0.0
    for _ in 0..<1500 {
      // Mostly quick, with some pauses, and sometimes a clock that goes back or jumps by hours.
      switch Int.random(in: 0..<200, using: &random) {
      case 0: time -= 5
      case 1: time += 10_000
      case 2...9: time += 1.5
      default: time += .random(in: 0...0.04, using: &random)
      }
      let now = Instant(seconds: max(0, time))
      switch Int.random(in: 0..<60, using: &random) {
      case 0: engine.cancelTouches(at: now)
      case 1: engine.go(to: pages.randomElement(using: &random) ?? "")
      case 2: engine.setBlank(true)
      case 3: engine.shake(at: now)
      default:
        let phases: [Touch.Phase] = [.down, .down, .move, .move, .move, .up, .up, .cancel]
        let place = Point(
          .random(in: -50...1330, using: &random), .random(in: -50...850, using: &random))
        let phase = phases.randomElement(using: &random) ?? .up
        let isNumber = Int.random(in: 0..<100, using: &random) > 0
        engine.handle(
          Touch(
            finger: .random(in: 0..<10, using: &random), phase: phase,
            position: isNumber ? place : Point(.nan, .infinity)), at: now)
      }
      time = max(time, engine.now.seconds)
    }
    engine.cancelTouches(at: engine.now)
    // Let running motions end: a spin, a fling.
    engine.advance(to: engine.now + 30)
    #expect(engine.fingers.isEmpty)
    for page in pages {
      engine.go(to: page)
      engine.setBlank(false)
      engine.advance(to: engine.now + 100)
      #expect(!engine.isMoving, "\(page)")
      #expect(engine.nextChange == nil, "\(page)")
      let rest = engine.displayList
      engine.advance(to: engine.now + 1000)
      #expect(engine.displayList == rest, "\(page)")
    }
    // Everything still responds: a tap on a wedge of the first page opens a page.
    engine.go(to: pages[0])
    _ = engine.takeEvents()
    let wedge = Point(640, 150)
    engine.handle(Touch(finger: 0, phase: .down, position: wedge), at: engine.now)
    engine.handle(Touch(finger: 0, phase: .up, position: wedge), at: engine.now + 0.1)
    #expect(engine.takeEvents().map(\.name).contains("selected"))
  }
}
