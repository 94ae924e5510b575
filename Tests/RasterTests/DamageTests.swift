// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing

@Suite struct DamageTests {
  /// A random rectangle on a field.
  private func rect(on field: PixelSize, _ random: inout SeededGenerator) -> PixelRect {
    let x = Int.random(in: 0..<field.width, using: &random)
    let y = Int.random(in: 0..<field.height, using: &random)
    let reach = Bool.random(using: &random) ? 12 : field.height
    return PixelRect(
      x0: x, y0: y, x1: min(x + .random(in: 0...reach, using: &random), field.width),
      y1: min(y + .random(in: 0...reach, using: &random), field.height))
  }

  @Test func `rectangles of damage never overlap, and cover all added ones`() {
    var random = SeededGenerator(seed: 5)
    for round in 0..<40 {
      let field = round.isMultiple(of: 4) ? PixelSize(1000, 600) : PixelSize(100, 100)
      var bands = DamageBands()
      var added = [Bool](repeating: false, count: field.width * field.height)
      for _ in 0..<60 {
        let rect = rect(on: field, &random)
        bands.add(rect)
        for y in rect.y0..<max(rect.y0, rect.y1) {
          for x in rect.x0..<max(rect.x0, rect.x1) { added[y * field.width + x] = true }
        }
      }
      let damage = bands.damage
      var count = [Int](repeating: 0, count: added.count)
      for rect in damage.rects {
        for y in rect.y0..<rect.y1 {
          for x in rect.x0..<rect.x1 { count[y * field.width + x] += 1 }
        }
      }
      #expect(count.allSatisfy { $0 <= 1 })
      #expect(zip(count, added).allSatisfy { $0 == 1 || !$1 })
      #expect(damage.rects.count <= Damage.maximumCount)
    }
  }

  @Test func `a single rectangle is the whole damage`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<200 {
      let rect = rect(on: PixelSize(900, 900), &random)
      var bands = DamageBands()
      bands.add(rect)
      #expect(bands.damage == Damage(rect))
      bands.add(rect)
      #expect(bands.damage == Damage(rect))
      bands.removeAll()
      #expect(bands.isEmpty && bands.damage.isEmpty)
    }
  }

  @Test func `the damage of several frames can be merged`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      var bands = DamageBands()
      for _ in 0..<20 { bands.add(rect(on: PixelSize(800, 400), &random)) }
      let damage = bands.damage
      var again = DamageBands()
      again.add(damage)
      #expect(again.damage.bounds == damage.bounds)
      #expect(again.damage.area >= damage.area)
    }
  }

  @Test func `barely touching rectangles aren't merged into their bounding box`() {
    var bands = DamageBands()
    bands.add(PixelRect(x0: 0, y0: 0, x1: 100, y1: 10))
    bands.add(PixelRect(x0: 90, y0: 5, x1: 100, y1: 100))
    // The rows that both have in common are whole.
    #expect(bands.damage.area == 100 * 16 + 10 * 84)
    bands.add(PixelRect(x0: 95, y0: 2, x1: 99, y1: 50))
    #expect(bands.damage.area == 100 * 16 + 10 * 84)
  }

  @Test func `damage scattered over a large panel has one rectangle per row`() {
    var bands = DamageBands()
    for index in 0..<400 {
      let (x, y) = (index % 20 * 360, index / 20 * 200)
      bands.add(PixelRect(x0: x, y0: y, x1: x + 2, y1: y + 2))
    }
    let rows = (0..<20).map { PixelRect(x0: 0, y0: $0 * 200, x1: 6842, y1: $0 * 200 + 2) }
    #expect(bands.damage.rects == rows)
  }

  @Test func `a rotation around a centre doesn't repaint the centre`() {
    var bands = DamageBands()
    for index in 0..<60 {
      let middle = Point(400, 400) + (Angle.degrees(Double(index) * 6)).unit * 330
      bands.add(PixelRect(covering: Rect(center: middle, size: Size(40, 30))))
    }
    let rects = bands.damage.rects
    let hub = PixelRect(covering: Rect(center: Point(400, 400), size: Size(360, 360)))
    #expect(rects.allSatisfy { !$0.overlaps(hub) })
    #expect(bands.damage.area < 700 * 700 * 2 / 5)
    #expect(rects.count < 40)
  }
}
