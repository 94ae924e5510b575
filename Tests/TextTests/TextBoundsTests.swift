// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing
import RoundelText

@Suite struct TextBoundsTests {
  private let anchor = Point(640, 400)

  private func random(_ random: inout SeededGenerator) -> (run: TextRun, sector: Sector) {
    let inner = Double.random(in: 0...150, using: &random)
    let outer = inner + Double.random(in: 60...250, using: &random)
    let middle = Angle.degrees(.random(in: -180...180, using: &random))
    let isWhole = Int.random(in: 0..<8, using: &random) == 0
    let half = Angle.degrees(isWhole ? 180 : .random(in: 6...90, using: &random))
    let words = ["Go", "Morning", "Science and Technology", "Ωμέγα", "سلام", "Đặng Việt"]
    let text = (0..<Int.random(in: 1...4, using: &random))
      .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    let isArc = Bool.random(using: &random)
    let reach = (inner + outer) / 2
    let center =
      isArc ? Point(0, Bool.random(using: &random) ? reach : -reach) : .zero - middle.unit * reach
    let sector = Sector(
      center: center, innerRadius: inner, outerRadius: outer, start: middle - half,
      end: middle + half,
      inset: .random(in: 0...6, using: &random))
    let run = TextRun(
      text, font: dejaVu, size: .random(in: 14...60, using: &random), at: anchor,
      bounds: isArc ? .arc(sector) : .sector(sector), lines: .random(in: 1...4, using: &random),
      minimumSize: 6)
    return (run, sector)
  }

  /// Whether a position on the canvas is inside a text run's bounds.
  private func isInside(_ place: Point, _ run: TextRun, _ sector: Sector) -> Bool {
    let local = Point.zero + (place - anchor)
    guard case .arc = run.bounds else { return sector.contains(local) }
    // The sector of an arc extends equally to both sides of the anchor.
    var turned = sector
    let upwards: Angle = sector.center.y > 0 ? .zero : .degrees(180)
    turned.start = upwards - sector.sweep / 2
    turned.end = upwards + sector.sweep / 2
    return turned.contains(local)
  }

  @Test func `text that isn't truncated stays in its sector and on its arc`() throws {
    let library = try fontLibrary(dejaVu)
    var random = SeededGenerator(seed: 5)
    var (shown, wrapped) = (0, 0)
    for _ in 0..<400 {
      let (run, sector) = self.random(&random)
      let block = try #require(library.layout(run))
      guard !block.isCut else { continue }
      shown += 1
      if block.lines.count > 1 { wrapped += 1 }
      let mask = library.mask(for: run, viewport: .unscaled, clip: .screen)
      for y in mask.bounds.y0..<mask.bounds.y1 {
        for x in mask.bounds.x0..<mask.bounds.x1 where mask.at(x, y) > 200 {
          let place = Point(Double(x) + 0.5, Double(y) + 0.5)
          guard !isInside(place, run, sector) else { continue }
          // On an arc a letter is on the tangent at its centre, so its corners are slightly
          // outside. Arabic letters are deeper than a line.
          let near = [Vector(3, 0), Vector(-3, 0), Vector(0, 3), Vector(0, -3)].map { place + $0 }
          #expect(near.contains { isInside($0, run, sector) }, "\(run) at \(place)")
        }
      }
    }
    #expect(shown > 150 && wrapped > 30)
  }

  @Test func `a label in a wedge has more lines at the wide end`() throws {
    let library = try fontLibrary(dejaVu)
    /// The layout of a label in the radial centre of a wedge around the ray to the right.
    func block(_ text: String, in degrees: Double) throws -> TextBlock {
      let wedge = Sector(
        center: Point(-230, 0), innerRadius: 95, outerRadius: 360,
        start: .degrees(90 - degrees / 2),
        end: .degrees(90 + degrees / 2))
      let run = TextRun(
        text, font: dejaVu, size: 22, at: anchor, bounds: .sector(wedge), lines: 3)
      return try #require(library.layout(run))
    }
    let wide = try block("Science and Technology News", in: 30)
    #expect(wide.lines.count == 2 && wide.size == 22)
    let narrow = try block("News", in: 8)
    #expect(narrow.lines.count == 1 && narrow.size == 22)
    // At 185 pixels from the hub, the wedge is as wide as a line; the rim is 174 further.
    #expect(abs(narrow.lines[0].middle * 22 - 42) < 3, "it stands where the wedge is wide")
  }

  @Test func `the labels of a ring have one size, except long ones`() throws {
    let library = try fontLibrary(dejaVu)
    let texts = ["Tea", "Double espresso macchiato", "Milk"]
    func size(_ text: String, _ peers: [String]) throws -> Double {
      let run = TextRun(
        text, font: dejaVu, size: 30, at: anchor, box: Size(140, 40),
        peers: TextPeers(peers.map { TextPeers.Text($0, bounds: .box(Size(140, 40))) }),
        minimumSize: 4)
      return try #require(library.layout(run)).size
    }
    let own = try texts.map { try size($0, []) }
    #expect(own[0] == 30 && own[1] < 15)
    #expect(try texts.map { try size($0, texts) } == own)
    #expect(try texts.map { try size($0, texts + [texts[1]]) } == own)
    let mostlyLong = texts + [texts[1], texts[1]]
    for text in texts { #expect(try size(text, mostlyLong) == own[1]) }
  }

  @Test func `the rows of a wheel have one size, except the longest ones`() throws {
    let library = try fontLibrary(dejaVu)
    let long = "Double espresso macchiato"
    func size(_ peers: [String], in bounds: Size = Size(140, 40)) throws -> Double {
      let run = TextRun(
        "Tea", font: dejaVu, size: 30, at: anchor, box: bounds,
        peers: TextPeers(withSharedBounds: peers), minimumSize: 4)
      return try #require(library.layout(run)).size
    }
    let own = try size([long])
    #expect(try own < 15 && size(["Tea", "Milk"]) == 30)
    #expect(try size(["Tea", "", long, "Milk"]) == 30)
    #expect(try size((0..<5000).map { $0 % 5 == 0 ? long : "Row \($0)" }) == own)
    let plain = try size((0..<5000).map { "Row \($0)" })
    #expect(try plain > own && size((0..<5000).map { $0 == 2500 ? long : "Row \($0)" }) == plain)
    #expect(try size(["Tea", long], in: Size(500, 40)) == 30, "the room is that of the text")
  }

  @Test
  func `a label too long for the minimum size is truncated, and its peers have that size`() throws {
    let library = try fontLibrary(dejaVu)
    func block(_ text: String) throws -> TextBlock {
      let long = String(repeating: "w", count: 300)
      let run = TextRun(
        text.isEmpty ? long : text, font: dejaVu, size: 30, at: anchor, box: Size(140, 40),
        peers: TextPeers([long, "Tea"].map { TextPeers.Text($0, bounds: .box(Size(140, 40))) }),
        minimumSize: 12)
      return try #require(library.layout(run))
    }
    #expect(try block("Tea").size == 12 && !block("Tea").isCut)
    #expect(try block("").size == 12 && block("").isCut)
  }

  @Test(arguments: [0.0, 0.3, 1])
  func `lines fade only at the edges with more text beyond`(_ scrolled: Double) throws {
    let library = try fontLibrary(dejaVu)
    func mask(_ lines: Int) -> GlyphMask {
      let run = TextRun(
        Array(repeating: "HHHH", count: lines).joined(separator: "\n"), font: dejaVu, size: 20,
        at: Point(100, 150), bounds: .column(Size(180, 200), scrolled: scrolled), lines: .max)
      return library.mask(
        for: run, viewport: Viewport(scale: 1, offset: .zero),
        clip: PixelRect(x0: 0, y0: 0, x1: 200, y1: 400))
    }
    func most(_ mask: GlyphMask, _ rows: Range<Int>) -> UInt8 {
      var most: UInt8 = 0
      for y in rows where (mask.bounds.y0..<mask.bounds.y1).contains(y) {
        let start = (y - mask.bounds.y0) * mask.bounds.width
        most = max(most, mask.coverage[start..<start + mask.bounds.width].max() ?? 0)
      }
      return most
    }
    let high = mask(30)
    #expect(most(high, 0..<50) == 0 && most(high, 250..<400) == 0)
    #expect((most(high, 50..<56) < 100) == (scrolled > 0))
    #expect((most(high, 244..<250) < 100) == (scrolled < 1))
    #expect(most(high, 130..<170) == 255)
    let low = mask(3)
    #expect(low == mask(3) && most(low, 50..<250) == 255)
    #expect(low.bounds.y0 > 100 && low.bounds.y1 < 200, "it stands in the middle")
  }

  @Test(arguments: [
    TextBounds.box(Size(.nan, 40)), .box(Size(-5, 40)), .box(Size(.infinity, .infinity)),
    .sector(Sector(center: Point(.nan, 0), radius: 50)),
    .sector(Sector(center: .zero, innerRadius: 60, outerRadius: 50)),
    .column(Size(.nan, 40), scrolled: 0), .column(Size(10, -5), scrolled: .nan),
    .column(Size(.infinity, .infinity), scrolled: .infinity),
    .arc(Sector(center: .zero, radius: 50)), .arc(Sector(center: Point(0, .infinity), radius: 50)),
    .arc(
      Sector(
        center: Point(0, 40), innerRadius: 10, outerRadius: 90, start: .zero, end: .zero, inset: 90)
    ),
  ])
  func `bounds without space truncate the text safely`(_ bounds: TextBounds) throws {
    let library = try fontLibrary(dejaVu)
    let run = TextRun(
      "Morning has broken", font: dejaVu, size: 20, at: anchor, bounds: bounds,
      peers: TextPeers([TextPeers.Text("Tea", bounds: bounds)]), lines: 5)
    let mask = library.mask(for: run, viewport: .unscaled, clip: .screen)
    #expect(PixelRect.screen.contains(mask.bounds))
  }
}
