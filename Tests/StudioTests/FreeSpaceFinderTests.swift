// SPDX-License-Identifier: MIT

import RoundelGeometry
import Testing

@testable import RoundelStudio

@Suite struct FreeSpaceFinderTests {
  private func overlaps(_ place: FreeSpaceFinder.Place, _ size: Size, _ rect: Rect) -> Bool {
    let own = Rect(
      center: place.center, size: Size(size.width * place.scale, size.height * place.scale))
    return !own.intersection(rect).isEmpty
  }

  @Test func `an empty page has space in its centre`() {
    let finder = FreeSpaceFinder(screen: Rect(size: Size(800, 480)))
    #expect(finder.place(for: Size(256, 72)) == .init(center: Point(400, 240), scale: 1))
  }

  @Test func `a new control is placed in free space, smaller if necessary`() {
    var finder = FreeSpaceFinder(screen: Rect(size: Size(800, 480)))
    let size = Size(272, 272)
    finder.taken = [Rect(center: Point(400, 240), size: Size(120, 120))]
    let beside = finder.place(for: size)
    #expect(beside.scale == 1 && !overlaps(beside, size, finder.taken[0]))
    finder.taken = [Rect(center: Point(400, 240), size: Size(400, 200))]
    let smaller = finder.place(for: size)
    #expect(smaller.scale < 1 && !overlaps(smaller, size, finder.taken[0]))
  }

  @Test func `a full page places a new control in its centre`() {
    var finder = FreeSpaceFinder(screen: Rect(size: Size(480, 320)))
    finder.taken = [finder.screen]
    #expect(finder.place(for: Size(100, 50)) == .init(center: Point(240, 160), scale: 1))
  }

  @Test func `a new control is never larger than the screen`() {
    for (width, height) in [(16.0, 16.0), (16, 3840), (100_000, 16), (3840, 2160)] {
      let finder = FreeSpaceFinder(screen: Rect(size: Size(width, height)))
      let place = finder.place(for: Size(416, 272))
      #expect(416 * place.scale <= width && 272 * place.scale <= height)
      let dropped = finder.place(for: Size(416, 272), at: Point(-50, 2 * height))
      #expect(finder.screen.contains(dropped.center), "\(width) by \(height)")
    }
  }

  @Test func `a new control is completely visible on a round panel`() {
    var finder = FreeSpaceFinder(screen: Rect(size: Size(480, 480)))
    finder.circle = (Point(240, 240), 240)
    finder.taken = [Rect(center: Point(240, 240), size: Size(100, 100))]
    let size = Size(160, 60)
    let place = finder.place(for: size)
    let (w, h) = (size.width * place.scale / 2, size.height * place.scale / 2)
    for (x, y) in [(-w, -h), (w, -h), (-w, h), (w, h)] {
      let (dx, dy) = (place.center.x + x - 240, place.center.y + y - 240)
      #expect(dx * dx + dy * dy <= 240 * 240)
    }
    #expect(!overlaps(place, size, finder.taken[0]))
  }
}
