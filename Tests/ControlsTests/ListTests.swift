// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

@testable import RoundelControls

@Suite struct ListTests {
  private static let box = Rect(x0: 100, y0: 50, x1: 500, y1: 450)

  private func list(_ items: [List.Item]) -> Stage<List> {
    Stage(
      List(center: Self.box.center, size: Self.box.size, rowHeight: 50, items: items))
  }

  /// Rows `r0`, `r1` …
  private func list(_ count: Int) -> Stage<List> {
    list((0..<count).map { List.Item(id: "r\($0)", label: "Row \($0)", detail: "\($0)") })
  }

  private func drag(
    _ stage: inout Stage<List>, by distance: Double, from start: Double, during: Double = 0.1,
    rests: Bool = false
  ) {
    let place = Self.box.center
    stage.touch(.down, place, at: start)
    for sample in 1...12 {
      let part = Double(sample) / 12
      stage.touch(.move, Point(place.x, place.y + distance * part), at: start + during * part)
    }
    stage.touch(.up, Point(place.x, place.y + distance), at: start + during + (rests ? 0.2 : 0))
  }

  @Test func `a tap selects the row under the finger`() {
    var stage = list(100)
    stage.tap(Point(300, 50 + 3 * 50 + 10), at: 0)
    #expect(stage.eventNames == ["selected r3"])
    #expect(
      stage.events[0].fields == [Field("index", .integer(3)), Field("label", .text("Row 3"))])
    #expect(stage.value("item") == .text("r3"))
    #expect(stage.value("index") == .integer(3))
  }

  @Test func `labels get the width that the longest detail leaves`() {
    func rooms(_ details: [String]) -> [Double] {
      list(details.map { List.Item(id: nil, label: "Bad Saarow am See", detail: $0) })
        .picture.tiles.compactMap { tile in
          guard case .text(let run) = tile.shape, run.text == "Bad Saarow am See" else {
            return nil
          }
          return run.bounds?.frame?.width
        }
    }
    let (none, short) = (rooms([""]), rooms(["4", "12:14", "9"]))
    let long = rooms(["4", "a detail as long as the label itself"])
    #expect(none[0] > short[0] && short[0] > 1.3 * long[0])
    #expect(Set(short).count == 1 && Set(long).count == 1)
    #expect(long[0] > none[0] / 2)
  }

  @Test func `text rests under a possible tap, and moves with a scroll`() {
    var stage = list(100)
    func moving() -> [Bool] {
      stage.picture.tiles.compactMap { tile in
        if case .text(let run) = tile.shape { run.isMoving } else { nil }
      }
    }
    stage.touch(.down, Point(300, 60), at: 0)
    #expect(!moving().contains(true))
    stage.touch(.move, Point(300, 90), at: 0.1)
    #expect(!moving().contains(false))
    stage.touch(.up, Point(300, 90), at: 1)
    #expect(!moving().contains(true))
  }

  @Test func `a held row highlights in the same frame, until the finger moves`() {
    var stage = list(100)
    let rest = stage.picture
    stage.touch(.down, Point(300, 60), at: 0)
    #expect(stage.control.isHeld(0))
    #expect(stage.picture != rest)
    stage.touch(.move, Point(300, 63), at: 0.1)
    #expect(stage.control.isHeld(0))
    stage.touch(.move, Point(300, 90), at: 0.2)
    #expect(!stage.control.isHeld(0))
    stage.touch(.up, Point(300, 90), at: 1)
    #expect(stage.events.isEmpty)
  }

  @Test func `a disabled row swallows the touch`() {
    var stage = list([.init(id: "a", label: "A", isEnabled: false), .init(id: "b", label: "B")])
    stage.tap(Point(300, 60), at: 0)
    #expect(stage.events.isEmpty && !stage.control.isHeld(0))
    stage.tap(Point(300, 110), at: 1)
    #expect(stage.eventNames == ["selected b"])
    // Below the last row.
    stage.tap(Point(300, 300), at: 2)
    #expect(stage.events.count == 1)
  }

  @Test func `a fling continues until a tap stops it without selecting`() {
    var stage = list(1000)
    drag(&stage, by: -200, from: 0)
    #expect(stage.control.isMoving(at: stage.now))
    stage.tap(Point(300, 200), at: 0.5)
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(stage.events.isEmpty)
    stage.tap(Point(300, 200), at: 1)
    #expect(stage.eventNames.count == 1)
  }

  @Test func `a row's position matches its drawing, even while scrolling`() throws {
    var stage = list(1000)
    drag(&stage, by: -330, from: 0, during: 0.5, rests: true)
    stage.advance(to: 3)
    let rows = stage.control.shownRows(at: stage.now)
    #expect(rows.lowerBound > 0)
    for row in rows {
      guard let place = stage.control.place(of: "r\(row)", at: stage.now) else { continue }
      guard Self.box.contains(place) else { continue }
      stage.tap(place, at: stage.now.seconds + 0.1)
      #expect(stage.eventNames.last == "selected r\(row)")
    }
  }

  @Test func `nothing is drawn outside the list's bounds`() {
    for distance in [-5000.0, -330, -25, 25, 330] {
      var stage = list(1000)
      drag(&stage, by: distance, from: 0, during: 0.3)
      for frame in 0..<40 {
        stage.advance(to: 0.3 + Double(frame) / 20)
        for item in stage.picture.items {
          if case .roundedRect(let rect)? = item.tiles.first?.shape, rect.rect == Self.box {
            continue
          }
          #expect(item.clip == Self.box)
        }
      }
    }
  }

  @Test func `a list of 100 000 rows draws as many tiles as one of ten`() {
    var (few, many) = (list(10), list(100_000))
    let count = few.picture.tiles.count
    #expect(many.picture.tiles.count <= count)
    drag(&many, by: -3000, from: 0)
    many.advance(to: 0.5)
    #expect(many.control.isMoving(at: many.now))
    // One more row while scrolling, the rule above the first, the scroll bar, and the upper edge,
    // where rows fade in ten steps.
    #expect(many.picture.tiles.count <= count + 3 + 1 + 1 + 10)
  }

  @Test func `a set item is selected and scrolled into view in 0.3 s`() throws {
    var stage = list(1000)
    try stage.set("item", to: .text("r500"), at: 0)
    stage.advance(to: 0.31)
    #expect(stage.control.shownRows(at: stage.now).contains(500))
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(stage.value("label") == .text("Row 500"))
    try stage.set("index", to: .number(-1), at: 1)
    #expect(stage.value("item") == .text(""))
    for value in [Value.number(1000), .number(0.5), .number(.nan), .text("r1")] {
      #expect(throws: PropertyError.self) { try stage.set("index", to: value, at: 2) }
    }
    #expect(throws: PropertyError.self) { try stage.set("item", to: .text("none"), at: 2) }
  }

  @Test func `the selected and the held row keep their ids when the rows change`() throws {
    var stage = list(10)
    stage.tap(Point(300, 60), at: 0)
    stage.touch(.down, Point(300, 110), at: 1)
    let others = ["r5", "r1", "r0"].map { (id: String) in List.Item(id: id, label: "New \(id)") }
    stage.remake(
      as: List(center: Self.box.center, size: Self.box.size, rowHeight: 50, items: others), at: 1.1)
    #expect(stage.value("index") == .integer(2))
    #expect(stage.value("label") == .text("New r0"))
    stage.touch(.up, Point(300, 110), at: 1.2)
    #expect(stage.eventNames.last == "selected r1")
    stage.remake(
      as: List(center: Self.box.center, size: Self.box.size, rowHeight: 50, items: []), at: 2)
    #expect(stage.value("item") == .text(""))
    #expect(!stage.picture.tiles.isEmpty)
  }

  @Test func `a finger predicted between touches moves the rows`() {
    var stage = list(100)
    stage.touch(.down, Self.box.center, at: 0)
    stage.touch(.move, Point(300, 150), at: 0.1)
    stage.touch(.move, Point(300, 140), at: 0.11)
    var ahead = stage.control
    ahead.follow({ _ in Point(300, 130) }, at: stage.now)
    #expect(ahead.top(of: 0, at: stage.now) == stage.control.top(of: 0, at: stage.now) - 10)
  }

  // MARK: Sections

  /// Ten rows below heading A, ten without a heading, and ten below B.
  private func sections() -> Stage<List> {
    list(
      (0..<30).map {
        List.Item(id: "r\($0)", label: "Row \($0)", section: ["A", "", "B"][$0 / 10])
      })
  }

  /// The drawn text and its positions, from top to bottom.
  private func texts(_ stage: Stage<List>) -> [(text: String, y: Double)] {
    stage.picture.tiles.compactMap { tile in
      guard case .text(let run) = tile.shape else { return nil }
      return (run.text, run.anchor.y)
    }
  }

  @Test func `a heading is above the first row of its section, and isn't a row`() {
    var stage = sections()
    // Headings are 30 high, rows 50.
    stage.tap(Point(300, 65), at: 0)
    #expect(stage.events.isEmpty)
    stage.tap(Point(300, 50 + 30 + 25), at: 1)
    stage.tap(Point(300, 50 + 30 + 50 + 25), at: 2)
    #expect(stage.eventNames == ["selected r0", "selected r1"])
    #expect(texts(stage).contains { $0 == ("A", 65) })
  }

  @Test func `a rule separates two rows unless a heading does`() {
    let rows = ["A", "A", "", "", "B"].map { List.Item(label: "Row", section: $0) }
    let rules = list(rows).picture.tiles.compactMap { tile -> Double? in
      guard case .roundedRect(let rule) = tile.shape, rule.rect.height < 2 else { return nil }
      return rule.rect.center.y
    }
    // Below the first row of A, the last row of A, and the first row without a heading.
    #expect(rules == [130, 180, 230])
  }

  @Test
  func `a heading stays at the top until the last row of its section pushes it away`() throws {
    var stage = sections()
    try stage.set("item", to: .text("r8"), at: 0)
    stage.advance(to: 1)
    // Rows 1 to 8 fill the box; the heading partly covers row 1.
    #expect(texts(stage).contains { $0 == ("A", 65) })
    stage.tap(Point(300, 60), at: 2)
    #expect(stage.events.isEmpty)
    try stage.set("item", to: .text("r19"), at: 3)
    stage.advance(to: 4)
    #expect(!texts(stage).contains { $0.text == "A" })
    try stage.set("item", to: .text("r29"), at: 5)
    stage.advance(to: 6)
    #expect(texts(stage).contains { $0 == ("B", 65) })
    // All 30 rows and both headings: the last row ends at the bottom of the box.
    #expect(stage.control.top(of: 29, at: stage.now) == 400)
  }

  @Test func `a set row isn't hidden behind the heading`() throws {
    var stage = sections()
    try stage.set("item", to: .text("r29"), at: 0)
    try stage.set("item", to: .text("r3"), at: 1)
    stage.advance(to: 2)
    #expect(stage.control.top(of: 3, at: stage.now) == 80)
    let place = try #require(stage.control.items(at: stage.now)[3].place)
    stage.tap(place, at: 3)
    #expect(stage.eventNames.last == "selected r3")
    // The previous row is behind the heading, so it can't be tapped.
    #expect(stage.control.items(at: stage.now)[2].place == nil)
  }

  @Test func `100 000 sections draw the same as ten`() {
    func sections(_ count: Int) -> Stage<List> {
      list((0..<count).map { List.Item(label: "Row \($0)", section: "Section \($0)") })
    }
    let (few, many) = (sections(10), sections(100_000))
    #expect(few.picture == many.picture)
    #expect(many.control.shownRows(at: many.now) == few.control.shownRows(at: few.now))
  }
}

@Suite struct ListEdgeTests {
  private func fades(_ stage: Stage<List>) -> [Rect] {
    stage.picture.items.compactMap { item in
      guard case .roundedRect(let rect) = item.tiles[0].shape, rect.rect == stage.control.frame,
        case .gradient(let fade) = item.tiles[0].fill, fade.end.alpha > 0
      else { return nil }
      return item.clip
    }
  }

  @Test func `rows fade at an edge with more rows behind it`() {
    let items = (0..<20).map { List.Item(label: "\($0)") }
    var stage = Stage(
      List(center: Point(200, 200), size: Size(300, 300), rowHeight: 50, items: items))
    #expect(!fades(stage).isEmpty && fades(stage).allSatisfy { $0.y0 > 300 })
    stage.touch(.down, Point(200, 300), at: 1)
    stage.touch(.move, Point(200, 280), at: 1.1)
    stage.touch(.move, Point(200, 100), at: 1.5)
    #expect(fades(stage).contains { $0.y1 < 100 } && fades(stage).contains { $0.y0 > 300 })
    let few = Stage(
      List(
        center: Point(200, 200), size: Size(300, 300), rowHeight: 50,
        items: Array(items.prefix(6))))
    #expect(fades(few).isEmpty)
  }

  @Test func `the number of drawn items doesn't depend on the scroll position`() {
    let items = (0..<20).map { List.Item(label: "\($0)") }
    var stage = Stage(
      List(center: Point(200, 200), size: Size(300, 300), rowHeight: 50, items: items))
    stage.touch(.down, Point(200, 300), at: 1)
    stage.touch(.move, Point(200, 280), at: 1.1)
    let counts = Set(
      (1...9).map { row -> Int in
        stage.touch(.move, Point(200, 280 - Double(row) * 50), at: 1.1 + Double(row))
        return stage.picture.items.count
      })
    #expect(counts.count == 1, "\(counts)")
  }

  @Test func `the row height can change`() {
    let items = (0..<20).map { List.Item(label: "\($0)") }
    var list = List(center: Point(200, 200), size: Size(300, 300), rowHeight: 50, items: items)
    let old = list
    list.rowHeight = 100
    list.keysChanged(since: old, at: .zero)
    #expect(list.shownRows(at: .zero) == 0..<3)
  }
}
