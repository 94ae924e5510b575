// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

@Suite struct DisplayListTests {
  private let size = PixelSize(80, 60)

  /// A picture with a varying number and kind of items.
  private func draw(_ step: Int, into list: inout DisplayList) {
    var random = SeededGenerator(seed: UInt64(step))
    list.background = Color(hex: UInt32.random(in: 0...0xffffff, using: &random))
    for _ in 0..<Int.random(in: 0...7, using: &random) {
      let place = Point(.random(in: 0...80, using: &random), .random(in: 0...60, using: &random))
      let color = Color(hex: UInt32.random(in: 0...0xffffff, using: &random))
      let count = Int.random(in: 1...4, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: list.add(.disc(center: place, radius: 14), color.faded(to: 0.7))
      case 1:
        list.addInOnePass(clip: Rect(x0: 5, y0: 0, x1: 70, y1: 50)) { list in
          for number in 0..<count {
            let left = place.x + 9 * Double(number)
            list.add(.rect(Rect(x0: left, y0: place.y, x1: left + 9, y1: place.y + 12)), color)
          }
        }
      case 2:
        list.addPolygon(color) { corners in
          for number in 0..<count + 2 {
            corners.append(place + Angle.degrees(60 * Double(number)).unit * 17)
          }
        }
      default:
        let frame = Rect(center: place, size: Size(30, 24))
        list.add(.rect(frame), Strip(frame: frame, rowHeight: 8, offset: -3, blur: 4)) { rows in
          for number in 0..<count + 2 {
            let disc = Tile(.disc(center: Point(8, 4), radius: 3), .white)
            rows.append(Strip.Row(background: color, number % 2 == 0 ? disc : nil))
          }
        }
      }
    }
  }

  private func list(_ step: Int) -> DisplayList {
    var list = DisplayList()
    draw(step, into: &list)
    return list
  }

  @Test func `a reused list equals a new one`() {
    var used = DisplayList()
    for step in 0..<300 {
      let copy = used
      let before = copy.items
      used.removeAll()
      draw(step, into: &used)
      #expect(used == list(step))
      #expect(used.hashValue == list(step).hashValue)
      // A copy is unaffected.
      #expect(copy.items == before)
    }
  }

  @Test func `items are returned as added, with one pass as one item`() {
    var list = DisplayList()
    let disc = DisplayItem(.disc(center: Point(20, 20), radius: 9), .white)
    let pair = DisplayItem([Tile(.rect(Rect(size: Size(9, 9))), .black), disc.tiles[0]])
    list.add(disc)
    list.addInOnePass { list in
      for tile in pair.tiles { list.add(tile.shape, tile.fill) }
    }
    #expect(list.items == [disc, pair])
    list.items[1].tiles[0].fill = .color(.white)
    #expect(list.items[1].tiles.map(\.fill) == [.color(.white), .color(.white)])
    #expect(list == DisplayList(items: list.items))
  }

  @Test func `a picture drawn with reused memory equals a fresh one`() {
    func sheet() -> Sheet {
      Sheet(
        Painter(
          size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary()))
    }
    let used = sheet()
    for step in 0..<300 {
      used.show { draw(step, into: &$0) }
      let fresh = sheet()
      fresh.show(list(step))
      #expect(used.canvas.bitmap() == fresh.canvas.bitmap(), "step \(step)")
    }
  }
}
