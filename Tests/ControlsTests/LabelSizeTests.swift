// SPDX-License-Identifier: MIT

import Controls
import Drawing
import Geometry
import Motion
import TestSupport
import Testing

@Suite struct LabelSizeTests {
  private static let labels = ["Tea", "A rather long black coffee", "Milk"]

  private static let controls: [any Control] = [
    Dial(center: Point(500, 300), radius: 250, labels: labels),
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
  func `the labels of one wheel have one size, those of another their own`(_ index: Int) {
    var sizings: [String: Set<TextSizing>] = [:]
    for tile in tiles(of: Self.controls[index]) {
      guard case .text(let run) = tile.shape else { continue }
      sizings[Self.labels.contains(run.text) ? "words" : "numbers", default: []].insert(run.sizing)
      #expect(run.peers.texts.contains { $0.text == run.text })
    }
    #expect(sizings["words"]?.count == 1)
    #expect(sizings["words"] != sizings["numbers"])
  }

  @Test func `a label with a size may shrink to half before it is cut`() throws {
    let label = Label(center: Point(500, 300), text: "Tea", fontSize: 30, size: Size(200, 60))
    let tile = try #require(tiles(of: label).first)
    guard case .text(let run) = tile.shape else { return }
    #expect(run.size == 30 && run.minimumSize == 15)
  }

  /// White has a contrast of 3.4 : 1 on it, black one of 6.1.
  private static let green = Color(hex: 0x519d55)

  @Test func `a row's colour is that for the size at which its wheel's labels are shown`() throws {
    let picker = Picker(
      center: Point(500, 300), size: Size(300, 300), color: .fixed(Self.green),
      columns: [Picker.Column(id: "a", items: [Picker.Item(label: "Tea")], wraps: false)])
    let row = try #require(
      tiles(of: picker).first { if case .text = $0.shape { true } else { false } })
    guard case .text(let run) = row.shape else { return }
    let ink = TextInk(on: Self.green)
    #expect(ink.large != ink.small)
    #expect(row.fill == .ink(ink, of: run.sizing))
  }

  /// What it draws, the rows of strips included.
  private func tiles(of control: any Control) -> [Tile] {
    var list = DisplayList()
    control.draw(into: &list, in: DrawingContext(now: .zero, font: "sans-serif"))
    return list.items.flatMap(\.tiles).flatMap { tile in
      if case .strip(let strip) = tile.fill { strip.rows.compactMap(\.content) } else { [tile] }
    }
  }
}
