// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import TestSupport
import Testing

@Suite struct DamageTests {
  @Test func `rectangles of a damage never overlap, and hold all that was added`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      var damage = Damage()
      var added = [Bool](repeating: false, count: 100 * 100)
      for _ in 0..<60 {
        let x = Int.random(in: 0..<90, using: &random)
        let y = Int.random(in: 0..<90, using: &random)
        let rect = PixelRect(
          x0: x, y0: y, x1: x + .random(in: 0...10, using: &random),
          y1: y + .random(in: 0...10, using: &random))
        damage.add(rect)
        for y in rect.y0..<rect.y1 {
          for x in rect.x0..<rect.x1 { added[y * 100 + x] = true }
        }
        var count = [Int](repeating: 0, count: added.count)
        for rect in damage.rects {
          for y in rect.y0..<rect.y1 {
            for x in rect.x0..<rect.x1 { count[y * 100 + x] += 1 }
          }
        }
        #expect(count.allSatisfy { $0 <= 1 })
        #expect(zip(count, added).allSatisfy { $0 == 1 || !$1 })
        #expect(damage.rects.count <= 16)
      }
    }
  }

  @Test func `rectangles that barely touch do not become the large one around both`() {
    var damage = Damage(PixelRect(x0: 0, y0: 0, x1: 100, y1: 10))
    damage.add(PixelRect(x0: 90, y0: 5, x1: 100, y1: 100))
    #expect(damage.area == 100 * 10 + 10 * 90)
    damage.add(PixelRect(x0: 95, y0: 2, x1: 99, y1: 50))
    #expect(damage.area == 100 * 10 + 10 * 90)
  }
}
