// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import Synchronization
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

@Suite struct PainterTests {
  let size = PixelSize(60, 48)

  private func sheet(_ images: [String: Bitmap] = [:]) -> Sheet {
    Sheet(
      Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
        images: images.mapValues(ImageFile.init)))
  }

  private func pixels(_ canvas: Canvas) -> [UInt32] {
    (0..<canvas.size.height).flatMap { y in (0..<canvas.size.width).map { canvas[$0, y] } }
  }

  /// Composition by its definition, pixel by pixel: each item adds its tiles by 256ths of their
  /// coverage over the pixels below, and is rounded to integers.
  private func expected(_ list: DisplayList) -> [UInt32] {
    let clip = PixelRect(size: size)
    var cache = CoverageCache(
      viewport: Viewport(scale: 1, offset: .zero), canvas: clip, fonts: FontLibrary(),
      images: ImageStore([:]))
    func channels(_ c: Color) -> SIMD3<Int> { SIMD3(Int(c.red), Int(c.green), Int(c.blue)) }
    var canvas = [SIMD3<Int>](
      repeating: channels(list.background), count: size.width * size.height)
    for item in list.items {
      var sum = [SIMD4<Int>](repeating: .zero, count: canvas.count)
      for tile in item.tiles {
        guard case .color(let color) = tile.fill else { continue }
        let coverage = cache.coverage(of: tile.shape)
        for y in 0..<size.height {
          coverage.forEachPixel(in: y) { x, _, covered in
            if let clip = item.clip, !clip.contains(Point(Double(x) + 0.5, Double(y) + 0.5)) {
              return
            }
            let weight = (covered * Int(color.alpha) + 127) / 255
            sum[y * size.width + x] &+= SIMD4(channels(color), 1) &* weight
          }
        }
      }
      for index in canvas.indices {
        let given = SIMD3(sum[index].x, sum[index].y, sum[index].z)
        canvas[index] = (given &+ canvas[index] &* (256 - sum[index].w) &+ 128) &>> 8
      }
    }
    return canvas.map {
      0xff00_0000 | UInt32($0.x) << 16 | UInt32($0.y) << 8 | UInt32($0.z)
    }
  }

  private func randomColor(_ random: inout SeededGenerator, opaque: Bool) -> Color {
    Color(
      red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
      blue: .random(in: 0...255, using: &random),
      alpha: opaque ? 255 : .random(in: 0...255, using: &random))
  }

  private func randomItem(_ random: inout SeededGenerator) -> DisplayItem {
    let center = Point(.random(in: -5...65, using: &random), .random(in: -5...55, using: &random))
    let opaque = Bool.random(using: &random)
    var item: DisplayItem
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let count = Int.random(in: 1...7, using: &random)
      item = DisplayItem(
        (0..<count).map { index in
          Tile(
            .sector(
              Sector(
                center: center, innerRadius: 4, outerRadius: 21.3,
                start: .degrees(360 * Double(index) / Double(count)),
                end: .degrees(360 * Double(index + 1) / Double(count)))),
            randomColor(&random, opaque: opaque))
        })
    case 1:
      item = DisplayItem(
        .disc(center: center, radius: .random(in: 1...20, using: &random)),
        randomColor(&random, opaque: opaque))
    case 2:
      item = DisplayItem(
        .polygon([center, center + Vector(17.3, 3), center + Vector(4, 15.5)]),
        randomColor(&random, opaque: opaque))
    default:
      item = DisplayItem(
        .roundedRect(
          RoundedRect(
            Rect(
              center: center,
              size: Size(
                .random(in: 1...50, using: &random), .random(in: 1...40, using: &random))),
            radius: .random(in: 0...9, using: &random))), randomColor(&random, opaque: opaque))
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      item.clip = Rect(center: Point(30, 24), size: Size(24, 20))
    }
    return item
  }

  @Test func `random scenes match the definition of composition`() {
    var random = SeededGenerator(seed: 1)
    for round in 0..<150 {
      let list = DisplayList(
        background: randomColor(&random, opaque: true),
        items: (0..<Int.random(in: 0...6, using: &random)).map { _ in randomItem(&random) })
      let sheet = sheet()
      sheet.show(list)
      #expect(pixels(sheet.canvas) == expected(list), "round \(round)")
    }
  }

  @Test func `painting by damage equals painting everything`() {
    var random = SeededGenerator(seed: 2)
    let incremental = sheet()
    var list = DisplayList(background: Color(hex: 0x203040))
    for round in 0..<300 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where !list.items.isEmpty:
        list.items.remove(at: .random(in: list.items.indices, using: &random))
      case 1 where !list.items.isEmpty:
        let index = Int.random(in: list.items.indices, using: &random)
        let tile = Int.random(in: list.items[index].tiles.indices, using: &random)
        list.items[index].tiles[tile].fill = .color(randomColor(&random, opaque: false))
      case 2 where !list.items.isEmpty:
        list.items[.random(in: list.items.indices, using: &random)] = randomItem(&random)
      case 3 where list.items.count > 1:
        list.items.swapAt(0, list.items.count - 1)
      case 4:
        list.background = randomColor(&random, opaque: true)
      default:
        list.items.insert(
          randomItem(&random), at: .random(in: 0...list.items.count, using: &random))
      }
      if list.items.count > 9 { list.items.removeFirst() }
      incremental.show(list)
      let whole = sheet()
      whole.show(list)
      #expect(pixels(incremental.canvas) == pixels(whole.canvas), "round \(round)")
    }
  }

  @Test(arguments: [
    (PixelSize(800, 480), 0x403b_d92f_e13c_9115), (PixelSize(1280, 800), 0x14f9_d124_4839_d89b),
  ])
  func `twelve wedges have the same bytes as with the first painter`(
    _ size: PixelSize, _ known: Int
  ) {
    let colors: [UInt32] = [
      0xe53935, 0xfb8c00, 0xfdd835, 0x7cb342, 0x43a047, 0x00897b, 0x00acc1, 0x1e88e5, 0x3949ab,
      0x5e35b1, 0x8e24aa, 0xd81b60,
    ]
    let wedges = colors.enumerated().map { index, color in
      Tile(
        .sector(
          Sector(
            center: Point(640, 400), innerRadius: 90, outerRadius: 380,
            start: .degrees(30 * Double(index) + 0.75),
            end: .degrees(30 * Double(index) + 29.25))),
        Color(hex: color))
    }
    let scale = Double(size.height) / 800
    let sheet = Sheet(
      Painter(
        size: size,
        viewport: Viewport(
          scale: scale,
          offset: Vector(
            Double(size.width) / 2 - 640 * scale, Double(size.height) / 2 - 400 * scale)),
        fonts: FontLibrary()))
    sheet.show(DisplayList(background: Color(hex: 0x101418), items: [DisplayItem(wedges)]))
    let hash = pixels(sheet.canvas).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    #expect(hash == UInt64(known))
  }

  @Test func `a wedge that lights up damages only its own bounds`() {
    let sector = { (index: Int) in
      Sector(
        center: Point(30, 24), innerRadius: 4, outerRadius: 22,
        start: .degrees(Double(index) * 90), end: .degrees(Double(index + 1) * 90))
    }
    var list = DisplayList(items: [
      DisplayItem((0..<4).map { Tile(.sector(sector($0)), Color(hex: 0x804020)) })
    ])
    let sheet = sheet()
    #expect(sheet.show(list).rects == [PixelRect(size: size)])
    #expect(sheet.show(list).isEmpty)
    list.items[0].tiles[0].fill = .color(.white)
    let damage = sheet.show(list)
    #expect(damage.bounds == PixelRect(covering: sector(0).bounds))
  }

  @Test func `a diagonal wedge damages little more than its pixels`() {
    let size = PixelSize(500, 500)
    let wedge = Sector(
      center: Point(10, 10), innerRadius: 90, outerRadius: 480, start: .degrees(121),
      end: .degrees(149))
    let sheet = Sheet(
      Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary()))
    sheet.show(DisplayList(items: [DisplayItem(.sector(wedge), .white)]))
    let damage = sheet.show(
      DisplayList(items: [DisplayItem(.sector(wedge), Color(hex: 0xffb300))]))
    let own = pixels(sheet.canvas).count { $0 != 0xff00_0000 }
    #expect(own > 30_000)
    #expect(damage.area < own * 3 / 2)
    #expect(PixelRect(covering: wedge.bounds).area > own * 2)
    for y in 0..<size.height {
      for x in 0..<size.width where sheet.canvas[x, y] != 0xff00_0000 {
        let pixel = PixelRect(x0: x, y0: y, x1: x + 1, y1: y + 1)
        #expect(damage.rects.contains { $0.contains(pixel) }, "\(x), \(y)")
      }
    }
  }

  @Test func `a ring that lights up doesn't repaint its centre`() {
    let size = PixelSize(300, 300)
    func list(_ color: Color) -> DisplayList {
      let ring = Sector(
        center: Point(150, 150), innerRadius: 120, outerRadius: 140, start: .degrees(-135),
        end: .degrees(135))
      return DisplayList(items: [DisplayItem(.sector(ring), color)])
    }
    let sheet = Sheet(
      Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary()))
    sheet.show(list(.white))
    let own = pixels(sheet.canvas).count { $0 != 0xff00_0000 }
    let damage = sheet.show(list(Color(hex: 0xffb300)))
    let middle = PixelRect(x0: 80, y0: 80, x1: 220, y1: 220)
    #expect(damage.rects.allSatisfy { !$0.overlaps(middle) })
    #expect(damage.area < own * 9 / 4, "\(damage.area) of \(own)")
    let kept = pixels(sheet.canvas)
    sheet.repaint()
    #expect(pixels(sheet.canvas) == kept)
  }

  @Test func `a new plate and two removed lines repaint no other rows`() {
    let size = PixelSize(200, 400)
    func list(held: Int?) -> DisplayList {
      var list = DisplayList()
      for row in 0..<10 {
        let top = Double(row) * 40
        if row == held {
          list.add(.rect(Rect(x0: 2, y0: top + 2, x1: 198, y1: top + 38)), Color(hex: 0x404040))
        }
        if row != held, row - 1 != held {
          list.add(.rect(Rect(x0: 10, y0: top, x1: 190, y1: top + 1)), Color(hex: 0x808080))
        }
        list.add(.rect(Rect(x0: 10, y0: top + 12, x1: 60, y1: top + 28)), .white)
        list.add(.disc(center: Point(180, top + 20), radius: 8), .white)
      }
      if held != nil {
        list.add(.rect(Rect(x0: 198, y0: 0, x1: 200, y1: 100)), .white)
      }
      return list
    }
    let sheet = Sheet(
      Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary()))
    sheet.show(list(held: nil))
    for (before, held) in [(nil, 3), (3, 6), (6, nil)] as [(Int?, Int?)] {
      let damage = sheet.show(list(held: held))
      let rows = [before, held].compactMap(\.self)
      for row in 0..<10 where !rows.contains(row) {
        let text = PixelRect(x0: 10, y0: row * 40 + 12, x1: 60, y1: row * 40 + 28)
        #expect(damage.rects.allSatisfy { !$0.overlaps(text) }, "row \(row) of \(held as Any)")
      }
      let kept = pixels(sheet.canvas)
      sheet.repaint()
      #expect(pixels(sheet.canvas) == kept)
    }
  }

  @Test func `many rotating tiles damage their own pixels while another item comes or goes`() {
    let size = PixelSize(400, 400)
    func list(_ turn: Double, hasMark: Bool) -> DisplayList {
      var list = DisplayList()
      list.addInOnePass { list in
        for index in 0..<24 {
          let place = Point(200, 200) + Angle.degrees(Double(index) * 15 + turn).unit * 180
          list.add(.rect(Rect(center: place, size: Size(6, 6))), .white)
        }
      }
      if hasMark { list.add(.rect(Rect(x0: 0, y0: 0, x1: 8, y1: 8)), .white) }
      return list
    }
    let sheet = Sheet(
      Painter(
        size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary()))
    sheet.show(list(0, hasMark: false))
    for (step, hasMark) in [true, false, true].enumerated() {
      let damage = sheet.show(list(Double(step + 1) * 2, hasMark: hasMark))
      #expect(damage.area < 400 * 400 / 4, "\(damage.area)")
      let kept = pixels(sheet.canvas)
      sheet.repaint()
      #expect(pixels(sheet.canvas) == kept)
    }
  }

  @Test func `alternating shapes are traced only once, and moving ones are dropped`() {
    var cache = CoverageCache(
      viewport: Viewport(scale: 1, offset: .zero), canvas: PixelRect(size: size),
      fonts: FontLibrary(), images: ImageStore([:]))
    let (rest, held) = (
      Shape.disc(center: Point(30, 24), radius: 20), Shape.disc(center: Point(30, 24), radius: 19)
    )
    var covering = Covering(cache.coverage(of: rest))
    for shape in [held, rest, held] { cache.change(&covering, to: shape) }
    #expect(covering.coverage === cache.coverage(of: held))
    let moved = Shape.disc(center: Point(31, 24), radius: 19)
    cache.change(&covering, to: moved)
    #expect(covering.coverage !== cache.coverage(of: moved))
  }

  @Test func `nothing outside the damage is written`() {
    var random = SeededGenerator(seed: 3)
    let sheet = sheet()
    var list = DisplayList(items: (0..<5).map { _ in randomItem(&random) })
    sheet.show(list)
    for round in 0..<200 {
      list.items[.random(in: list.items.indices, using: &random)] = randomItem(&random)
      // The mark shows whether a pixel was overwritten.
      let mark: UInt32 = 0xff12_3456
      unsafe sheet.canvas.withPixels { unsafe $0.update(repeating: mark) }
      let damage = sheet.show(list)
      let marked = pixels(sheet.canvas).count { $0 == mark }
      #expect(marked == size.width * size.height - damage.area, "round \(round)")
      sheet.repaint()
    }
  }

  @Test func `neighbours with a common edge show no background`() {
    let color = Color(hex: 0xc08040)
    let list = DisplayList(
      background: .black,
      items: [
        DisplayItem(
          (0..<7).map {
            Tile(
              .sector(
                Sector(
                  center: Point(30.3, 24.1), innerRadius: 0, outerRadius: 22,
                  start: .degrees(Double($0) * 360 / 7), end: .degrees(Double($0 + 1) * 360 / 7))),
              color)
          })
      ])
    let sheet = sheet()
    sheet.show(list)
    for y in 0..<size.height {
      for x in 0..<size.width
      where Point(Double(x) + 0.5, Double(y) + 0.5).distance(to: Point(30.3, 24.1)) < 20 {
        #expect(sheet.canvas[x, y] == 0xffc0_8040, "\(x), \(y)")
      }
    }
  }

  @Test func `an image at its own size is copied, and a missing image shows nothing`() {
    let image = Bitmap(size: PixelSize(2, 2), pixels: [0xffff_0000, 0x8000_8000, 0, 0xff00_00ff])
    let sheet = sheet(["a.png": image])
    let frame = Rect(x0: 3, y0: 5, x1: 5, y1: 7)
    sheet.show(
      DisplayList(
        background: .white,
        items: [
          DisplayItem(.rect(frame), .image("a.png", frame: frame)),
          DisplayItem(.rect(Rect(size: Size(60, 48))), .image("b.png", frame: frame)),
        ]))
    #expect(sheet.canvas[3, 5] == 0xffff_0000)
    #expect(sheet.canvas[4, 5] == 0xff7f_ff7f)
    #expect(sheet.canvas[3, 6] == 0xffff_ffff)
    #expect(sheet.canvas[4, 6] == 0xff00_00ff)
    #expect(sheet.canvas[5, 5] == 0xffff_ffff)
  }

  @Test func `an image rotated by a quarter turn shows its left column on top`() {
    let image = Bitmap(
      size: PixelSize(2, 2), pixels: [0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0xffff_ff00])
    let sheet = sheet(["a.png": image])
    let frame = Rect(x0: 10, y0: 10, x1: 30, y1: 30)
    sheet.show(
      DisplayList(items: [
        DisplayItem(.rect(frame), .image("a.png", frame: frame, turn: .degrees(90)))
      ]))
    #expect(sheet.canvas[12, 12] == 0xff00_00ff)
    #expect(sheet.canvas[27, 12] == 0xffff_0000)
    #expect(sheet.canvas[27, 27] == 0xff00_ff00)
  }

  @Test func `rows that show only an opaque image aren't copied`() throws {
    let size = PixelSize(40, 30)
    let photo = (0..<UInt32(size.width * size.height)).map { 0xff00_0000 | $0 &* 7919 }
    let painter = Painter(
      size: size, viewport: Viewport(scale: 1, offset: Vector(0, 0)), fonts: FontLibrary(),
      images: ["photo": ImageFile(Bitmap(size: size, pixels: photo))])
    let frame = Rect(size: Size(40, 30))
    var list = DisplayList()
    list.add(DisplayItem(.rect(frame), .image("photo", frame: frame)))
    list.add(.disc(center: Point(20, 10), radius: 5), .white)
    painter.show(list)
    let places = Mutex<[Int: UInt]>([:])
    let whole = pixels(painter.canvas())
    unsafe painter.compose(Damage(PixelRect(size: size))) { band in
      unsafe #expect(band.rect.height == 1 && band.pixels.count == size.width)
      let y = unsafe band.rect.y0
      unsafe #expect(Array(band.pixels) == Array(whole[y * size.width..<(y + 1) * size.width]))
      let place = unsafe UInt(bitPattern: band.pixels.baseAddress)
      places.withLock { $0[y] = place }
    }
    let rows = places.withLock { $0 }
    #expect(rows.count == size.height)
    // The image's rows are contiguous. The rows with the disc, and the row composed with them, are
    // elsewhere.
    let start = try #require(rows[0])
    for (y, place) in rows {
      let isLent = place == start + UInt(4 * y * size.width)
      #expect(isLent == !(5..<16).contains(y))
    }
  }
}
