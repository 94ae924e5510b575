// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Kiosk
import TestSupport

/// Fingers that touch a kiosk at random, mostly at its controls.
struct RandomFingers {
  private var random: SeededGenerator

  /// The last position of each finger.
  private var places: [Int: Point] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The seconds until the next input.
  var pause: Double {
    mutating get {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<5: 0
      case 5..<15: Double.random(in: 0...0.03, using: &random)
      case 15..<19: Double.random(in: 0...1, using: &random)
      default: Double.random(in: 0...40, using: &random)
      }
    }
  }

  mutating func touch(on engine: Engine) -> Touch {
    let finger = Int.random(in: 0...3, using: &random)
    let isDown = engine.fingers.contains(finger)
    let phase: Touch.Phase =
      switch Int.random(in: 0..<20, using: &random) {
      case 0: .cancel
      case 1: .down
      case 2: .up
      default: isDown ? (Int.random(in: 0..<3, using: &random) == 0 ? .up : .move) : .down
      }
    var place = place(on: engine)
    // Some continue along an axis, like swipes.
    if phase == .move, let last = places[finger], Bool.random(using: &random) {
      let distance = Double.random(in: -150...150, using: &random)
      place =
        last
        + (Bool.random(using: &random)
          ? Vector(distance, distance / 9) : Vector(distance / 9, distance))
    }
    places[finger] = place
    return Touch(finger: finger, phase: phase, position: place)
  }

  private mutating func place(on engine: Engine) -> Point {
    let controls =
      engine.pages[engine.activePage].controls
      + engine.pages[engine.shownPage].controls.filter(\.isAlwaysAvailable)
    if let entry = controls.randomElement(using: &random), Bool.random(using: &random) {
      let item = entry.control.items(at: engine.now).randomElement(using: &random)?.id
      if let place = entry.control.place(of: item, at: engine.now) { return place }
    }
    if Int.random(in: 0..<200, using: &random) == 0 { return Point(.nan, .infinity) }
    if Int.random(in: 0..<200, using: &random) == 0 { return Point(1e300, -1e300) }
    return Point(
      Double.random(in: -50...850, using: &random), Double.random(in: -50...650, using: &random))
  }
}
