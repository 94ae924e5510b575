// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Glibc
import RoundelMotion
import TestSupport
import Testing

private let center = Point(400, 300)

/// Seven shows and five free wedges, 30° each, the first at 12 o'clock.
private func shows(
  press: Feedback = .automatic, gap: Pinwheel.Gap = .degrees(1)
) -> Stage<Pinwheel> {
  let names = [
    "dateline", "hardball", "meetthepress", "morningjoe", "nightlynews", "rachelmaddow",
    "todayshow",
  ]
  return Stage(
    Pinwheel(
      center: center, radius: 200, hole: 50, gap: gap, press: press,
      wedges: names.map { Pinwheel.Wedge(id: $0, label: $0.uppercased()) }
        + (0..<5).map { Pinwheel.Wedge(id: "free\($0)", isEnabled: false) }))
}

/// The centre of wedge `index` of 12.
private func place(_ index: Int, _ distance: Double = 125) -> Point {
  center + Angle.degrees(30 * Double(index)).unit * distance
}

/// The colours of the wedges, in order.
private func colors(_ stage: Stage<Pinwheel>) -> [Color] {
  stage.picture.items[0].tiles.compactMap { tile in
    if case .color(let color) = tile.fill { color } else { nil }
  }
}

/// The indices of wedges that look different from at rest.
private func bright(_ stage: Stage<Pinwheel>) -> [Int] {
  let rest = colors(shows())
  return colors(stage).indices.filter { colors(stage)[$0] != rest[$0] }
}

@Suite struct PinwheelLayoutTests {
  @Test(arguments: [1, 2, 3, 7, 12, 13, 360])
  func `wedge i covers its part of the ring about start + 360 i / n`(_ count: Int) {
    let wheel = Pinwheel(
      center: center, radius: 200, hole: 50, start: .degrees(17),
      wedges: (0..<count).map { Pinwheel.Wedge(id: "\($0)") })
    let step = 360 / Double(count)
    for index in 0..<count {
      for offset in [-0.499, -0.2, 0, 0.2, 0.499] {
        let direction = Angle.degrees(17 + (Double(index) + offset) * step).unit
        #expect(wheel.wedge(at: center + direction * 100) == index)
      }
    }
  }

  @Test func `each point of the ring has exactly one wedge, gaps included`() {
    var random = SeededGenerator(seed: 3)
    let wheel = shows(gap: .degrees(8)).control
    for _ in 0..<5000 {
      let point = Point(
        .random(in: 180...620, using: &random), .random(in: 80...520, using: &random))
      let distance = point.distance(to: center)
      let owner = wheel.wedge(at: point)
      #expect((owner != nil) == (distance >= 50 && distance < 200))
      if let owner {
        let off = Angle(of: point - center).turn(from: .degrees(30 * Double(owner)))
        #expect(abs(off.degrees) <= 15.000001)
      }
    }
  }

  @Test func `each painted point hits its own wedge`() {
    var random = SeededGenerator(seed: 4)
    for gap in [Pinwheel.Gap.degrees(0), .degrees(3), .pixels(6)] {
      let wheel = shows(gap: gap).control
      for _ in 0..<2000 {
        let point = Point(
          .random(in: 180...620, using: &random), .random(in: 80...520, using: &random))
        for index in 0..<12 where wheel.sector(index).contains(point) {
          #expect(wheel.wedge(at: point) == index)
        }
      }
    }
  }

  @Test func `a gap in pixels has parallel edges and a gap in degrees widens outwards`() {
    let byPixels = shows(gap: .pixels(6)).control
    let byDegrees = shows(gap: .degrees(4)).control
    func gapWidth(_ wheel: Pinwheel, _ distance: Double) -> Double {
      // Walk across the edge between wedges 0 and 1 and measure the unpainted distance.
      let edge = Angle.degrees(15).unit
      let across = Vector(-edge.y, edge.x)
      let free = stride(from: -10.0, through: 10, by: 0.01).filter { step in
        let p = center + edge * distance + across * step
        return !wheel.sector(0).contains(p) && !wheel.sector(1).contains(p)
      }
      return Double(free.count) * 0.01
    }
    #expect(abs(gapWidth(byPixels, 80) - 6) < 0.05)
    #expect(abs(gapWidth(byPixels, 190) - 6) < 0.05)
    #expect(abs(gapWidth(byDegrees, 100) - 100 * 4 * .pi / 180) < 0.05)
    #expect(abs(gapWidth(byDegrees, 180) - 180 * 4 * .pi / 180) < 0.05)
  }

  @Test func `a single wedge is a whole ring without a gap`() {
    let wheel = Pinwheel(center: center, radius: 200, wedges: [.init(id: "all")])
    #expect(wheel.sector(0).isClosed)
    #expect(wheel.wedge(at: place(7)) == 0)
  }

  @Test func `a wheel's centre may be at a fraction of a pixel`() {
    let wheel = Pinwheel(
      center: Point(159.25, 269.5), radius: 153, hole: 40, wedges: [.init(id: "a"), .init(id: "b")])
    #expect(wheel.wedge(at: Point(159.25, 269.5 - 40)) == 0)
    #expect(wheel.wedge(at: Point(159.25, 269.5 - 39.99)) == nil)
  }

  @Test func `labels read outwards on the right and inwards on the left, never upside down`() {
    for item in shows().picture.items.dropFirst() {
      guard case .text(let run) = item.tiles[0].shape else { continue }
      let reading = run.angle.normalized.degrees
      let isRight = run.anchor.x >= center.x - 1e-6
      #expect(reading <= 90.0001 || reading >= 269.9999, "\(run.text) at \(reading)°")
      let outwards = Angle(of: run.anchor - center)
      #expect(
        abs(
          (run.angle + .degrees(90)).turn(from: isRight ? outwards : outwards + .degrees(180))
            .degrees) < 1e-6)
    }
  }

  @Test(arguments: Pinwheel.LabelStyle.allCases)
  func `the bounds of a label are inside its wedge`(_ style: Pinwheel.LabelStyle) {
    for count in [2, 3, 5, 12, 24, 60] {
      let wheel = Pinwheel(
        center: center, radius: 200, hole: 50, gap: .pixels(4), labels: style,
        wedges: (0..<count).map { Pinwheel.Wedge(id: "\($0)", label: "A rather long label") })
      let runs = labels(of: wheel)
      #expect(runs.count == count)
      for (index, run) in runs.enumerated() {
        let along = (run.angle + .degrees(90)).unit
        let down = Vector(-along.y, along.x)
        var places = 0
        for y in stride(from: -150.0, through: 150, by: 3) {
          guard let extent = run.bounds?.extent(top: y - 1, bottom: y + 1, baseline: y) else {
            continue
          }
          for x in [
            extent.lowerBound, (extent.lowerBound + extent.upperBound) / 2, extent.upperBound,
          ] {
            var place = run.anchor + along * x + down * y
            if case .arc(let sector) = run.bounds {
              // Along the arc of the baseline.
              let reach = sector.center.y - y
              let hub = run.anchor + down * sector.center.y
              let turn = x / reach
              place = hub + (along * sin(turn) - down * cos(turn)) * reach
            }
            places += 1
            #expect(wheel.wedge(at: place) == index, "\(count) wedges, \(x), \(y)")
          }
        }
        #expect(places > 0)
      }
    }
  }

  @Test func `labels of up to three wedges are horizontal, long ones of many are radial`() {
    for count in [1, 2, 3, 10, 12, 16] {
      let wheel = Pinwheel(
        center: center, radius: 200,
        wedges: (0..<count).map { Pinwheel.Wedge(id: "\($0)", label: "Forecasts") })
      #expect(labels(of: wheel).allSatisfy { $0.angle == .zero } == (count <= 3))
    }
  }

  @Test func `the labels of a wheel are peers, except empty ones`() {
    let wheel = Pinwheel(
      center: center, radius: 200,
      wedges: ["one", "", "three", "four"].map { Pinwheel.Wedge(id: $0, label: $0) })
    for run in labels(of: wheel) {
      #expect(run.peers.texts.map(\.text) == ["one", "three", "four"])
    }
  }

  private func labels(of wheel: Pinwheel) -> [TextRun] {
    Stage(wheel).picture.items.compactMap { item in
      if case .text(let run) = item.tiles[0].shape { run } else { nil }
    }
  }
}

@Suite struct PinwheelTouchTests {
  @Test func `lifting on the touched wedge selects it`() {
    var stage = shows()
    stage.tap(place(2), at: 1)
    #expect(stage.eventNames == ["pressed meetthepress", "selected meetthepress"])
    #expect(
      stage.events[1].fields == [
        Field("index", .integer(2)), Field("label", .text("MEETTHEPRESS")),
      ])
    #expect(stage.events.map(\.time.microseconds) == [1_000_000, 1_080_000])
    #expect(stage.value("item") == .text("meetthepress"))
  }

  @Test func `a touch selects nothing before it lifts`() {
    var stage = shows()
    stage.touch(.down, place(2), at: 1)
    stage.advance(to: 60)
    #expect(stage.eventNames == ["pressed meetthepress"])
    #expect(stage.value("index") == .number(-1))
    #expect(stage.value("item") == .text(""))
  }

  @Test(arguments: [place(3), place(2, 10), place(2, 300), place(9)])
  func `lifting outside the wedge cancels`(_ end: Point) {
    var stage = shows()
    stage.touch(.down, place(2), at: 0)
    stage.touch(.move, end, at: 0.1)
    stage.touch(.up, at: 0.2)
    #expect(stage.eventNames == ["pressed meetthepress", "cancelled meetthepress"])
    #expect(bright(stage) == [])
  }

  @Test func `a finger that returns to its wedge selects it`() {
    var stage = shows()
    stage.touch(.down, place(2), at: 0)
    stage.touch(.move, place(5), at: 0.1)
    #expect(bright(stage) == [])
    stage.touch(.move, place(2), at: 0.2)
    #expect(bright(stage) == [2])
    stage.touch(.up, at: 0.3)
    #expect(stage.eventNames.last == "selected meetthepress")
  }

  @Test func `a held wedge has the press colour from the first frame`() {
    var stage = shows()
    let rest = colors(stage)[4]
    stage.touch(.down, place(4), at: 0)
    #expect(colors(stage)[4] == Color.white.faded(to: 0.15).over(rest))
    #expect(bright(stage) == [4])
  }

  @Test func `with no press colour a held wedge looks as at rest`() {
    var stage = shows(press: .none)
    stage.touch(.down, place(4), at: 0)
    #expect(bright(stage) == [])
  }

  @Test func `a disabled wedge swallows the touch without an effect`() {
    var stage = shows()
    let rest = stage.picture
    #expect(stage.control.contains(place(8), at: .zero))
    stage.touch(.down, place(8), at: 0)
    #expect(stage.picture == rest)
    stage.touch(.move, place(2), at: 0.1)
    stage.touch(.up, at: 0.2)
    #expect(stage.eventNames == [])
    #expect(stage.picture == rest)
  }

  @Test func `the hole and the outside ignore touches`() {
    let stage = shows()
    #expect(!stage.control.contains(center, at: .zero))
    #expect(!stage.control.contains(place(2, 201), at: .zero))
  }

  @Test func `two fingers can hold two wedges, and another finger on a held wedge is ignored`() {
    var stage = shows()
    stage.touch(.down, place(1), finger: 1, at: 0)
    stage.touch(.down, place(5), finger: 2, at: 0)
    stage.touch(.down, place(5), finger: 3, at: 0)
    #expect(bright(stage) == [1, 5])
    stage.touch(.up, finger: 2, at: 0.1)
    stage.touch(.cancel, finger: 3, at: 0.1)
    stage.touch(.up, finger: 1, at: 0.1)
    #expect(
      stage.eventNames == [
        "pressed hardball", "pressed rachelmaddow", "selected rachelmaddow", "selected hardball",
      ])
  }

  @Test func `an unknown finger has no effect`() {
    var stage = shows()
    stage.touch(.move, place(1), finger: 5, at: 0)
    stage.touch(.up, finger: 5, at: 0)
    stage.touch(.cancel, finger: 6, at: 0)
    #expect(stage.eventNames == [])
  }

  @Test func `a selection can be set by item, index or label, and cleared`() throws {
    var stage = shows()
    try stage.set("item", to: .text("hardball"), at: 0)
    #expect(stage.value("index") == .number(1))
    try stage.set("index", to: .number(3), at: 0)
    #expect(stage.value("label") == .text("MORNINGJOE"))
    try stage.set("index", to: .number(-1), at: 0)
    #expect(stage.value("item") == .text(""))
    #expect(stage.eventNames == [])
    #expect(throws: PropertyError.self) { try stage.set("index", to: .number(12), at: 0) }
    #expect(throws: PropertyError.self) { try stage.set("index", to: .number(.nan), at: 0) }
    #expect(throws: PropertyError.self) { try stage.set("item", to: .text("nobody"), at: 0) }
  }
}

@Suite struct PinwheelBlinkTests {
  private func litNow(_ stage: Stage<Pinwheel>) -> Set<Int> {
    stage.control.litWedges(at: stage.now)
  }

  @Test func `a selection blinks twice: at 0, 0.20, 0.35 and 0.55 seconds`() {
    var stage = shows()
    stage.tap(place(0), at: 1, for: 0)
    let lit: [(Double, Bool)] = [
      (0, true), (0.1, true), (0.199999, true), (0.2, false), (0.349999, false), (0.35, true),
      (0.549999, true), (0.55, false), (10, false),
    ]
    for (time, isLit) in lit {
      stage.advance(to: 1 + time)
      #expect(litNow(stage) == (isLit ? [0] : []), "\(time) s after the selection")
    }
  }

  @Test func `the last light fades out quickly, and then nothing moves`() {
    var stage = shows()
    let rest = colors(stage)[0]
    stage.tap(place(0), at: 1, for: 0)
    #expect(!stage.control.isMoving(at: stage.now))
    stage.advance(to: 1.549)
    var before = colors(stage)[0]
    for step in 1...5 {
      stage.advance(to: 1.55 + 0.02 * Double(step))
      let color = colors(stage)[0]
      #expect(stage.control.isMoving(at: stage.now))
      // The last step is less than one level.
      #expect(color.distance(to: rest) < before.distance(to: rest) || step > 3)
      before = color
    }
    stage.advance(to: 1.68)
    #expect(colors(stage)[0] == rest && !stage.control.isMoving(at: stage.now))
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test(arguments: [0.15, 0.03, 0.001])
  func `between two lights the wedge is completely dark`(_ off: Double) {
    var stage = Stage(
      Pinwheel(
        center: center, radius: 200, blink: Blink.Pattern(count: 3, on: 0.2, off: off),
        wedges: [Pinwheel.Wedge(id: "a"), Pinwheel.Wedge(id: "b")]))
    let rest = colors(stage)
    stage.tap(center + Vector(0, -125), at: 0, for: 0)
    for light in 0..<3 {
      let start = Double(light) * (0.2 + off)
      stage.advance(to: start + 0.1999)
      #expect(colors(stage) != rest)
      guard light < 2 else { continue }
      for share in [0, 0.1, 0.5, 0.9] {
        stage.advance(to: start + 0.2 + share * off)
        #expect(colors(stage) == rest, "\(share) of pause \(light)")
        #expect(!stage.control.isMoving(at: stage.now))
      }
    }
  }

  @Test func `the end of a blink leaves the pauses of a later one dark`() {
    var stage = shows()
    let rest = colors(stage)[0]
    stage.tap(place(0), at: 0, for: 0)
    stage.tap(place(0), at: 0.4, for: 0)
    // The first blink ends at 0.55; the second is dark from 0.6 to 0.75.
    for time in [0.6, 0.62, 0.7, 0.749] {
      stage.advance(to: time)
      #expect(colors(stage)[0] == rest, "\(time)")
    }
    stage.advance(to: 0.75)
    #expect(colors(stage)[0] != rest)
  }

  @Test func `a lit wedge is overlaid with the highlight`() {
    var stage = shows()
    let rest = colors(stage)[0]
    stage.tap(place(0), at: 1, for: 0)
    #expect(colors(stage)[0] == Color.white.faded(to: 0.6).over(rest))
  }

  @Test(arguments: [0.05, 0.20, 0.30, 0.35, 0.5], [0, 3])
  func `two overlapping blinks leave nothing lit`(_ delay: Double, _ other: Int) {
    var stage = shows()
    stage.tap(place(0), at: 0, for: 0)
    stage.tap(place(other), at: delay, for: 0)
    #expect(litNow(stage).contains(other))
    stage.advance(to: delay + 0.549)
    #expect(litNow(stage) == [other])
    stage.advance(to: delay + 0.55)
    #expect(litNow(stage) == [])
    stage.advance(to: delay + 0.7)
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `fifty quick taps leave nothing lit after the last blink`() {
    var stage = shows()
    for tap in 0..<50 { stage.tap(place(tap % 7), at: Double(tap) * 0.037, for: 0.01) }
    stage.advance(to: 49 * 0.037 + 0.01 + 0.55)
    #expect(litNow(stage) == [])
    #expect(stage.events.filter { $0.name == "selected" }.count == 50)
  }

  @Test func `a wheel reset during a blink has nothing left to do`() {
    var stage = shows()
    stage.tap(place(0), at: 0)
    stage.touch(.down, place(1), at: 0.1)
    stage.reset(at: 0.12)
    #expect(bright(stage) == [])
    #expect(stage.control.nextChange(after: stage.now) == nil)
    #expect(stage.eventNames.last == "cancelled hardball")
  }

  @Test func `after random touches nothing is held, lit or scheduled`() {
    var random = SeededGenerator(seed: 5)
    var stage = shows()
    var time = 0.0
    for _ in 0..<3000 {
      time += .random(in: 0...0.05, using: &random)
      let phase = [Touch.Phase.down, .move, .up, .cancel].randomElement(using: &random) ?? .up
      let point = Point(
        .random(in: 150...650, using: &random), .random(in: 50...550, using: &random))
      stage.touch(phase, point, finger: .random(in: 0..<10, using: &random), at: time)
    }
    for finger in 0..<10 { stage.touch(.up, finger: finger, at: time) }
    stage.advance(to: time + 0.55)
    #expect(bright(stage) == [])
    #expect(stage.control.heldWedges.isEmpty)
    #expect(stage.control.nextChange(after: stage.now) == nil)
    let ends = stage.eventNames.filter { !$0.hasPrefix("pressed") }.count
    #expect(ends > 100)
  }
}

@Suite struct PinwheelArtTests {
  private func wheel() -> Stage<Pinwheel> {
    Stage(
      Pinwheel(
        center: center, radius: 200,
        wedges: [
          .init(id: "a", image: "a_rest.png", pressImage: "a_press.png"),
          .init(id: "b", image: "b_rest.png"),
          .init(id: "c", isEnabled: false, image: "c_rest.png"),
        ]))
  }

  private func images(_ stage: Stage<Pinwheel>) -> [String] {
    stage.picture.items.flatMap(\.tiles).compactMap { tile in
      if case .image(let name, _, _, _, _) = tile.fill { name } else { nil }
    }
  }

  @Test func `art covers the square around the wheel, each image clipped to its wedge`() {
    let stage = wheel()
    let tiles = stage.picture.items[1].tiles
    #expect(tiles.map(\.shape) == (0..<3).map { .sector(stage.control.sector($0)) })
    let frame = Rect(center: center, size: Size(400, 400))
    #expect(tiles[0].fill == .image("a_rest.png", frame: frame))
  }

  @Test func `the press art is shown while a wedge is held or lit`() {
    var stage = wheel()
    stage.touch(.down, center + Angle.degrees(0).unit * 100, at: 0)
    #expect(images(stage) == ["a_press.png", "b_rest.png", "c_rest.png"])
    stage.touch(.up, at: 0.1)
    #expect(images(stage)[0] == "a_press.png")
    stage.advance(to: 0.35)
    #expect(images(stage)[0] == "a_rest.png")
  }

  @Test func `a wedge without press art is lit from the rim and shaded at the hub`() throws {
    var stage = wheel()
    let rest = stage.picture.items.count
    stage.touch(.down, center + Angle.degrees(120).unit * 100, at: 0)
    let overlay = stage.picture.items[2...3].flatMap(\.tiles)
    #expect(stage.picture.items.count == rest + 2)
    let wedge = stage.control.sector(1)
    let parts = overlay.compactMap { tile -> (sector: Sector, fill: Gradient)? in
      guard case .sector(let part) = tile.shape, case .gradient(let fill) = tile.fill else {
        return nil
      }
      return (part, fill)
    }
    #expect(parts.count == overlay.count)
    let (inner, outer) = (try #require(parts.first), try #require(parts.last))
    func color(_ distance: Double, _ part: (sector: Sector, fill: Gradient)) -> Color {
      part.fill.color(at: wedge.center + wedge.middle.unit * distance)
    }
    let (hub, rim) = (color(wedge.innerRadius, inner), color(wedge.outerRadius, outer))
    #expect(hub.luminance < 0.01 && hub.alpha > 30)
    #expect(rim.luminance == 1 && rim.alpha > 30)
    // Both are transparent at their common edge.
    let middle = outer.sector.innerRadius
    #expect(inner.sector.outerRadius == middle)
    #expect(color(middle, inner).alpha == 0 && color(middle, outer).alpha == 0)
    #expect(inner.sector.innerRadius == wedge.innerRadius)
    #expect(outer.sector.outerRadius == wedge.outerRadius)
    #expect(parts.allSatisfy { ($0.sector.start, $0.sector.end) == (wedge.start, wedge.end) })
  }

  @Test func `a configured press colour is drawn over art unchanged`() {
    let veil = Color(hex: 0x336699).faded(to: 0.4)
    var stage = Stage(
      Pinwheel(
        center: center, radius: 200, hole: 50, press: .color(.fixed(veil)),
        wedges: [.init(id: "a", image: "a.png"), .init(id: "b", image: "b.png")]))
    stage.touch(.down, center + Angle.degrees(0).unit * 100, at: 0)
    #expect(stage.picture.items[2].tiles == [Tile(.sector(stage.control.sector(0)), veil)])
  }
}

@Suite struct PinwheelInkTests {
  private func inks(_ wedges: [Pinwheel.Wedge], _ theme: Theme = .dark) -> [Color] {
    let wheel = Pinwheel(center: center, radius: 200, wedges: wedges)
    var list = DisplayList()
    wheel.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif", theme: theme))
    return list.items.compactMap { item in
      guard case .text = item.tiles[0].shape, case .color(let color) = item.tiles[0].fill else {
        return nil
      }
      return color
    }
  }

  @Test(arguments: [Theme.dark, .light])
  func `labels on the palette have one colour at any size`(theme: Theme) {
    for count in 1...40 {
      let inks = inks((0..<count).map { .init(id: "\($0)", label: "\($0)") }, theme)
      #expect(inks.count == count)
      #expect(Set(inks) == [.dark])
    }
  }

  @Test func `a wedge's own colour changes the text colour only if it is illegible`() {
    let tones: [UInt32] = [0xc16e2d, 0x4e9a52, 0x8585db, 0x102040, 0xffee88]
    let inks = inks(tones.map { .init(id: "\($0)", label: "x", color: .hex($0)) })
    #expect(inks == [.dark, .dark, .dark, .white, .dark])
    for (ink, tone) in zip(inks, tones) {
      #expect(ink.contrast(with: Color(hex: tone)) >= 4.2)
    }
  }

  @Test func `a disabled wedge doesn't affect the text colour of the others`() {
    let wedges = (0..<6).map { index in
      Pinwheel.Wedge(id: "\(index)", label: "x", color: .hex(0xf0e0c0), isEnabled: index == 0)
    }
    #expect(inks(wedges)[0] != .white)
  }

  @Test func `icons have one size and are next to the labels inside their wedges`() {
    for style in Pinwheel.LabelStyle.allCases {
      for count in [1, 2, 3, 7, 24] {
        let wheel = Pinwheel(
          center: center, radius: 200, labels: style,
          wedges: (0..<count).map {
            .init(id: "\($0)", label: "x", icon: $0 % 2 == 0 ? .sign("a") : .image("a.png"))
          })
        var list = DisplayList()
        wheel.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
        let frames = list.items.compactMap { item -> Rect? in
          switch (item.tiles[0].shape, item.tiles[0].fill) {
          case (.text(let run), _) where run.isCenteredByInk:
            Rect(center: run.anchor, size: Size(run.size, run.size))
          case (_, .image(_, let frame, let fit, _, _)): fit == .contain ? frame : nil
          default: nil
          }
        }
        #expect(frames.count == count)
        #expect(frames.allSatisfy { abs($0.width - frames[0].width) < 1e-9 && $0.width > 4 })
        for (wedge, frame) in frames.enumerated() {
          #expect(wheel.wedge(at: frame.center) == wedge, "\(style) \(count)")
        }
      }
    }
  }
}

@Suite struct PinwheelLabelTests {
  private func wheel(_ labels: [String], details: [String] = []) -> Pinwheel {
    Pinwheel(
      center: Point(640, 400), radius: 300,
      wedges: labels.enumerated().map { index, label in
        var wedge = Pinwheel.Wedge(id: "\(index)", label: label)
        if details.indices.contains(index) { wedge.detail = details[index] }
        return wedge
      })
  }

  private func runs(_ wheel: Pinwheel) -> [TextRun] {
    var list = DisplayList()
    wheel.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
    return list.items.compactMap { item in
      if case .text(let run) = item.tiles[0].shape { run } else { nil }
    }
  }

  @Test func `labels are horizontal if all fit, otherwise radial`() {
    let short = ["News", "Sports", "Today show", "Health", "Travel", "World"]
    #expect(wheel(short).labelStyle == .upright)
    #expect(wheel((0..<40).map { "Programme \($0)" }).labelStyle == .radial)
    #expect(wheel(["A long label", "Another long label"]).labelStyle == .upright)
    var other = wheel(short + ["Music", "Films"])
    #expect(other.labelStyle == .upright)
    let old = other
    other.fontSize = 64
    other.keysChanged(since: old, at: .zero)
    #expect(other.labelStyle == .radial)
  }

  @Test func `words too long for any style don't turn the others`() {
    let long = ["Donaudampfschifffahrtsgesellschaft", "Rindfleischetikettierungsüberwachung"]
    let short = ["News", "Sports", "Today show", "Health", "Travel", "World"]
    #expect(wheel(short + long.prefix(1)).labelStyle == .upright)
    #expect(wheel(short.prefix(2) + long).labelStyle == .upright)
    // No label fits horizontally into a narrow wedge.
    #expect(wheel(Array(repeating: long[0], count: 24)).labelStyle == .radial)
  }

  @Test(arguments: Pinwheel.LabelStyle.allCases)
  func `a detail is a smaller line below its label in reading direction`(
    _ style: Pinwheel.LabelStyle
  ) {
    var wheel = wheel(
      ["A", "B", "C", "D", "E"], details: ["one", "two", "three", "four", "five"])
    let old = wheel
    wheel.explicitLabelStyle = style
    wheel.keysChanged(since: old, at: .zero)
    let runs = runs(wheel)
    #expect(runs.count == 10)
    for index in stride(from: 0, to: 10, by: 2) {
      let (label, detail) = (runs[index], runs[index + 1])
      let down = (label.angle + .degrees(180)).unit
      let distance = detail.anchor - label.anchor
      #expect(detail.angle == label.angle && detail.size < label.size)
      #expect(
        abs(distance.length - label.size * 0.98) < 1e-6
          && distance.x * down.x + distance.y * down.y > 0)
    }
  }

  @Test func `a photo is upright and clipped to its wedge, with a scrim behind the label`() throws {
    var wheel = wheel(["A", "B", "C", "D"])
    let old = wheel
    wheel.wedges[1].photo = "photo.png"
    wheel.keysChanged(since: old, at: .zero)
    var list = DisplayList()
    wheel.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
    let photos = list.items.flatMap(\.tiles).filter {
      if case .image = $0.fill { true } else { false }
    }
    let sector = wheel.sector(1)
    #expect(
      photos == [Tile(.sector(sector), .image("photo.png", frame: sector.bounds, fit: .cover))])
    // Adjacent bands: the darkest is behind the label, and each next one is lighter.
    let bands = list.items.compactMap { item -> (clip: Rect, alpha: UInt8)? in
      guard item.tiles[0].shape == .sector(sector), let clip = item.clip,
        case .color(let veil) = item.tiles[0].fill
      else { return nil }
      return (clip, veil.alpha)
    }.sorted { $0.clip.y0 < $1.clip.y0 }
    let darkest = try #require(bands.firstIndex { $0.clip.contains(runs(wheel)[1].anchor) })
    for (band, next) in zip(bands, bands.dropFirst()) {
      #expect(abs(band.clip.y1 - next.clip.y0) < 1e-9)
    }
    let alphas = bands.map(\.alpha)
    #expect(alphas[...darkest] == alphas[...darkest].sorted()[...])
    #expect(alphas[darkest...].reversed() == alphas[darkest...].sorted())
    #expect(zip(alphas, alphas.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 14 })
  }

  @Test func `icons have the configured size`() {
    var wheel = wheel(["A", "B", "C", "D"])
    let old = wheel
    wheel.wedges[0].icon = .sign("x")
    wheel.iconSize = 31
    wheel.keysChanged(since: old, at: .zero)
    #expect(runs(wheel).contains { $0.text == "x" && $0.size == 31 })
  }

  @Test func `a highlight image is rotated to each wedge`() {
    for index in 0..<4 {
      var stage = Stage(wheel(["A", "B", "C", "D"]))
      stage.control.highlight = .image("moon.png")
      let turn = Angle.degrees(90 * Double(index))
      stage.tap(stage.control.center + turn.unit * 200, at: 1)
      stage.advance(to: 1.1)
      let turns = stage.picture.items.flatMap(\.tiles).compactMap { tile -> Angle? in
        if case .image("moon.png", _, _, let turn, _) = tile.fill { turn } else { nil }
      }
      #expect(turns.count == 1)
      #expect(turns.allSatisfy { abs($0.turn(from: turn).radians) < 1e-9 })
    }
  }
}
