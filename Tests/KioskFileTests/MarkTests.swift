// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

@testable import KioskFile

/// The marks that a kiosk's author asks for: of a choice, of a wait, of emptiness.
@Suite struct MarkTests {
  private func engine(_ controls: String) throws -> Engine {
    let reading = read(
      "kiosk: k\nvalues: {chosen: false}\npages: [{page: p, controls: [\n\(controls)\n]}]")
    #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    return Engine(try #require(reading.description), seed: 0)
  }

  private func texts(_ engine: Engine) -> [String] {
    engine.displayList.tiles.compactMap {
      if case .text(let run) = $0.shape { run.text } else { nil }
    }
  }

  @Test(arguments: [
    "{button: b, at: [400, 400], size: [200, 200], text: B, selected: \"{chosen}\"}",
    """
    {pinwheel: b, at: [400, 400], radius: 200, wedges: [{id: x, label: X, selected: "{chosen}"}, {id: y}]}
    """,
    """
    {menu: b, at: [400, 400], opened: true, items: [{id: x, label: X, selected: "{chosen}"}, {id: y}]}
    """,
  ])
  func `a selected part is marked while its expression is true`(_ control: String) throws {
    var engine = try engine(control)
    let plain = engine.displayList
    try engine.set(.value("chosen"), to: .flag(true))
    #expect(engine.displayList != plain)
    try engine.set(.value("chosen"), to: .flag(false))
    #expect(engine.displayList == plain)
  }

  @Test func `a list, a wheel and a reel without items show their notice`() throws {
    var engine = try engine(
      """
      {list: l, at: [300, 400], size: [300, 300], row_height: 60, items: [], empty: No rows},
      {picker: p, at: [700, 400], size: [200, 300], empty: No wheel, wheels: [{id: w, items: []}]},
      {slots: s, at: [1000, 400], size: [200, 300], empty: No reel, reels: [{id: r, items: []}]}
      """)
    #expect(texts(engine).filter { $0.hasPrefix("No ") } == ["No rows", "No wheel", "No reel"])
    #expect(engine.value(of: "w.label", of: "p") == .text(""))
    #expect(engine.value(of: "w.index", of: "p") == .number(0))
    engine.handle(Touch(finger: 0, phase: .down, position: Point(700, 400)), at: .zero)
    engine.handle(
      Touch(finger: 0, phase: .move, position: Point(700, 200)), at: Instant(seconds: 1))
    engine.handle(
      Touch(finger: 0, phase: .up, position: Point(700, 200)), at: Instant(seconds: 1.1))
    engine.handle(
      Touch(finger: 0, phase: .down, position: Point(1000, 400)), at: Instant(seconds: 2))
    engine.handle(
      Touch(finger: 0, phase: .up, position: Point(1000, 400)), at: Instant(seconds: 2.1))
    engine.advance(to: Instant(seconds: 20))
    #expect(texts(engine).filter { $0.hasPrefix("No ") }.count == 3)
  }

  @Test func `a wait for a held press fills along the edge, and ends with it`() throws {
    var engine = try engine(
      """
      {button: b, at: [400, 400], size: [200, 200], text: B, hold: 2, on: {held: [{emit: x}]}}
      """)
    func count() -> Int { engine.displayList.tiles.count }
    engine.handle(Touch(finger: 0, phase: .down, position: Point(400, 400)), at: .zero)
    let start = count()
    #expect(engine.isMoving)
    engine.advance(to: Instant(seconds: 0.5))
    let quarter = count()
    engine.advance(to: Instant(seconds: 1.9))
    #expect(start < quarter && quarter < count())
    engine.advance(to: Instant(seconds: 2))
    #expect(!engine.isMoving && count() < quarter)
  }
}
