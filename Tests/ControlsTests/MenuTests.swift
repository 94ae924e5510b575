// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

@testable import RoundelControls

private let screen = Size(1280, 800)
private let middle = Point(640, 400)

private func items(_ count: Int) -> [Menu.Item] {
  (0..<count).map { Menu.Item(id: "i\($0)", label: "Item \($0)") }
}

private func menu(
  _ items: [Menu.Item], at center: Point = middle, distance: Double? = 130, start: Double = 0,
  arc: Double = 360
) -> Stage<Menu> {
  Stage(
    Menu(
      center: center, screen: screen, label: "Eat", distance: distance, start: .degrees(start),
      arc: .degrees(arc), items: items))
}

private func place(_ degrees: Double, _ distance: Double = 130, around center: Point = middle)
  -> Point
{
  center + Angle.degrees(degrees).unit * distance
}

/// The discs of a display list.
private func discs(_ list: DisplayList) -> [Sector] {
  list.items.compactMap { item in
    guard case .sector(let sector) = item.tiles[0].shape, sector.innerRadius == 0,
      case .color = item.tiles[0].fill
    else { return nil }
    return sector
  }
}

private let four = [
  Menu.Item(id: "soup", label: "Soup"), Menu.Item(id: "salad", label: "Salad"),
  Menu.Item(id: "off", label: "Off", isEnabled: false),
  Menu.Item(
    id: "sweet", label: "Sweet",
    items: [
      Menu.Item(id: "cake", label: "Cake"),
      Menu.Item(id: "fruit", label: "Fruit", items: items(3)),
      Menu.Item(id: "ice", label: "Ice"),
    ]),
]

@Suite struct MenuStrokeTests {
  @Test func `returning to the hub reports one passing event without a leaf`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 1)
    stage.touch(.move, place(0), at: 1.1)
    stage.touch(.move, place(0, 20), at: 1.2)
    stage.touch(.move, place(90, 10), at: 1.3)
    #expect(stage.eventNames == ["opened", "passing soup", "passing"])
    let none = stage.events.last
    #expect(none?.item == nil)
    #expect(
      none?.fields == [
        Field("index", .integer(-1)), Field("label", .text("")), Field("path", .list([])),
      ])
    stage.touch(.move, place(90), at: 1.4)
    // A disabled leaf isn't passed, either.
    stage.touch(.move, place(180), at: 1.5)
    stage.touch(.up, place(180), at: 1.6)
    #expect(stage.eventNames.dropFirst(3) == ["passing salad", "passing", "closed"])
  }

  @Test func `dragging to a leaf and lifting there selects it once and closes the menu`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 1)
    stage.touch(.move, place(0), at: 1.1)
    stage.touch(.up, at: 1.2)
    stage.advance(to: 3)
    #expect(stage.eventNames == ["opened", "passing soup", "selected soup", "closed"])
    #expect(stage.events.map(\.time.microseconds) == [1_000_000, 1_100_000, 1_200_000, 1_200_000])
    #expect(stage.value("item") == .text("soup"))
    #expect(stage.value("label") == .text("Soup"))
    #expect(stage.value("index") == .integer(0))
    #expect(stage.value("path") == .list([.text("soup")]))
    #expect(stage.value("open") == .flag(false))
  }

  @Test func `each leaf under the finger is passed in order`() {
    var stage = menu(items(8))
    stage.touch(.down, middle, at: 0)
    for (step, index) in [0, 1, 2, 5, 5, 0].enumerated() {
      stage.touch(.move, place(45 * Double(index)), at: 0.1 + 0.05 * Double(step))
    }
    stage.touch(.up, at: 0.5)
    #expect(
      stage.eventNames == [
        "opened", "passing i0", "passing i1", "passing i2", "passing i5", "passing i0",
        "selected i0", "closed",
      ])
  }

  @Test func `lifting away from the leaves selects nothing and closes the menu`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(0), at: 0.1)
    stage.touch(.move, middle + Vector(20, 0), at: 0.2)
    stage.touch(.up, at: 0.4)
    #expect(stage.eventNames == ["opened", "passing soup", "passing", "closed"])
  }

  @Test(arguments: [(48.0, false), (48.5, true), (130, true), (211, true), (600, true)])
  func `a drag from the root selects by direction at any distance`(
    _ distance: Double, _ chooses: Bool
  ) {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(90, distance), at: 0.08)
    stage.touch(.up, at: 0.1)
    #expect(stage.eventNames.contains("selected salad") == chooses)
  }

  @Test func `a drag from the root of an open menu reaches just as far`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.touch(.down, middle + Vector(10, 10), at: 1)
    stage.touch(.move, place(0, 390), at: 1.1)
    stage.touch(.up, at: 1.2)
    #expect(stage.eventNames.suffix(2) == ["selected soup", "closed"])
  }

  @Test func `a touch outside the root selects up to two leaf radii beyond the ring`() {
    for (distance, chooses) in [(48.5, true), (130, true), (210, true), (210.5, false)] {
      var stage = menu(four)
      stage.tap(middle, at: 0)
      stage.touch(.down, place(0), at: 1)
      stage.touch(.move, place(90, distance), at: 1.1)
      #expect(stage.eventNames.contains("passing salad") == chooses, "\(distance)")
    }
  }

  @Test func `a finger outside an arc selects nothing at any distance`() {
    var stage = menu(items(4), arc: 90)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(110, 600), at: 0.1)
    stage.touch(.up, at: 0.2)
    #expect(stage.eventNames == ["opened", "closed"])
  }

  @Test func `a disabled leaf is never selected`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(180), at: 0.1)
    stage.touch(.up, at: 0.5)
    #expect(stage.eventNames == ["opened", "closed"])
  }

  @Test func `a cancelled touch closes the menu and selects nothing`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(0), at: 0.1)
    stage.touch(.cancel, at: 0.2)
    stage.advance(to: 1)
    #expect(stage.eventNames == ["opened", "passing soup", "closed"])
    #expect(stage.picture == menu(four).picture)
  }

  @Test func `a long press on the root without movement closes the menu`() {
    var stage = menu(four)
    stage.tap(middle, at: 0, for: 0.31)
    #expect(stage.eventNames == ["opened", "closed"])
  }
}

@Suite struct MenuTapTests {
  @Test func `a tap opens the menu until a leaf is tapped`() {
    var stage = menu(four)
    stage.tap(middle, at: 0, for: 0.3)
    stage.advance(to: 60)
    #expect(stage.value("open") == .flag(true))
    stage.tap(place(90), at: 60)
    #expect(stage.eventNames == ["opened", "passing salad", "selected salad", "closed"])
    #expect(stage.times(of: "selected") == [60.08])
  }

  @Test func `the closed event reports the reason`() {
    func why(_ use: (inout Stage<Menu>) -> Void) -> Value? {
      var stage = menu(four)
      stage.tap(middle, at: 0)
      use(&stage)
      return stage.events.last?.fields.first { $0.name == "why" }?.value
    }
    #expect(why { $0.tap(place(0), at: 1) } == .text("selected"))
    #expect(why { $0.tap(Point(3, 3), at: 1) } == .text("outside"))
    #expect(why { $0.tap(middle, at: 1) } == .text("root"))
    #expect(why { $0.perform("close", at: 1) } == .text("command"))
    #expect(why { $0.reset(at: 1) } == .text("command"))
    #expect(
      why { stage in
        stage.perform("close", at: 1)
        stage.touch(.down, middle, at: 2)
        stage.touch(.move, place(180), at: 2.1)
        stage.touch(.up, at: 2.2)
      } == .text("released"))
  }

  @Test func `a tap outside belongs to the open menu and closes it`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.advance(to: 1)
    #expect(stage.control.contains(Point(3, 3), at: stage.now))
    stage.tap(Point(3, 3), at: 1)
    #expect(stage.eventNames == ["opened", "closed"])
    #expect(!stage.control.contains(Point(3, 3), at: stage.now))
  }

  @Test func `a tap on the root of an open menu closes it`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.tap(middle, at: 1)
    #expect(stage.eventNames == ["opened", "closed"])
  }

  @Test func `a tap on a disabled leaf keeps the menu open`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.tap(place(180), at: 1)
    #expect(stage.eventNames == ["opened"])
    #expect(stage.value("open") == .flag(true))
  }

  @Test func `a touch that slides from one leaf to another selects the second`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.touch(.down, place(0), at: 1)
    stage.touch(.move, place(90), at: 1.1)
    stage.touch(.up, at: 1.2)
    #expect(stage.eventNames.suffix(3) == ["passing salad", "selected salad", "closed"])
  }

  @Test func `commands and the open property open and close it`() throws {
    var stage = menu(four)
    stage.perform("open", at: 1)
    stage.perform("open", at: 2)
    stage.perform("close", at: 3)
    stage.perform("close", at: 4)
    try stage.set("open", to: .flag(true), at: 5)
    try stage.set("open", to: .flag(false), at: 6)
    #expect(stage.eventNames == ["opened", "closed", "opened", "closed"])
    #expect(stage.times(of: "opened") == [1, 5])
    #expect(throws: PropertyError.self) { try stage.set("open", to: .text("yes"), at: 7) }
    #expect(throws: PropertyError.self) { try stage.set("path", to: .text("soup"), at: 7) }
    #expect(throws: PropertyError.self) { try stage.set("colour", to: .text("red"), at: 7) }
  }
}

@Suite struct MenuNestingTests {
  @Test func `a leaf with items opens a ring around itself and reports the whole path`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.tap(place(270), at: 1)
    #expect(stage.eventNames == ["opened", "passing sweet"])
    let sweet = place(270)
    stage.tap(place(120, 130, around: sweet), at: 2)
    stage.tap(place(240, 130, around: place(120, 130, around: sweet)), at: 3)
    #expect(
      stage.eventNames == [
        "opened", "passing sweet", "passing fruit", "passing i2", "selected i2", "closed",
      ])
    #expect(stage.value("path") == .list([.text("sweet"), .text("fruit"), .text("i2")]))
    #expect(stage.events[4].fields.last == Field("path", stage.value("path") ?? .flag(false)))
  }

  @Test func `lifting on a leaf with items leaves its ring open`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(270), at: 0.1)
    stage.touch(.up, at: 0.2)
    #expect(stage.value("open") == .flag(true))
    stage.tap(place(240, 130, around: place(270)), at: 1)
    #expect(stage.eventNames.suffix(2) == ["selected ice", "closed"])
  }

  @Test func `a finger that rests on a leaf with items continues into its ring`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(270), at: 0.1)
    stage.touch(.move, place(0, 130, around: place(270)), at: 0.7)
    stage.touch(.up, at: 0.8)
    #expect(
      stage.eventNames == ["opened", "passing sweet", "passing cake", "selected cake", "closed"])
  }

  @Test func `lifting without a move after a ring opened leaves it open`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(270, 190), at: 0.1)
    stage.touch(.up, at: 2)
    #expect(stage.eventNames == ["opened", "passing sweet"])
    #expect(stage.value("open") == .flag(true))
  }

  @Test func `a tap on the hub of a nested ring goes back`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.tap(place(270), at: 1)
    stage.tap(place(270), at: 2)
    stage.advance(to: 3)
    #expect(stage.eventNames == ["opened", "passing sweet"])
    stage.tap(place(0), at: 3)
    #expect(stage.eventNames.suffix(2) == ["selected soup", "closed"])
  }

  @Test func `a tap on a dimmed circle goes back to its ring and selects nothing`() {
    let soup = Menu.Item(id: "soup", label: "Soup")
    let drinks = Menu.Item(
      id: "drinks", label: "Drinks",
      items: [
        Menu.Item(id: "tea", label: "Tea"),
        Menu.Item(id: "juice", label: "Juice", items: items(3)),
        Menu.Item(id: "water", label: "Water"),
      ])
    let others = ["salad", "dessert", "coffee"].map {
      Menu.Item(id: $0, label: $0, isEnabled: $0 != "salad")
    }
    let root = Point(640, 420)
    let control = Menu(
      center: root, screen: screen, label: "Order", radius: 70, leafRadius: 60,
      items: [soup, others[0], drinks, others[1], others[2]])
    func place(_ item: String, _ stage: Stage<Menu>) -> Point {
      stage.control.place(of: item, at: stage.now) ?? .zero
    }
    for target in ["root", "dessert", "drinks"] {
      var stage = Stage(control)
      stage.tap(root, at: 0)
      let dessert = place("dessert", stage)
      stage.tap(place("drinks", stage), at: 1)
      stage.advance(to: 2)
      #expect(stage.eventNames == ["opened", "passing drinks"])
      let points = ["root": root, "dessert": dessert, "drinks": place("drinks", stage)]
      stage.touch(.down, points[target] ?? .zero, at: 2)
      stage.touch(.up, at: 2.5)
      #expect(stage.eventNames == ["opened", "passing drinks"])
      #expect(stage.value("open") == .flag(true))
      #expect(
        stage.control.items(at: stage.now).allSatisfy { $0.id != "drinks/tea" || $0.place == nil })
      stage.tap(place("coffee", stage), at: 3)
      #expect(stage.eventNames.suffix(2) == ["selected coffee", "closed"])
    }
  }

  @Test func `a drag from a dimmed circle can still select a leaf`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.tap(place(270), at: 1)
    let cake = stage.control.place(of: "sweet/cake", at: stage.now) ?? .zero
    stage.touch(.down, middle, at: 2)
    stage.touch(.move, cake, at: 2.1)
    stage.touch(.up, at: 2.2)
    #expect(stage.eventNames.suffix(3) == ["passing cake", "selected cake", "closed"])
  }

  @Test func `in the second nested ring, a tap on the outer hub goes back by two`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.tap(place(270), at: 1)
    stage.tap(stage.control.place(of: "sweet/fruit", at: stage.now) ?? .zero, at: 2)
    stage.advance(to: 3)
    #expect(stage.control.items(at: stage.now).filter { $0.place != nil }.count == 10)
    stage.tap(middle, at: 3)
    #expect(stage.control.items(at: stage.now).filter { $0.place != nil }.count == 4)
    #expect(!stage.eventNames.contains { $0.hasPrefix("selected") })
  }

  @Test func `there is no leaf outside an arc`() {
    var stage = menu(items(4), arc: 90)
    stage.tap(middle, at: 0)
    stage.touch(.down, place(100), at: 1)
    #expect(stage.eventNames == ["opened", "passing i3"])
    stage.touch(.cancel, at: 1.1)
    stage.tap(middle, at: 2)
    stage.tap(place(110), at: 3)
    #expect(stage.eventNames.suffix(2) == ["opened", "closed"])
  }

  @Test func `the hub of a nested ring has a back symbol`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.advance(to: 1)
    func marks() -> Int {
      stage.picture.items.filter {
        if case .polygon(let corners) = $0.tiles[0].shape { corners.count == 6 } else { false }
      }.count
    }
    #expect(marks() == 0)
    stage.tap(place(270), at: 1)
    stage.advance(to: 2)
    #expect(marks() == 1)
  }

  @Test func `parents stay visible while a nested ring is open, and all close at the end`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.advance(to: 1)
    #expect(discs(stage.picture).count == 5)
    stage.tap(place(270), at: 1)
    stage.advance(to: 2)
    #expect(discs(stage.picture).count == 8)
    stage.tap(Point(1, 1), at: 2)
    stage.advance(to: 3)
    #expect(stage.picture == menu(four).picture)
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `a nested ring is far enough away to fit its leaves`() {
    var stage = menu(
      [
        Menu.Item(id: "many", items: items(12)), Menu.Item(id: "b"), Menu.Item(id: "c"),
      ], distance: 100)
    stage.perform("open", at: 0)
    stage.tap(place(0, 100), at: 1)
    stage.advance(to: 2)
    // The last thirteen discs are the nested ring and its hub.
    let nested = discs(stage.picture).suffix(13)
    for (a, first) in nested.enumerated() {
      for second in nested.dropFirst(a + 1) {
        #expect(
          first.center.distance(to: second.center) > first.outerRadius + second.outerRadius)
      }
    }
  }
}

@Suite struct MenuRingTests {
  private func ring(_ count: Int, arc: Double = 360, start: Double = 0, distance: Double? = nil)
    -> MenuRing
  {
    MenuRing(
      count: count, start: .degrees(start), arc: .degrees(arc), hub: 48, leafRadius: 40,
      distance: distance)
  }

  @Test(arguments: Array(1...24) + [500])
  func `leaves are evenly spaced around a full circle`(count: Int) {
    let ring = ring(count, start: 45)
    for index in 0..<count {
      let expected = Angle.degrees(45 + 360 * Double(index) / Double(count))
      #expect(abs(Angle(of: ring.place(index)).turn(from: expected).radians) < 1e-6)
    }
  }

  @Test(arguments: [1, 2, 3, 5, 12])
  func `leaves on an arc are spaced from end to end`(count: Int) {
    let ring = ring(count, arc: 120, start: 30)
    for index in 0..<count {
      let expected = Angle.degrees(30 + (count > 1 ? 120 * Double(index) / Double(count - 1) : 0))
      #expect(abs(Angle(of: ring.place(index)).turn(from: expected).radians) < 1e-6)
    }
  }

  @Test(arguments: [360.0, 300, 180, 90], Array(1...24) + [500])
  func `by default circles don't touch and the ring is as small as possible`(
    arc: Double, count: Int
  ) {
    let ring = ring(count, arc: arc)
    let centers = (0..<count).map { Point.zero + ring.place($0) }
    var nearest = ring.distance - 48 - 40
    for (a, first) in centers.enumerated().prefix(30) {
      for second in centers.dropFirst(a + 1) {
        nearest = min(nearest, first.distance(to: second) - 80)
      }
    }
    #expect(nearest > 4.9 && nearest < 5.1)
  }

  @Test(arguments: [360.0, 300, 180, 90, 20], [1, 2, 3, 5, 8])
  func `on a round screen all leaves are inside the circle if they fit`(arc: Double, count: Int) {
    let screen = Size(720, 700)
    let middle = Point(360, 350)
    for degrees in stride(from: 0.0, to: 360, by: 31) {
      let ring = ring(count, arc: arc, start: degrees)
      // The screen's corners, which are inside the rectangle but outside the circle.
      for center in [Point(0, 0), Point(720, 700), Point(60, 640), Point(360, 690)] {
        let moved = ring.center(nearest: center, in: screen, isRound: true)
        let farthest = (0..<count).map { (moved + ring.place($0)).distance(to: middle) + 40 }.max()
        #expect(ring.fits(in: screen, isRound: true) == (farthest ?? 0 <= 350 - 5 + 1e-6))
        // A ring that is inside doesn't move.
        let again = ring.center(nearest: moved, in: screen, isRound: true)
        #expect(again.distance(to: moved) < 1e-6)
      }
    }
  }

  @Test(arguments: [360.0, 270, 90, 350], [1, 2, 3, 7, 24, 500])
  func `the leaf of a direction is the nearest of all`(arc: Double, count: Int) {
    let ring = ring(count, arc: arc, start: 77, distance: 100)
    for degrees in stride(from: 0.05, to: 360, by: 0.7) {
      let direction = Angle.degrees(degrees)
      let turns = (0..<count).map {
        abs(Angle(of: ring.place($0)).turn(from: direction).radians)
      }
      let found = ring.leaf(at: direction.unit * 90)
      let half = count > 1 ? arc / Double(count - 1) / 2 : arc / 2
      let beside = abs((direction - .degrees(77 + arc / 2)).normalized.degrees - 180)
      if arc < 360, 180 - beside > arc / 2 + half {
        #expect(found == nil)
      } else {
        #expect(found.map { turns[$0] - (turns.min() ?? 0) < 1e-6 } == true)
      }
    }
  }

  @Test func `finding a leaf takes no longer among thousands than among three`() {
    let clock = ContinuousClock()
    let (few, many) = (ring(3, distance: 100), ring(5000, distance: 100))
    func measured(_ ring: MenuRing) -> Duration {
      (0..<5).map { _ in
        clock.measure {
          for step in 0..<2000 { _ = ring.leaf(at: Angle.degrees(Double(step)).unit * 90) }
        }
      }.min() ?? .zero
    }
    #expect(measured(many) < measured(few) * 20)
  }

  @Test(arguments: [Point(0, 0), Point(1280, 0), Point(0, 800), Point(1270, 790), Point(640, 795)])
  func `a ring at an edge moves inside the screen as a whole`(corner: Point) {
    let ring = ring(8)
    let center = ring.center(nearest: corner, in: screen)
    for index in 0..<8 {
      let place = center + ring.place(index)
      #expect(place.x >= 45 - 1e-6 && place.x <= 1235 + 1e-6)
      #expect(place.y >= 45 - 1e-6 && place.y <= 755 + 1e-6)
    }
    #expect(ring.center(nearest: middle, in: screen) == middle)
  }

  @Test func `an arc that already fits doesn't move`() {
    let half = ring(5, arc: 180, start: 270)
    #expect(half.center(nearest: Point(640, 750), in: screen) == Point(640, 750))
  }

  @Test func `a ring larger than the screen is centred`() {
    #expect(ring(500).center(nearest: Point(3, 3), in: screen).x == 640)
  }
}

@Suite struct MenuMotionTests {
  @Test func `the ring overshoots by a sixth and rests after 0.4 seconds`() {
    var stage = menu(items(6))
    stage.touch(.down, middle, at: 0)
    var farthest = 0.0
    for frame in 0..<50 {
      stage.advance(to: Double(frame) * 0.01)
      farthest = max(farthest, discs(stage.picture)[0].center.distance(to: middle))
    }
    #expect(abs(farthest / 130 - 1.163) < 0.01)
    #expect(!stage.control.isMoving(at: Instant(seconds: 0.4)))
    #expect(stage.control.isMoving(at: Instant(seconds: 0.399)))
    #expect(discs(stage.picture)[0].center.distance(to: place(0)) < 1e-6)
  }

  @Test func `leaves fade in below the root and above other controls`() {
    var stage = menu(items(6))
    stage.touch(.down, middle, at: 0)
    stage.advance(to: 0.02)
    let list = stage.picture
    #expect(discs(list).last?.center == middle)
    guard case .color(let color) = list.items[0].tiles[0].fill else { return }
    #expect(color.alpha > 0 && color.alpha < 128)
    #expect(stage.control.isRaised(at: stage.now))
  }

  /// The opacities of the brighter halves of the highlights on leaf discs, at `seconds`.
  private func lights(_ stage: inout Stage<Menu>, at seconds: Double) -> [UInt8] {
    stage.advance(to: seconds)
    return stage.picture.items.compactMap { item in
      guard case .rim(let rim) = item.tiles[0].shape, rim.side == .upper,
        case .plate(let plate) = rim.body, plate.rect.center.distance(to: middle) > 1,
        case .color(let color) = item.tiles[0].fill
      else { return nil }
      return color.alpha
    }
  }

  @Test func `the highlight on leaves appears as they settle and fades as they leave`() {
    var stage = menu(items(6))
    stage.tap(middle, at: 0)
    // During the overshoot there is no highlight.
    for step in 0..<31 { #expect(lights(&stage, at: 0.08 + Double(step) * 0.0075) == []) }
    var last: UInt8 = 0
    for step in 1...8 {
      let lights = lights(&stage, at: 0.32 + Double(step) * 0.01)
      #expect(lights.count == 6 && Set(lights).count == 1)
      #expect(lights[0] > last && lights[0] < last + 20)
      last = lights[0]
    }
    #expect(lights(&stage, at: 0.9) == Array(repeating: last, count: 6))
    stage.tap(Point(10, 10), at: 0.92)
    #expect(stage.eventNames.last == "closed")
    let leaving = lights(&stage, at: 1.03)
    #expect(leaving.count == 6 && leaving[0] < last)
    for step in 0..<30 { #expect(lights(&stage, at: 1.06 + Double(step) * 0.01) == []) }
  }

  @Test func `discs that stay in place keep their highlight while a ring opens`() {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    let resting = lights(&stage, at: 1)
    stage.touch(.down, place(270), at: 1)
    stage.touch(.up, place(270), at: 1.05)
    // Three dimmed leaves and the opening one.
    let opening = lights(&stage, at: 1.1)
    #expect(resting.count == 4 && opening.count == 4)
    #expect(opening.max() == resting.max())
  }

  /// A menu whose nested ring "sweet" is open; the menu closes at second 3.
  private func closing() -> Stage<Menu> {
    var stage = menu(four)
    stage.tap(middle, at: 0)
    stage.tap(place(270), at: 1)
    stage.advance(to: 3)
    stage.tap(Point(10, 10), at: 3)
    return stage
  }

  @Test func `an inner ring is gone before it reaches the hub`() {
    var stage = closing()
    let hub = discs(menu(four).picture)[0].outerRadius
    #expect(stage.eventNames.last == "closed")
    for step in 0..<60 {
      stage.advance(to: 3 + Double(step) / 100)
      // Leaves of the root are behind its hub, and inner leaves in front of it.
      let items = stage.picture.items
      let root = items.firstIndex { item in
        guard case .sector(let sector) = item.tiles[0].shape else { return false }
        return sector.center == middle && sector.innerRadius == 0
      }
      for item in items.dropFirst((root ?? 0) + 1) {
        guard case .sector(let sector) = item.tiles[0].shape, sector.innerRadius == 0,
          case .color(let color) = item.tiles[0].fill,
          sector.center.distance(to: middle) < hub, sector.center != middle
        else { continue }
        #expect(color.alpha < 80, "\(step)")
      }
    }
  }

  @Test func `a closing menu stays above other controls until its leaves are behind the hub`() {
    var stage = closing()
    #expect(stage.control.isRaised(at: stage.now))
    stage.advance(to: 3.25)
    #expect(!stage.control.isRaised(at: stage.now))
    #expect(stage.control.isMoving(at: stage.now))
  }

  @Test func `a touch catches a closing menu`() {
    var stage = menu(items(6))
    stage.tap(middle, at: 0)
    stage.perform("close", at: 1)
    stage.advance(to: 1.06)
    let before = discs(stage.picture).map(\.center)
    #expect(before.count == 7)
    stage.touch(.down, middle, at: 1.06)
    #expect(discs(stage.picture).map(\.center) == before)
    stage.advance(to: 1.061)
    for (a, b) in zip(before, discs(stage.picture).map(\.center)) {
      #expect(a.distance(to: b) < 4)
    }
    stage.advance(to: 2)
    #expect(discs(stage.picture)[0].center.distance(to: place(0)) < 1e-6)
    #expect(stage.eventNames == ["opened", "closed", "opened"])
  }

  @Test func `leaves don't drift after a hundred quick openings and closings`() {
    var stage = menu(items(6))
    for round in 0..<100 {
      stage.perform(round % 2 == 0 ? "open" : "close", at: Double(round) * 0.037)
    }
    stage.perform("open", at: 4)
    stage.advance(to: 5)
    for (index, disc) in discs(stage.picture).prefix(6).enumerated() {
      #expect(disc.center.distance(to: place(60 * Double(index))) < 1e-6)
    }
  }

  @Test func `at an edge, root and ring move inwards together, and back`() throws {
    var stage = menu(items(6), at: Point(50, 50))
    stage.tap(Point(50, 50), at: 0)
    stage.advance(to: 1)
    let shown = discs(stage.picture)
    for disc in shown {
      #expect(disc.center.x >= disc.outerRadius - 1e-6 && disc.center.y >= disc.outerRadius - 1e-6)
    }
    #expect(shown.count == 7)
    let root = try #require(shown.last).center
    stage.tap(root + Vector(0, 130), at: 1)
    #expect(stage.eventNames == ["opened", "passing i3", "selected i3", "closed"])
    stage.advance(to: 2)
    #expect(discs(stage.picture).map(\.center) == [Point(50, 50)])
  }

  @Test func `a disc that moves inwards loses its highlight, which returns gradually`() {
    var stage = menu(items(6), at: Point(50, 50))
    func lights(_ seconds: ClosedRange<Double>) -> [Double] {
      stride(from: seconds.lowerBound, through: seconds.upperBound, by: 0.004).map {
        stage.advance(to: $0)
        return stage.control.light(on: 0, at: stage.now)
      }
    }
    stage.touch(.down, Point(50, 50), at: 0)
    var opening = lights(0...0.2)
    stage.touch(.up, Point(50, 50), at: 0.2)
    opening += lights(0.2...1)
    let root = discs(stage.picture)[6].center
    stage.touch(.down, root, at: 1)
    stage.touch(.up, root, at: 1.1)
    #expect(stage.eventNames == ["opened", "closed"])
    for lights in [opening, lights(1.1...2)] {
      #expect(lights.first == 1 && lights.last == 1 && lights.min() == 0)
      for (light, next) in zip(lights, lights.dropFirst()) { #expect(abs(next - light) < 0.35) }
    }
  }

  @Test func `a finger resting on a root at an edge selects nothing`() {
    var stage = menu(items(6), at: Point(50, 50))
    stage.touch(.down, Point(50, 50), at: 0)
    stage.touch(.move, Point(53, 48), at: 0.5)
    stage.touch(.up, at: 1)
    #expect(stage.eventNames == ["opened", "closed"])
  }
}

@Suite struct MenuLightTests {
  /// The number of enlarged leaves; only a lit leaf is larger than at rest.
  private func lit(_ stage: Stage<Menu>) -> Int {
    discs(stage.picture).filter { abs($0.outerRadius - 40 * 1.08) < 1e-9 }.count
  }

  @Test func `only one leaf is lit at a time, even after a jump to an earlier one`() {
    var stage = menu(items(8))
    stage.touch(.down, middle, at: 0)
    stage.advance(to: 0.5)
    #expect(lit(stage) == 0)
    for (step, index) in [7, 0, 5, 1, 6, 2].enumerated() {
      stage.touch(.move, place(45 * Double(index)), at: 1 + Double(step))
      #expect(lit(stage) == 1)
    }
    stage.touch(.move, middle, at: 8)
    #expect(lit(stage) == 0)
    stage.touch(.move, place(0), at: 9)
    stage.touch(.up, at: 10)
    #expect(lit(stage) == 0)
  }

  @Test func `a second finger has no effect`() {
    var stage = menu(items(8))
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(0), at: 0.1)
    stage.touch(.down, place(90), finger: 1, at: 0.2)
    stage.touch(.move, place(180), finger: 1, at: 0.3)
    #expect(lit(stage) == 1)
    stage.touch(.up, finger: 1, at: 0.4)
    #expect(stage.eventNames == ["opened", "passing i0"])
    stage.touch(.up, at: 0.5)
    #expect(stage.eventNames == ["opened", "passing i0", "selected i0", "closed"])
  }

  @Test func `a held menu leaves other controls usable`() {
    var stage = menu(items(8))
    stage.touch(.down, middle, at: 0)
    stage.advance(to: 0.5)
    #expect(!stage.control.contains(Point(20, 20), at: stage.now))
    #expect(stage.control.contains(place(90), at: stage.now))
  }

  @Test func `the hub shows the label that the finger hides`() {
    var stage = menu(four)
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(90), at: 0.5)
    let texts = stage.picture.items.compactMap { item -> (String, Point)? in
      if case .text(let run) = item.tiles[0].shape { (run.text, run.anchor) } else { nil }
    }
    #expect(texts.contains { $0 == ("Salad", middle) })
    #expect(!texts.contains { $0.0 == "Eat" })
  }
}

@Suite struct MenuRobustnessTests {
  @Test func `drawing costs only the visible leaves`() {
    let groups = (0..<20).map { group in
      Menu.Item(
        id: "\(group)", label: "\(group)",
        items: (0..<25).map { Menu.Item(id: "\(group)/\($0)", label: "\($0)") })
    }
    var stage = menu(groups)
    let plain = menu((0..<20).map { Menu.Item(id: "\($0)", label: "\($0)", items: items(1)) })
    #expect(discs(stage.picture).count == 1)
    stage.touch(.down, middle, at: 0)
    stage.advance(to: 2)
    #expect(discs(stage.picture).count == 21)
    var other = plain
    other.touch(.down, middle, at: 0)
    other.advance(to: 2)
    #expect(stage.picture.items.count == other.picture.items.count)
  }

  @Test func `a reset leaves nothing held, lit, open or moving`() {
    for time in [0.05, 0.3, 2] {
      var stage = menu(four)
      stage.touch(.down, middle, at: 0)
      stage.touch(.move, place(0), at: time)
      stage.reset(at: time)
      #expect(stage.eventNames.last == "closed")
      #expect(stage.picture == menu(four).picture)
      #expect(stage.control.nextChange(after: stage.now) == nil)
      #expect(!stage.control.isRaised(at: stage.now))
      stage.touch(.move, place(90), at: time + 1)
      stage.touch(.up, at: time + 2)
      #expect(stage.eventNames.last == "closed")
    }
  }

  @Test func `invalid touches have no effect`() {
    var stage = menu(four)
    let nowhere = [Point(.nan, 0), Point(.infinity, -.infinity), Point(1e300, 1e300)]
    for point in nowhere {
      stage.control.handle(
        Touch(finger: 3, phase: .move, position: point), at: .zero, events: &stage.unchecked)
      stage.control.handle(
        Touch(finger: 0, phase: .down, position: point), at: .zero, events: &stage.unchecked)
      stage.control.handle(
        Touch(finger: 0, phase: .move, position: point), at: .zero, events: &stage.unchecked)
    }
    // Touches down without up, several times; then an unknown finger.
    for step in 0..<10 { stage.touch(.down, middle, at: 1 + Double(step)) }
    stage.touch(.up, finger: 9, at: 20)
    stage.touch(.up, at: 20)
    stage.reset(at: 21)
    #expect(stage.value("open") == .flag(false))
    #expect(stage.picture == menu(four).picture)
  }

  @Test(arguments: [(40, 41), (500, 1)])
  func `empty and very long labels are shown, leaves far off the screen aren't`(
    _ count: Int, _ shown: Int
  ) {
    var list = items(count)
    list[0].label = ""
    list[1].label = String(repeating: "W", count: 500)
    list[2].label = "مرحبا 👩‍👩‍👧"
    var stage = menu(list, distance: nil)
    stage.perform("open", at: 0)
    stage.advance(to: 1)
    #expect(discs(stage.picture).count == shown)
    stage.reset(at: 2)
  }

  @Test func `random touches light at most one leaf, and none at the end`() {
    for seed in 1...40 {
      var chance = SeededGenerator(seed: UInt64(seed))
      var stage = menu(four)
      var time = 0.0
      for _ in 0..<200 {
        time += Double.random(in: 0...0.2, using: &chance)
        let finger = Int.random(in: 0...3, using: &chance)
        let point = place(
          .random(in: 0...360, using: &chance), .random(in: 0...330, using: &chance))
        switch Int.random(in: 0...11, using: &chance) {
        case 0...3: stage.touch(.down, point, finger: finger, at: time)
        case 4...7: stage.touch(.move, point, finger: finger, at: time)
        case 8: stage.touch(.up, finger: finger, at: time)
        case 9: stage.touch(.cancel, finger: finger, at: time)
        case 10: stage.perform("open", at: time)
        default: stage.touch(.down, middle, finger: finger, at: time)
        }
        #expect(
          discs(stage.picture).filter { $0.outerRadius > 40 * 1.05 && $0.outerRadius < 48 }.count
            <= 1)
      }
      for finger in 0...3 { stage.touch(.up, finger: finger, at: time + 1) }
      stage.perform("close", at: time + 2)
      stage.advance(to: time + 4)
      #expect(stage.picture == menu(four).picture)
      #expect(stage.control.nextChange(after: stage.now) == nil)
      let turns = stage.eventNames.filter { $0 == "opened" || $0 == "closed" }
      for (index, name) in turns.enumerated() {
        #expect(name == (index % 2 == 0 ? "opened" : "closed"))
      }
    }
  }

  @Test(arguments: [1.0 / 30, 1.0 / 60, 1.0 / 144, 1.7])
  func `the same touches give the same events at any frame rate`(step: Double) {
    func events(_ step: Double) -> [ControlEvent] {
      var stage = menu(four)
      let touches: [(Double, Touch.Phase, Point)] = [
        (0.1, .down, middle), (0.15, .up, middle), (0.2, .down, place(270)),
        (1.4, .move, place(0, 130, around: place(270))), (1.5, .up, middle),
        (1.6, .down, middle), (1.7, .move, place(90)), (2, .up, middle),
      ]
      for (time, phase, point) in touches {
        stage.advance(to: time, step: step)
        stage.touch(phase, point, at: time)
      }
      stage.advance(to: 5, step: step)
      return stage.events
    }
    #expect(events(step) == events(1.0 / 60))
    #expect(events(step).contains { $0.item == "cake" && $0.name == "selected" })
  }

  @Test func `a changed file keeps the selection if its path still exists`() {
    var old = menu(four)
    old.touch(.down, middle, at: 0)
    old.touch(.move, place(90), at: 0.1)
    old.touch(.up, at: 0.2)
    var same = menu(four.reversed()).control
    same.resume(old.control, at: old.now)
    #expect(same.value(of: "item", at: old.now) == .text("salad"))
    #expect(same.value(of: "index", at: old.now) == .integer(2))
    var other = menu(items(3)).control
    other.resume(old.control, at: old.now)
    #expect(other.value(of: "item", at: old.now) == .text(""))
  }
}

@Suite struct MenuImageTests {
  private func frames(_ list: DisplayList) -> [(side: Double, isMoving: Bool)] {
    list.items.compactMap { item in
      guard case .image(_, let frame, _, _, let isMoving) = item.tiles[0].fill else { return nil }
      return (frame.width, isMoving)
    }
  }

  @Test func `an icon appears and scales with its leaf`() {
    let icons = (0..<5).map { Menu.Item(id: "i\($0)", image: "i\($0).png") }
    var stage = menu(icons)
    #expect(frames(stage.picture).isEmpty)
    stage.tap(middle, at: 1)
    var sides: [Double] = []
    for step in 1...100 {
      stage.advance(to: 1.08 + Double(step) / 100)
      // Except for the labelled root, each disc is a leaf.
      let leaves = discs(stage.picture).count - 1
      #expect(frames(stage.picture).count == leaves, "at \(stage.now)")
      sides.append(frames(stage.picture).first?.side ?? 0)
    }
    let full = sides[99]
    // While the spring swings, it shrinks only a little.
    let firstFull = sides.firstIndex { $0 > full * 0.999 } ?? 99
    #expect(sides[firstFull...].allSatisfy { $0 > full * 0.8 })
    #expect(!frames(stage.picture).contains { $0.isMoving })
    stage.tap(middle, at: 3)
    stage.advance(to: 3.12)
    #expect(frames(stage.picture).count == 5)
    #expect(frames(stage.picture).allSatisfy { $0.isMoving && $0.side < full })
  }

  @Test func `the images of a closed menu are prepared`() {
    let stage = menu([Menu.Item(id: "a", image: "a.png", items: [.init(id: "b", image: "b.png")])])
    let names = stage.picture.coming.compactMap { tile in
      if case .image(let name, _, _, _, _) = tile.fill { name } else { nil }
    }
    #expect(names == ["a.png", "b.png"])
  }
}

@Suite struct MenuFaceTests {
  private func runs(_ stage: Stage<Menu>) -> [TextRun] {
    stage.picture.items.compactMap { item in
      if case .text(let run) = item.tiles[0].shape { run } else { nil }
    }
  }

  @Test func `labels of a ring have one size and are bounded by their discs`() {
    var stage = menu(four)
    stage.tap(middle, at: 1)
    stage.advance(to: 3)
    let leaves = runs(stage).filter { $0.text != "Eat" }
    #expect(leaves.map(\.text) == four.map(\.label))
    #expect(Set(leaves.map(\.sizing)).count == 1 && leaves[0].peers.texts.count == four.count)
    #expect(leaves.allSatisfy { run in run.peers.texts.contains { $0.bounds == run.bounds } })
    #expect(leaves.allSatisfy { $0.lines == 4 && $0.minimumSize >= $0.size / 2 })
  }

  @Test func `a label is laid out once and only scaled while its leaf grows`() {
    var stage = menu(four)
    stage.tap(middle, at: 1)
    var settings: Set<TextRun> = []
    var scales: Set<Double> = []
    for step in 0..<60 {
      stage.advance(to: 1.09 + Double(step) / 60)
      for var run in runs(stage) where run.text == "Soup" {
        scales.insert(run.scale)
        (run.anchor, run.scale, run.isMoving) = (.zero, 1, false)
        settings.insert(run)
      }
    }
    #expect(settings.count == 1 && scales.count > 4)
  }

  @Test func `a photo covers its disc and is clipped to it`() {
    var stage = menu([.init(id: "a", label: "A", image: "a.png"), .init(id: "b", label: "B")])
    stage.tap(middle, at: 1)
    stage.advance(to: 3)
    let photos = stage.picture.items.compactMap { item -> (Sector, Rect, ImageFit)? in
      guard case .image(_, let frame, let fit, _, _) = item.tiles[0].fill,
        case .sector(let disc) = item.tiles[0].shape
      else { return nil }
      return (disc, frame, fit)
    }
    #expect(photos.count == 1)
    for (disc, frame, fit) in photos {
      #expect(fit == .cover && frame.center.distance(to: disc.center) < 1e-9)
      #expect(
        disc.isClosed && abs(frame.width - 2 * disc.outerRadius) < 1e-9
          && abs(frame.width - frame.height) < 1e-9)
    }
    #expect(!runs(stage).contains { $0.text == "A" })
  }

  @Test(arguments: [52, 60, 70, 75, 83, 120])
  func `a label under an icon has space for two lines before it is truncated`(_ radius: Double) {
    let label = "Do not disturb"
    var stage = Stage(
      Menu(
        center: middle, screen: Size(1280, 800), radius: radius, leafRadius: radius,
        items: [
          .init(id: "a", label: label, icon: .sign("*")), .init(id: "b", label: "B"),
          .init(id: "c", label: "C", items: [.init(id: "d", label: label, icon: .sign("*"))]),
        ]))
    stage.tap(middle, at: 1)
    stage.advance(to: 3)
    let found = runs(stage).filter { $0.text == label }
    #expect(!found.isEmpty && found.allSatisfy(hasTwoLines))
    #expect(
      hasTwoLines(
        Stage(
          Button(
            center: middle, size: Size(2 * radius, 2 * radius), text: label, icon: .sign("*"))
        ).picture))
  }

  /// Whether the text at its minimum size has space for two lines of a tall font.
  private func hasTwoLines(_ run: TextRun) -> Bool {
    let height = 1.37 * run.minimumSize
    let extents = [-height, 0].map { run.bounds?.extent(top: $0, bottom: $0 + height, baseline: 0) }
    return run.lines > 1
      && extents.allSatisfy {
        $0.map { $0.upperBound - $0.lowerBound > 3.5 * run.minimumSize } ?? false
      }
  }

  private func hasTwoLines(_ picture: DisplayList) -> Bool {
    picture.tiles.contains { tile in
      if case .text(let run) = tile.shape { run.lines > 1 && hasTwoLines(run) } else { false }
    }
  }

  @Test func `an icon is above its label and has its colour`() {
    var stage = menu([
      .init(id: "a", label: "Coffee", icon: .sign("*")), .init(id: "b", label: "B"),
    ])
    stage.tap(middle, at: 1)
    stage.advance(to: 3)
    let items = stage.picture.items.filter { item in
      if case .text(let run) = item.tiles[0].shape {
        run.text == "*" || run.text == "Coffee"
      } else {
        false
      }
    }
    #expect(items.count == 2)
    #expect(items[0].tiles[0].fill == items[1].tiles[0].fill)
    let anchors = items.compactMap { item in
      if case .text(let run) = item.tiles[0].shape { run.anchor } else { nil }
    }
    #expect(anchors[0].x == anchors[1].x && anchors[0].y < anchors[1].y)
  }

  @Test func `the hub shows the label and icon of the leaf under the finger`() {
    var stage = menu([
      .init(id: "a", label: "Coffee", icon: .sign("*")), .init(id: "b", label: "B"),
    ])
    stage.tap(middle, at: 1)
    stage.advance(to: 3)
    stage.touch(.down, stage.control.place(of: "a", at: stage.now) ?? .zero, at: 3)
    #expect(runs(stage).filter { $0.text == "Coffee" }.count == 2)
    #expect(runs(stage).filter { $0.text == "*" }.count == 2)
    #expect(!runs(stage).contains { $0.text == "Eat" })
  }
}

@Suite struct OpenedMenuTests {
  @Test func `a menu that opens itself appears open without motion, until it is used`() {
    var stage = menu(four)
    stage.control.opensItself = true
    stage.appear(at: 1)
    #expect(stage.eventNames == ["opened"])
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(discs(stage.picture).count == 5)
    stage.appear(at: 2)
    stage.tap(place(0), at: 3)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["opened", "passing soup", "selected soup", "closed"])
    #expect(stage.value("open") == .flag(false))
    stage.appear(at: 6)
    #expect(stage.value("open") == .flag(true))
  }
}

@Suite struct MenuFitTests {
  private func leaves(_ count: Int, smallest: Double, distance: Double? = nil) -> [Sector] {
    Menu(
      center: Point(1_000, 300), screen: screen, radius: 90, leafRadius: 80,
      smallestLeaf: smallest, distance: distance, items: items(count)
    ).leaves.map(\.disc)
  }

  @Test(arguments: [nil, 700.0])
  func `leaves shrink until their ring fits on the screen`(_ distance: Double?) {
    for count in [12, 20, 24] {
      let leaves = leaves(count, smallest: 38, distance: distance)
      #expect(leaves.allSatisfy { $0.outerRadius >= 38 && $0.outerRadius < 80 })
      for leaf in leaves {
        let side = 2 * leaf.outerRadius
        let disc = Rect(center: leaf.center, size: Size(side, side))
        #expect(disc.intersection(Rect(size: screen)) == disc)
      }
      for (a, b) in zip(leaves, leaves.dropFirst()) {
        #expect(a.center.distance(to: b.center) > a.outerRadius + b.outerRadius)
      }
    }
  }

  @Test func `leaves shrink only if they don't fit, and never below a finger's size`() {
    #expect(leaves(40, smallest: 38).allSatisfy { abs($0.outerRadius - 38) < 1e-9 })
    #expect(leaves(8, smallest: 38).allSatisfy { $0.outerRadius == 80 })
  }
}

/// Random strokes of users who know a menu by heart.
private struct StrokeGenerator {
  var random: SplitMix64

  /// A standard normal number, by Irwin and Hall.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0..<1, using: &random) }
  }

  /// The touches of a stroke with straight parts in these directions and rounded corners.
  mutating func stroke(_ directions: [Double]) -> [(seconds: Double, place: Point)] {
    let start = middle + Vector(10 * normal() / 3, 10 * normal() / 3)
    let lengths = directions.map { _ in Double.random(in: 60...600, using: &random) }
    var corners = [start]
    for (direction, length) in zip(directions, lengths) {
      let distance = Angle.degrees(direction + 8 * normal()).unit
      corners.append(corners[corners.count - 1] + distance * length)
    }
    let duration = Double.random(in: 0.08...0.4, using: &random)
    let cut = Double.random(in: 5...20, using: &random)
    let length = lengths.reduce(0, +)
    let count = max(6, Int(duration * 120))
    return (0...count).map { step in
      let distance = length * Double(step) / Double(count)
      return (duration * Double(step) / Double(count), place(distance, corners, lengths, cut))
    }
  }

  /// The position at a distance along a line whose corners are rounded.
  private func place(
    _ distance: Double, _ corners: [Point], _ lengths: [Double], _ cut: Double
  ) -> Point {
    var begin = 0.0
    for (index, length) in lengths.enumerated() {
      let (a, b) = (corners[index], corners[index + 1])
      let unit = (b - a) * (1 / length)
      if index + 1 < lengths.count, distance > begin + length - cut, distance < begin + length + cut
      {
        let next = corners[index + 2] - b
        let t = (distance - (begin + length - cut)) / (2 * cut)
        let (from, to) = (b - unit * cut, b + next * (cut / next.length))
        let (p, q) = (from + (b - from) * t, b + (to - b) * t)
        return p + (q - p) * t
      }
      if distance <= begin + length || index + 1 == lengths.count {
        return a + unit * (distance - begin)
      }
      begin += length
    }
    return corners[corners.count - 1]
  }
}

@Suite struct MarkingMenuTests {
  private func nested(_ count: Int, depth: Int, prefix: String = "") -> [Menu.Item] {
    (0..<count).map { index in
      let id = "\(prefix)\(index)"
      return Menu.Item(
        id: id, items: depth > 1 ? nested(count, depth: depth - 1, prefix: id) : [])
    }
  }

  @Test(arguments: [(4, 1, 0.01), (8, 1, 0.02), (4, 2, 0.03), (8, 2, 0.06)])
  func `few of two thousand random strokes select the wrong leaf`(
    _ count: Int, _ depth: Int, _ limit: Double
  ) {
    var control = menu(nested(count, depth: depth), distance: nil).control
    control.takesMarks = true
    var generator = StrokeGenerator(random: SplitMix64(seed: 7))
    var wrong = 0
    for _ in 0..<2_000 {
      let path = (0..<depth).map { _ in Int.random(in: 0..<count, using: &generator.random) }
      let stroke = generator.stroke(path.map { 360 * Double($0) / Double(count) })
      var stage = Stage(control)
      stage.touch(.down, stroke[0].place, at: 1)
      for touch in stroke.dropFirst() { stage.touch(.move, touch.place, at: 1 + touch.seconds) }
      stage.touch(.up, at: 1 + (stroke.last?.seconds ?? 0))
      let chosen = stage.value("path")
      let wanted = path.indices.map { path[...$0].map(String.init).joined() }
      if chosen != .list(wanted.map { .text($0) }) { wrong += 1 }
    }
    print("marking: \(count)^\(depth): \(Double(wrong) / 20) % wrong")
    #expect(Double(wrong) <= limit * 2_000)
  }

  private func marking() -> Stage<Menu> {
    var stage = menu(four)
    stage.control.takesMarks = true
    return stage
  }

  @Test func `one stroke with a bend selects in a nested ring without a pause`() {
    var stage = marking()
    stage.touch(.down, middle, at: 1)
    for step in 1...10 { stage.touch(.move, place(270, 20 * Double(step)), at: 1.01) }
    for step in 1...10 {
      stage.touch(.move, place(270, 200) + Vector(0, -20 * Double(step)), at: 1.1)
    }
    #expect(stage.eventNames.last == "passing cake")
    stage.touch(.up, at: 1.2)
    #expect(
      stage.eventNames == ["opened", "passing sweet", "passing cake", "selected cake", "closed"])
    #expect(stage.value("path") == .list([.text("sweet"), .text("cake")]))
  }

  @Test func `a leaf whose ring a stroke opens keeps its label until the ring is out`() {
    var stage = marking()
    func names() -> [String] {
      stage.picture.items.compactMap { item in
        if case .text(let run) = item.tiles[0].shape { run.text } else { nil }
      }
    }
    stage.touch(.down, middle, at: 1)
    for step in 1...10 { stage.touch(.move, place(270, 20 * Double(step)), at: 1.01) }
    for step in 1...10 {
      stage.touch(.move, place(270, 200) + Vector(0, -20 * Double(step)), at: 1.1)
    }
    #expect(stage.eventNames.last == "passing cake")
    #expect(names().contains("Sweet") && !names().contains("Cake"))
    stage.advance(to: 1.6)
    #expect(!names().contains("Sweet") && names().count { $0 == "Cake" } == 2)
  }

  @Test func `a stroke that ends on a leaf with items leaves its ring open`() {
    var stage = marking()
    stage.touch(.down, middle, at: 1)
    stage.touch(.move, place(270, 60), at: 1.05)
    stage.touch(.move, place(270, 130), at: 1.1)
    stage.touch(.up, at: 1.2)
    #expect(stage.eventNames == ["opened", "passing sweet"])
    #expect(stage.value("open") == .flag(true))
  }

  @Test func `a finger that pauses continues in the visible ring`() {
    var stage = marking()
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(270), at: 0.1)
    stage.touch(.move, place(240, 130, around: place(270)), at: 0.7)
    stage.touch(.up, at: 0.8)
    #expect(stage.eventNames.suffix(3) == ["passing ice", "selected ice", "closed"])
  }
}
