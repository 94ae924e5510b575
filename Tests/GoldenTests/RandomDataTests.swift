// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import RoundelMotion
import RoundelRaster
import SystemFonts
import TestSupport
import Testing
import RoundelText

/// Controls with random data: each label stays inside its bounds, and labels don't overlap.
@Suite struct RandomDataTests {
  private static let words = [
    "Tea", "Soup", "of", "the", "day", "Science", "and", "Technology", "Kartoffelpuffer", "I",
    "Donaudampfschifffahrtsgesellschaft", "7", "12:30", "€ 4.50", "قهوة", "بالنعناع", "أهلاً",
    "שלום",
    "Ελλάδα", "Вкусно", "Việt", "ĄĘÅŞÇ", "gjpqy", "WWWW", "…", "a/b", "茶",
  ]

  private var random: SeededGenerator
  private let fonts: FontLibrary
  private let font = Font(["Inter", "DejaVu Sans"], weight: 400)

  init() throws {
    random = SeededGenerator(seed: 12)
    fonts = FontLibrary()
    let system = try SystemFonts()
    for face in font.faces + font.preferring(weight: 700).faces {
      let file = try system.file(for: face.family, weight: face.weight)
      try fonts.add(face, bytes: try FontFile.read(file.path), faceIndex: file.faceIndex)
    }
  }

  // MARK: Data

  private mutating func text(atMost words: Int = 5) -> String {
    (0..<Int.random(in: 1...words, using: &random))
      .map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    .random(in: range, using: &random)
  }

  private mutating func count(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }

  private mutating func maybe<Value>(_ value: Value) -> Value? {
    Bool.random(using: &random) ? value : nil
  }

  // MARK: Ink

  /// Drawn text.
  private struct Ink {
    var run: TextRun
    var size: Double
    var mask: GlyphMask
    var clip: Rect?

    /// The centres of the pixels covered by more than a quarter, on a canvas of the design's size.
    var pixels: [Point] {
      let bounds = mask.bounds
      return mask.coverage.indices.filter { mask.coverage[$0] > 64 }.map { place in
        Point(
          Double(bounds.x0 + place % bounds.width) + 0.5,
          Double(bounds.y0 + place / bounds.width) + 0.5)
      }.filter { clip?.contains($0) ?? true }
    }
  }

  private func ink(_ run: TextRun, clip: Rect? = nil) -> Ink? {
    guard let block = fonts.layout(run) else { return nil }
    let mask = fonts.mask(
      for: run, viewport: Viewport(scale: 1, offset: .zero),
      clip: PixelRect(x0: -4000, y0: -4000, x1: 4000, y1: 4000))
    return Ink(run: run, size: block.size, mask: mask, clip: clip)
  }

  private func picture(_ control: any Control, at now: Instant = .zero) -> DisplayList {
    var list = DisplayList()
    control.draw(into: &list, in: DrawingContext(now: now, font: font))
    return list
  }

  private func inks(_ list: DisplayList) -> [Ink] {
    list.items.flatMap { item in
      item.tiles.compactMap { tile in
        if case .text(let run) = tile.shape { ink(run, clip: item.clip) } else { nil }
      }
    }
  }

  /// The tolerance for rounding, and for parts of letters beyond their advance.
  private func slack(_ ink: Ink) -> Double { 1 + 0.06 * ink.size }

  private func check(
    _ inks: [Ink], _ what: String, isInside: (Point, Ink, _ slack: Double) -> Bool
  ) {
    var taken: [Point: Int] = [:]
    for (number, ink) in inks.enumerated() {
      #expect(ink.size >= min(ink.run.minimumSize, ink.run.size) - 1e-9, "\(ink.run.text) \(what)")
      var outside = 0
      var shared = 0
      for point in ink.pixels {
        if !isInside(point, ink, slack(ink)) { outside += 1 }
        if let other = taken.updateValue(number, forKey: point), other != number { shared += 1 }
      }
      #expect(outside == 0, "\(ink.run.text) at \(ink.size) px in \(what)")
      #expect(shared == 0, "\(ink.run.text) at \(ink.size) px meets another in \(what)")
    }
  }

  // MARK: Colours

  @Test(arguments: [1.0, 0.75])
  func `labels on the palette are dark on every panel`(_ scale: Double) {
    let wheel = Pinwheel(
      center: Point(400, 400), radius: 390, hole: 20, fontSize: 28,
      wedges: (0..<9).map { .init(id: "\($0)", label: "News") })
    let size = PixelSize(Int(800 * scale), Int(800 * scale))
    let painter = Painter(
      size: size, viewport: Viewport(scale: scale, offset: .zero), fonts: fonts)
    var list = DisplayList(background: Color(hex: 0x445566))
    wheel.draw(into: &list, in: DrawingContext(now: .zero, font: font))
    painter.show(list)
    let pixels = painter.block(PixelRect(size: size)).pixels.map { $0 & 0xffffff }
    let (white, dark) = (
      pixels.count { $0 == 0xffffff }, pixels.count { $0 == 0x10151c }
    )
    #expect(white == 0 && dark > 500)
  }

  // MARK: Controls

  @Test mutating func `labels of a pinwheel are inside their wedges`() {
    for _ in 0..<12 {
      let count = [1, 2, 3, 4, 7, 12, 24, 40].randomElement(using: &random) ?? 1
      let radius = number(60...390)
      let hasIcons = Bool.random(using: &random)
      let style = maybe(Pinwheel.LabelStyle.allCases.randomElement(using: &random) ?? .radial)
      let wedges = (0..<count).map { index in
        Pinwheel.Wedge(
          id: "\(index)", label: text(), icon: hasIcons ? maybe(Icon.sign("★")) : nil)
      }
      let wheel = Pinwheel(
        center: Point(400, 400), radius: radius, hole: maybe(number(0...radius * 0.6)),
        gap: Bool.random(using: &random) ? .degrees(2) : .pixels(6),
        start: .degrees(number(0...360)),
        fontSize: maybe(number(12...50)), labels: style, wedges: wedges)
      let what = "\(count) wedges of \(radius), \(wheel.labelStyle), hole \(wheel.hole)"
      let inks = inks(picture(wheel))
      let labels = inks.filter { !$0.run.isCenteredByInk }
      let counts = Dictionary(grouping: labels.map(\.size)) { $0 }.mapValues(\.count)
      let common = counts.max { $0.value < $1.value }?.key ?? 0
      // At most half of the labels are smaller, and a few short ones larger than most.
      let (half, quarter) = labels.count < 3 ? (0, 0) : (labels.count / 2, max(labels.count / 4, 1))
      #expect(labels.count { $0.size < common } <= half, "\(what)")
      #expect(labels.count { $0.size > common } <= quarter, "\(what)")
      #expect(Set(inks.filter(\.run.isCenteredByInk).map(\.size)).count <= 1, "\(what)")
      check(inks, what) { point, ink, slack in
        guard let wedge = wheel.wedge(at: ink.run.anchor) else { return false }
        return wheel.sector(wedge).holds(point, slack)
      }
    }
  }

  @Test mutating func `labels of a menu are inside their discs`() {
    for _ in 0..<12 {
      let icons = Bool.random(using: &random)
      func item(_ id: String, _ label: String, _ icon: Icon?, _ items: [Menu.Item] = [])
        -> Menu.Item
      {
        Menu.Item(id: id, label: label, icon: icons ? icon : nil, items: items)
      }
      let leaves = (0..<count(1...14)).map { index in
        item(
          "\(index)", text(), maybe(.sign("★")),
          Int.random(in: 0..<3, using: &random) == 0
            ? (0..<count(1...5)).map { item("\(index)-\($0)", text(), maybe(.sign("★"))) } : [])
      }
      let (radius, leafRadius) = (number(20...150), number(20...120))
      let menu = Menu(
        center: Point(400, 400), screen: Size(1280, 800), label: text(), radius: radius,
        leafRadius: leafRadius, fontSize: maybe(number(12...40)), items: leaves)
      // Open rings, and the leaf lit by a finger.
      var open = menu
      var events: [ControlEvent] = []
      open.perform("open", at: .zero, events: &events)
      for time in [3.0, 3.1] {
        let now = Instant(seconds: time)
        open.advance(to: now, events: &events)
        let what = "\(leaves.count) leaves of \(leafRadius) around \(radius)"
        let list = picture(open, at: now)
        let discs = list.items.compactMap { item -> Sector? in
          guard case .sector(let disc) = item.tiles[0].shape, disc.innerRadius == 0 else {
            return nil
          }
          return disc
        }
        check(inks(list), what) { point, ink, _ in
          discs.contains {
            $0.contains(ink.run.anchor) && $0.center.distance(to: point) <= $0.outerRadius
          }
        }
        if let place = open.place(of: "0", at: now) {
          open.handle(Touch(finger: 0, phase: .down, position: place), at: now, events: &events)
        }
      }
    }
  }

  @Test mutating func `labels of a dial are inside its face`() {
    for _ in 0..<12 {
      let labels = (0..<count(1...40)).map { _ in text(atMost: 2) }
      let dial = Dial(
        center: Point(400, 400), radius: number(80...390), labels: labels,
        value: count(0...labels.count - 1), fontSize: maybe(number(12...40)))
      check(inks(picture(dial)), "\(labels.count) labels around \(dial.radius)") {
        point, _, slack in
        point.distance(to: dial.center) <= dial.radius + slack
      }
    }
  }

  @Test mutating func `numbers of a dial are inside its face, rotated or horizontal`() {
    for _ in 0..<12 {
      let steps: [Double] = [0.1, 0.5, 1, 5]
      let step = steps.randomElement(using: &random) ?? 1
      guard let scale = Scale(from: Double(count(-20...20)), to: number(30...130), step: step)
      else {
        continue
      }
      let dial = Dial(
        center: Point(400, 400), radius: number(80...390), scale: scale, value: number(-20...130),
        fontSize: maybe(number(12...40)), unit: maybe(" °C") ?? "",
        labelStride: maybe(count(1...10)),
        isUpright: Bool.random(using: &random))
      check(inks(picture(dial)), "\(scale) around \(dial.radius)") { point, _, slack in
        point.distance(to: dial.center) <= dial.radius + slack
      }
    }
  }

  @Test mutating func `text of rings and toggles is inside them`() {
    for _ in 0..<12 {
      guard let scale = Scale(from: 0, to: Double(count(1...999))) else { continue }
      let radius = number(40...390)
      let range = scale.maximum
      let every = range / 20
      let labelEvery: Double? = maybe(range / Double(count(1...4)))
      let thickness: Double? = maybe(number(4...radius * 0.4))
      let ring = Ring(
        center: Point(400, 400), radius: radius, thickness: thickness, scale: scale,
        value: number(0...range), ticks: Ring.Ticks(every: every, labelEvery: labelEvery),
        text: text(), fontSize: maybe(number(12...90)))
      check(inks(picture(ring)), "a ring of \(radius), \(ring.thickness)") { point, _, slack in
        point.distance(to: ring.center) <= radius - ring.thickness + slack
      }
      let size = Size(number(120...500), number(40...200))
      let toggle = Toggle(center: Point(400, 400), size: size, label: text())
      check(inks(picture(toggle)), "a toggle of \(size)") { point, _, slack in
        Rect(center: toggle.center, size: size).inset(by: -slack).contains(point)
      }
    }
  }

  @Test mutating func `text in rows of wheels and reels is inside the rows`() {
    for _ in 0..<6 {
      let rows = count(1...7)
      let size = Size(number(120...1200), number(60...700))
      let columns = (0..<count(1...4)).map { column in
        Picker.Column(
          id: "\(column)", items: (0..<count(1...12)).map { _ in Picker.Item(label: text()) })
      }
      let picker = Picker(center: Point(640, 400), size: size, rows: rows, columns: columns)
      let (width, height) = (size.width / Double(columns.count), size.height / Double(rows))
      check(inks(picture(picker)), "\(columns.count) wheels of \(size), \(rows) rows") {
        point, ink, slack in
        abs(point.x - ink.run.anchor.x) <= width / 2
          && abs(point.y - ink.run.anchor.y) <= height / 2 + slack
      }
      let slots = Slots(
        center: Point(640, 400), size: size, rows: rows,
        reels: columns.map { column in
          Slots.Reel(id: column.id, items: column.items.map(\.label), direction: .down)
        })
      for case .strip(let strip) in picture(slots).tiles.map(\.fill) {
        for row in strip.rows {
          guard case .text(let run)? = row.content?.shape, let ink = ink(run) else { continue }
          check([ink], "\(columns.count) reels of \(size), \(rows) rows") { point, _, slack in
            (-slack...height + slack).contains(point.y) && (0...width).contains(point.x)
          }
        }
      }
    }
  }

  @Test mutating func `text of a keypad is inside its keys and its display`() {
    for _ in 0..<12 {
      let rows = (0..<count(1...5)).map { _ in (0..<count(1...10)).map { _ in text(atMost: 1) } }
      let pad = Keypad(
        center: Point(640, 400), size: Size(number(100...1200), number(100...700)),
        layout: Bool.random(using: &random) ? KeypadLayout(rows: rows) : .text,
        shape: Bool.random(using: &random) ? .round : .grid, fontSize: maybe(number(12...60)),
        text: text(atMost: 40))
      let frame = Rect(center: pad.center, size: pad.size)
      check(inks(picture(pad)), "a \(pad.shape) keypad of \(pad.size)") { point, _, slack in
        frame.inset(by: -slack).contains(point)
      }
    }
  }

  @Test mutating func `text in rows of a list is inside the rows`() {
    for _ in 0..<12 {
      let size = Size(number(120...1200), number(60...700))
      let hasDetails = Bool.random(using: &random)
      let list = List(
        center: Point(640, 400), size: size, rowHeight: number(24...160),
        items: (0..<count(1...20)).map { index in
          List.Item(
            id: "\(index)", label: text(), detail: hasDetails ? text(atMost: 2) : "",
            icon: maybe(Icon.sign("★")))
        }, fontSize: maybe(number(12...50)))
      let frame = Rect(center: list.center, size: size)
      check(inks(picture(list)), "rows of \(list.rowHeight) in \(size)") { point, ink, slack in
        frame.contains(point) && abs(point.y - ink.run.anchor.y) <= list.rowHeight / 2 + slack
      }
    }
  }

  @Test mutating func `text of buttons and labels is inside them`() {
    for _ in 0..<20 {
      let size = Size(number(40...500), number(40...300))
      let button = Button(
        center: Point(640, 400), size: size, text: text(), icon: maybe(.sign("★")),
        fontSize: maybe(number(12...50)), shape: Bool.random(using: &random) ? .round : .rounded)
      check(inks(picture(button)), "a \(button.shape) button of \(size)") { point, _, _ in
        button.contains(point, at: .zero)
      }
      let fontSize = number(12...40)
      let label = Label(
        center: Point(640, 400), text: text(atMost: 30), fontSize: fontSize,
        size: Size(size.width + 40, max(size.height, 2 * fontSize)))
      check(inks(picture(label)), "a label of \(size)") { point, ink, slack in
        Rect(center: label.center, size: label.size ?? size).inset(by: -slack).contains(point)
      }
    }
  }

  @Test mutating func `text of a resistor of any size is inside it`() {
    for _ in 0..<6 {
      let size = Size(number(200...1200), number(160...780))
      guard let code = Resistor.standard(bands: count(3...6), edition: .year2016) else { continue }
      let resistor = Resistor(
        center: Point(640, 400), size: size, code: code, mute: 0.6, muteColor: .white)
      let room = Rect(center: resistor.center, size: size)
      check(inks(picture(resistor)), "a resistor of \(size)") { point, _, slack in
        room.inset(by: -slack).contains(point)
      }
    }
  }
}

extension Sector {
  /// Whether a point is inside, with a tolerance of `slack`.
  fileprivate func holds(_ point: Point, _ slack: Double) -> Bool {
    var grown = self
    grown.inset = isClosed ? 0 : inset - slack
    grown.innerRadius = max(innerRadius - slack, 0)
    grown.outerRadius += slack
    return grown.contains(point)
  }
}
