// SPDX-License-Identifier: MIT

import Geometry
import Testing

@testable import Studio

@Suite struct FreeRoomTests {
  private func overlaps(_ place: FreeRoom.Place, _ size: Size, _ rect: Rect) -> Bool {
    let own = Rect(
      center: place.center, size: Size(size.width * place.scale, size.height * place.scale))
    return !own.intersection(rect).isEmpty
  }

  @Test func `an empty page has space in its centre`() {
    let room = FreeRoom(screen: Rect(size: Size(800, 480)))
    #expect(room.place(for: Size(256, 72)) == .init(center: Point(400, 240), scale: 1))
  }

  @Test func `a new control is placed in free space, smaller if necessary`() {
    var room = FreeRoom(screen: Rect(size: Size(800, 480)))
    let size = Size(272, 272)
    room.taken = [Rect(center: Point(400, 240), size: Size(120, 120))]
    let beside = room.place(for: size)
    #expect(beside.scale == 1 && !overlaps(beside, size, room.taken[0]))
    room.taken = [Rect(center: Point(400, 240), size: Size(400, 200))]
    let smaller = room.place(for: size)
    #expect(smaller.scale < 1 && !overlaps(smaller, size, room.taken[0]))
  }

  @Test func `a full page places a new control in its centre`() {
    var room = FreeRoom(screen: Rect(size: Size(480, 320)))
    room.taken = [room.screen]
    #expect(room.place(for: Size(100, 50)) == .init(center: Point(240, 160), scale: 1))
  }

  @Test func `a new control is never larger than the screen`() {
    for (width, height) in [(16.0, 16.0), (16, 3840), (100_000, 16), (3840, 2160)] {
      let room = FreeRoom(screen: Rect(size: Size(width, height)))
      let place = room.place(for: Size(416, 272))
      #expect(416 * place.scale <= width && 272 * place.scale <= height)
      let dropped = room.place(for: Size(416, 272), at: Point(-50, 2 * height))
      #expect(room.screen.contains(dropped.center), "\(width) by \(height)")
    }
  }

  @Test func `a new control is completely visible on a round panel`() {
    var room = FreeRoom(screen: Rect(size: Size(480, 480)))
    room.circle = (Point(240, 240), 240)
    room.taken = [Rect(center: Point(240, 240), size: Size(100, 100))]
    let size = Size(160, 60)
    let place = room.place(for: size)
    let (w, h) = (size.width * place.scale / 2, size.height * place.scale / 2)
    for (x, y) in [(-w, -h), (w, -h), (-w, h), (w, h)] {
      let (dx, dy) = (place.center.x + x - 240, place.center.y + y - 240)
      #expect(dx * dx + dy * dy <= 240 * 240)
    }
    #expect(!overlaps(place, size, room.taken[0]))
  }
}
