// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing

@testable import KioskFile

private func kiosk(_ controls: String, grid: String = "") -> String {
  "kiosk: k\nscreen: {size: [800, 480]}\npages: [{page: home, \(grid)controls: [\n\(controls)\n]}]"
}

private func frames(_ text: String) throws -> [Rect?] {
  let reading = read(text)
  #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
  return try #require(reading.description).pages[0].controls.map(\.control.extent)
}

@Suite struct GridTests {
  @Test func `a cell determines centre and size, or the radius of round controls`() throws {
    let text = kiosk(
      """
      {button: b, cell: [0, 0]}, {ring: r, cell: [1, 0]}, {image: i, file: wall.png, cell: [0, 1, 2, 1]},
      {for: [x], as: id, toggle: $id, cell: ["{$index + 2}", "{screen.height / 480}"]}
      """, grid: "grid: {columns: 3, rows: 2, gap: 20, margin: 20}, ")
    #expect(
      try frames(text) == [
        Rect(x0: 20, y0: 20, x1: 260, y1: 230),
        Rect(center: Point(400, 125), size: Size(210, 210)),
        Rect(x0: 20, y0: 250, x1: 520, y1: 460),
        Rect(x0: 540, y0: 250, x1: 780, y1: 460),
      ])
  }

  private func centers(_ cells: String, grid: String, on canvas: PixelSize) throws -> [Point] {
    let text = "kiosk: k\nscreen: {size: auto}\npages: [{page: home, grid: \(grid), controls: [\n"
    let buttons = cells.split(separator: "|").enumerated().map { "{button: b\($0), cell: \($1)}" }
    let reading = ParsedKiosk(
      Array((text + buttons.joined(separator: ", ") + "\n]}]").utf8), path: "k.yaml",
      assets: StubAssets(), canvas: canvas)
    #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    return try #require(reading.description).pages[0].controls.compactMap {
      $0.control.extent?.center
    }
  }

  @Test func `an automatic size has the panel's shape, with 800 pixels on the shorter side`() throws
  {
    let text =
      "kiosk: k\nscreen: {size: auto}\npages: [{page: a, controls: [{label: l, text: t, at: [9, 9]}]}]"
    for (canvas, size) in [
      (PixelSize(1920, 1080), Size(1422, 800)), (PixelSize(480, 800), Size(800, 1333)),
      (PixelSize(720, 720), Size(800, 800)), (PixelSize(10, 7680), Size(800, 3200)),
    ] {
      let screen = try #require(
        ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: StubAssets(), canvas: canvas)
          .description
      ).screen
      #expect(screen.size == size)
      #expect(screen.size(on: canvas) == size)
      #expect(screen.size(on: PixelSize(1280, 800)) == Size(1280, 800))
    }
    #expect(read(text).description?.screen.size == Size(1280, 800))
  }

  @Test func `on an upright panel, the cells of an automatic layout keep their order`() throws {
    let cells = "[0, 0]|[1, 0]|[2, 0]|[0, 1]|[1, 1]|[2, 1]"
    let places = try centers(cells, grid: "{columns: 3, rows: 2}", on: PixelSize(800, 1200))
    #expect(
      places == [
        Point(200, 200), Point(600, 200), Point(200, 600), Point(600, 600), Point(200, 1000),
        Point(600, 1000),
      ])
    let wide = try centers(cells, grid: "{columns: 3, rows: 2}", on: PixelSize(1200, 800))
    #expect(wide.map(\.x) == [200, 600, 1000, 200, 600, 1000])
  }

  @Test func `cells that span others become transposed on an upright panel`() throws {
    let places = try centers(
      "[0, 0, 1, 2]|[1, 0]|[1, 1]", grid: "{columns: 2, rows: 2}", on: PixelSize(800, 1200))
    #expect(places == [Point(200, 600), Point(600, 300), Point(600, 900)])
    let turned = try centers(
      "[0, 0, 2, 2]|[2, 0]|[2, 1]", grid: "{columns: 3, rows: 2}", on: PixelSize(800, 1200))
    #expect(turned == [Point(400, 400), Point(200, 1000), Point(600, 1000)])
  }

  @Test func `without a grid there is one cell, the whole screen`() throws {
    #expect(
      try frames(kiosk("{button: b, cell: [0, 0]}")) == [Rect(size: Size(800, 480))])
  }

  @Test func `a label in a cell is wrapped to it`() throws {
    let reading = read(kiosk("{label: l, text: t, cell: [1, 0]}", grid: "grid: {columns: 2}, "))
    let label = try #require(reading.description?.pages[0].controls[0].control as? Label)
    #expect(label.center == Point(600, 240) && label.size == Size(400, 480))
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `cells tile the screen inside its margin without overlap`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let grid = PageGrid(
      columns: .random(in: 1...12, using: &random), rows: .random(in: 1...12, using: &random),
      gap: Double(Int.random(in: 0...20, using: &random)),
      margin: Double(Int.random(in: 0...40, using: &random)))
    for _ in 0..<20 {
      let screen = Size(
        .random(in: 400...4000, using: &random), .random(in: 400...4000, using: &random))
      let cells = (0..<grid.columns).flatMap { column in
        (0..<grid.rows).map { PageGrid.Cell(column: column, row: $0) }
      }
      let frames = cells.map { grid.frame(of: $0, on: screen) }
      let all = grid.frame(
        of: .init(column: 0, row: 0, columns: grid.columns, rows: grid.rows), on: screen)
      let inner = Rect(size: screen).inset(by: grid.margin)
      #expect(abs(all.x0 - inner.x0) < 1e-9 && abs(all.x1 - inner.x1) < 1e-9)
      #expect(abs(all.y0 - inner.y0) < 1e-9 && abs(all.y1 - inner.y1) < 1e-9)
      for (index, frame) in frames.enumerated() {
        for other in frames[..<index] {
          let common = frame.intersection(other)
          #expect(min(common.width, common.height) < 1e-9)
        }
      }
      // Including the gaps, the cells cover the whole area.
      let area = frames.reduce(0) { $0 + ($1.width + grid.gap) * ($1.height + grid.gap) }
      let whole = (all.width + grid.gap) * (all.height + grid.gap)
      #expect(abs(area - whole) < 1e-6 * whole)
    }
  }

  @Test(arguments: [
    (1, 360.0, 40.0, ""), (4, 360, 40, ""), (12, 360, 24, ""), (5, 120, 20, ""),
    (6, 360, 40, "distance: 150, "),
  ])
  func `the leaves of an open menu fit into its cell`(
    _ leaves: Int, _ arc: Double, _ leafRadius: Double, _ keys: String
  ) throws {
    let items = (0..<leaves).map { "{id: i\($0)}" }.joined(separator: ", ")
    let text = kiosk(
      "{menu: m, cell: [1, 0], arc: \(arc), leaf_radius: \(leafRadius), \(keys)items: [\(items)]}",
      grid: "grid: {columns: 2, margin: 10}, ")
    var menu = try #require(read(text).description).pages[0].controls[0].control
    var events: [ControlEvent] = []
    menu.perform("open", at: .zero, events: &events)
    let rest = Instant(seconds: 5)
    menu.advance(to: rest, events: &events)
    let cell = Rect(x0: 400, y0: 10, x1: 790, y1: 470)
    for leaf in 0..<leaves {
      let place = try #require(menu.place(of: "i\(leaf)", at: rest))
      #expect(cell.inset(by: leafRadius - 1e-6).contains(place), "\(place)")
    }
    #expect(menu.extent.map { $0.width > 2 } == true)
  }

  @Test(arguments: [
    (
      "{button: b, cell: [2, 0]}",
      "4:19: error: \"cell\" is outside its grid of 2 by 1 (expected "
        + "columns from 0 to 1, rows from 0 to 0)"
    ),
    ("{button: b, cell: [0, 0, 3, 1]}", "4:19: error: \"cell\" is outside its grid of 2 by 1"),
    ("{button: b, cell: [0, 0, 0, 1]}", "4:19: error: \"cell\" spans no columns or no rows"),
    ("{button: b, cell: [0, 0, 1]}", "4:19: error: \"cell\" has 3 items"),
    ("{button: b, cell: [-1, 0]}", "4:20: error: item 1 of \"cell\" is out of range: -1"),
    (
      "{button: b, cell: [0, 0], at: [1, 2]}",
      "4:27: error: \"at\" cannot be used with \"cell\", which determines it"
    ),
    (
      "{button: b, size: [99, 99], cell: [0, 0]}",
      "4:13: error: \"size\" cannot be used with \"cell\""
    ),
    ("{ring: b, cell: [0, 0], radius: 9}", "4:25: error: \"radius\" cannot be used with \"cell\""),
    ("{timer: t, every: 1, cell: [0, 0]}", "4:22: error: unknown key \"cell\" in timer"),
    (
      "{menu: m, cell: [0, 0], leaf_radius: 190, items: [{id: a}]}",
      "4:17: error: the open ring of 1 leaves does not fit in the cell"
    ),
  ])
  func `an error in a cell is reported at its location`(_ control: String, _ diagnostic: String)
    throws
  {
    let found = diagnostics(kiosk(control, grid: "grid: {columns: 2}, "))
      .filter { $0.contains("error") }
    #expect(found.count == 1, "\(found)")
    #expect(try #require(found.first).hasPrefix(diagnostic), "\(found)")
  }

  @Test func `a grid without space for its cells is an error`() {
    let found = diagnostics(kiosk("{button: b, cell: [0, 0]}", grid: "grid: {margin: 240}, "))
    #expect(found.first?.contains("the grid leaves no space for its cells") == true, "\(found)")
  }
}
