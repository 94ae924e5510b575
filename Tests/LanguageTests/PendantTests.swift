// SPDX-License-Identifier: MIT

import Foundation
import Kiosk
import KioskFile
import RoundelControls
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

/// The example of a machine's pendant, whose arrows move an axis.
@Suite struct PendantTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../deploy/examples/kiosks/pendant.yaml")

  /// Fingers, keys, faults, reloads, sleep and time, in any order.
  private static func act(
    on guest: inout Guest, _ file: String, at seconds: Double,
    using random: inout some RandomNumberGenerator
  ) throws {
    let places = [
      (492, 188), (684, 188), (588, 188), (500, 412), (684, 412), (216, 200), (10, 470),
    ]
    let keys = ["Return", "space", "Tab", "Left", "F1", "right"]
    let phases: [KeyPress.Phase] = [.tap, .down, .down, .up, .cancel]
    let place = places[Int.random(in: places.indices, using: &random)]
    let point = Point(Double(place.0), Double(place.1))
    let finger = Int.random(in: 0...2, using: &random)
    guest.advance(to: seconds)
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<6: guest.touch(.down, point, at: seconds, finger: finger)
    case 6..<10: guest.touch(.move, point, at: seconds, finger: finger)
    case 10..<13: guest.touch(.up, point, at: seconds, finger: finger)
    case 13: guest.touch(.cancel, point, at: seconds, finger: finger)
    case 14..<20:
      let name = keys[Int.random(in: keys.indices, using: &random)]
      let phase = phases[Int.random(in: phases.indices, using: &random)]
      try guest.engine.apply(.key(try #require(KeyPress(named: name)), phase))
    case 20:
      try guest.reload(Bool.random(using: &random) ? file : file.replacing("128", with: "127"))
    case 21: try guest.set("fault", .text(Bool.random(using: &random) ? "Hood" : ""))
    case 22: try guest.engine.apply(.blank(Bool.random(using: &random)))
    default: guest.advance(to: seconds + 2)
    }
  }

  @Test func `an arrow moves its axis only while a finger or a key holds it`() throws {
    let file = try String(contentsOf: Self.file, encoding: .utf8)
    var moved = 0
    for seed in Cases.of(2000) {
      var random = SeededGenerator(seed: UInt64(seed))
      var guest = try Guest(file)
      for step in 1...40 {
        try Self.act(on: &guest, file, at: Double(step) * 3, using: &random)
        guard guest["moving"] == .flag(true) else { continue }
        moved += 1
        let isHeld = ["minus", "plus"].contains {
          (guest.engine.placedControl($0)?.control as? Button)?.isHeld == true
        }
        #expect(isHeld, "seed \(seed), step \(step)")
      }
    }
    #expect(moved > 50, "hardly anything moved: \(moved)")
  }
}
