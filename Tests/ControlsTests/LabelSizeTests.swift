// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

@Suite struct LabelSizeTests {
  private static let labels = ["Tea", "A rather long black coffee", "Milk"]

  private static let controls: [any Control] = [
    Picker(
      center: Point(500, 300), size: Size(300, 300),
      columns: [
        Picker.Column(id: "a", items: labels.map { Picker.Item(label: $0) }),
        Picker.Column(id: "b", items: [Picker.Item(label: "1"), Picker.Item(label: "2")]),
      ]),
    Slots(
      center: Point(500, 300), size: Size(300, 300),
      reels: [
        Slots.Reel(id: "a", items: labels, direction: .down),
        Slots.Reel(id: "b", items: ["1", "2"], direction: .up),
      ]),
  ]

  @Test(arguments: controls.indices)
  func `adjacent wheels share the font size of the longest label`(_ index: Int) {
    var texts: Set<String> = []
    var sizings: Set<TextSizing> = []
    for tile in tiles(of: Self.controls[index]) {
      guard case .text(let run) = tile.shape else { continue }
      texts.insert(run.text)
      sizings.insert(run.sizing)
    }
    #expect(texts.isSuperset(of: Self.labels) && texts.contains("1"))
    #expect(sizings.count == 1)
    #expect(sizings.first?.peers == TextPeers(withSharedBounds: Self.labels))
  }

  @Test func `all labels of a dial have one size`() {
    let dial = Dial(center: Point(500, 300), radius: 250, labels: Self.labels)
    var sizings: [String: TextSizing] = [:]
    for tile in tiles(of: dial) {
      guard case .text(let run) = tile.shape, run.anchor != Point(500, 300) else { continue }
      sizings[run.text] = run.sizing
    }
    #expect(sizings.count == 3 && Set(sizings.values).count == 1)
  }

  /// The bounds of a wheel's labels, and whether they are horizontal.
  private func places(_ labels: [String]) -> (rooms: [TextBounds], areLevel: Bool) {
    let wheel = Pinwheel(
      center: Point(500, 300), radius: 280,
      wedges: labels.map { Pinwheel.Wedge(id: $0, label: $0) })
    let runs = tiles(of: wheel).compactMap { tile -> TextRun? in
      if case .text(let run) = tile.shape { run } else { nil }
    }
    return (runs.compactMap(\.bounds), runs.allSatisfy { $0.angle == .zero })
  }

  @Test func `scripts without spaces are set horizontally on as many lines as needed`() {
    #expect(places(["常設展示", "特別展示室", "ミュージアムショップ", "喫茶室", "庭園", "講堂"]).areLevel)
    #expect(!places((0..<16).map { "Bezoekerscentrum\($0)" }).areLevel)
  }

  @Test func `a horizontal label keeps a distance from the edges of its wedge`() {
    for count in [2, 5, 9] {
      for room in places((0..<count).map { "Tea \($0)" }).rooms {
        guard case .sector(let sector, _) = room else { continue }
        #expect(sector.inset > 3)
      }
    }
    // The only edge of a single wedge is its rim.
    guard case .sector(let alone, _) = places(["Tea"]).rooms.first else { return }
    #expect(alone.inset == 0)
  }

  @Test func `a label with a font size may shrink to half before it is truncated`() throws {
    let label = Label(center: Point(500, 300), text: "Tea", fontSize: 30, size: Size(200, 60))
    let tile = try #require(tiles(of: label).first)
    guard case .text(let run) = tile.shape else { return }
    #expect(run.size == 30 && run.minimumSize == 15)
  }

  @Test func `a wheel's labels are as large as their bounds allow, in one colour`() throws {
    for radius in [60.0, 120, 360, 900] {
      let wheel = Pinwheel(
        center: Point(1000, 1000), radius: radius,
        wedges: ["Tea", "Milk", "Rum", "Gin"].map { Pinwheel.Wedge(id: $0, label: $0) })
      let runs = tiles(of: wheel).compactMap { tile -> TextRun? in
        if case .text(let run) = tile.shape { run } else { nil }
      }
      let size = try #require(Set(runs.map(\.size)).first)
      #expect(runs.count == 4 && Set(runs.map(\.size)).count == 1)
      #expect(size >= 0.11 * radius && size <= 0.2 * radius)
    }
  }

  @Test func `ambiguous rotated digits such as 6 and 9 are underlined unless upright`() {
    func underlined(_ labels: [String], isUpright: Bool = false) -> Int {
      let dial = Dial(center: Point(500, 300), radius: 200, labels: labels, isUpright: isUpright)
      var plain = 0
      for tile in tiles(of: dial) {
        if case .polygon(let corners) = tile.shape, corners.count == 4 { plain += 1 }
      }
      return plain
    }
    let lines = underlined(Dial.numbers(6))
    #expect(underlined(Dial.numbers(6)) == lines)
    #expect(underlined(["6", "1", "2", "3", "4", "9"]) == lines + 2)
    #expect(underlined(["6", "1", "2", "3", "4", "9"], isUpright: true) == lines)
    #expect(underlined(["66", "1", "2", "3", "99", "98"]) == lines + 2)
    #expect(underlined(["6", "1", "2", "3", "4", "5"]) == lines)
  }

  /// The drawn tiles, including the rows of strips.
  private func tiles(of control: any Control) -> [Tile] {
    var list = DisplayList()
    control.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
    return list.items.flatMap(\.tiles).flatMap { tile in
      if case .strip(let strip) = tile.fill { strip.rows.compactMap(\.content) } else { [tile] }
    }
  }
}
