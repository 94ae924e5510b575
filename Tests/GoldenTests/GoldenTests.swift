// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
import Foundation
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import RoundelRaster
import RoundelRuntime
import RoundelSession
import TestSupport
import Testing

@Suite struct GoldenTests {
  @Test(
    .enabled(if: isDebian12, "text looks different with another FreeType"),
    arguments: Example.allCases.filter { !$0.kept.isEmpty },
    [PixelSize(800, 480), PixelSize(1280, 800)])
  func `each example matches its goldens at rest and in motion, in any rotation`(
    _ example: Example, _ size: PixelSize
  ) throws {
    var seen: Set<String> = []
    try example.play(at: size) { shot, panels in
      guard example.kept.contains(shot) else { return }
      seen.insert(shot)
      try Golden(name: "\(example)-\(shot)-\(size.width)x\(size.height).png").check(panels)
    }
    #expect(seen == Set(example.kept))
  }

  @Test(arguments: Example.allCases)
  func `any number of threads paints identical pictures`(_ example: Example) throws {
    let size = PixelSize(320, 200)
    var pictures: [[[UInt32]]] = []
    for count in 1...4 {
      // Few pixels per thread, so that all of them take part.
      let threads = count > 1 ? ThreadPool(width: count, minimumShare: 500) : nil
      pictures.append([])
      try example.play(at: size, threads: threads) { _, panels in
        pictures[count - 1] += Rotation.allCases.compactMap { panels[$0]?.bitmap.pixels }
      }
    }
    #expect(!pictures[0].isEmpty)
    for other in pictures.dropFirst() { #expect(other == pictures[0]) }
  }
}

@Suite struct ExampleTests {
  @Test(arguments: Example.allCases)
  func `examples have no errors or warnings`(_ example: Example) throws {
    #expect(try example.reading().diagnostics.map(\.description) == [])
  }

  @Test(arguments: Example.allCases)
  func `an unused example reports no failure`(_ example: Example) throws {
    var engine = Engine(try example.description(), seed: 0)
    engine.advance(to: Instant(seconds: 3600))
    #expect(engine.takeEvents().filter { $0.name == "failed" }.map(\.fields) == [])
  }

  @Test(arguments: Example.allCases, [60.0, 7])
  func `a recording's events match the golden at any frame rate`(
    _ example: Example, _ framesPerSecond: Double
  ) throws {
    var lines = ""
    try example.replay(framesPerSecond: framesPerSecond) { outcome in
      if case .line(let line) = outcome { lines += line.text + "\n" }
    }
    try Golden(name: "\(example).jsonl").check(lines)
  }

  @Test(arguments: Example.allCases)
  func `after its recording, nothing is held, lit or moving`(_ example: Example) throws {
    var engine = try example.replay().engine
    #expect(engine.fingers.isEmpty)
    #expect(!engine.isMoving)
    // Going to sleep releases everything; here nothing is held.
    let before = engine.displayList
    _ = engine.takeEvents()
    engine.setBlank(true)
    engine.setBlank(false)
    #expect(engine.displayList == before)
    #expect(engine.takeEvents().map(\.name) == ["slept", "woken"])
    // Only going home remains.
    if example.hasClock { return }
    let home = try #require(engine.screen.homeAfter)
    let next = engine.nextChange
    engine.advance(to: engine.now + home)
    #expect(next.map { $0 <= engine.now } ?? true)
    #expect(engine.nextChange == nil)
  }

  @Test(arguments: Example.allCases.filter(\.isPartOfHome))
  func `home contains the page of each example, and a way back`(_ example: Example) throws {
    let alone = try example.description()
    let home = try Example.home.description()
    #expect(alone.screen.size == home.screen.size)
    #expect(alone.screen.background == home.screen.background)
    #expect(alone.screen.font == home.screen.font)
    let own = try #require(alone.pages.first)
    let page = try #require(home.pages.first { $0.name == own.name })
    #expect(page.controls.dropLast().map(\.id) == own.controls.map(\.id))
    for (copy, original) in zip(page.controls, own.controls) {
      #expect(copy.actions == original.actions)
      #expect(copy.itemActions == original.itemActions)
    }
    #expect(page.controls.last?.actions == ["selected": [.go("home")]])

    // The pages differ only in the way back.
    var engine = Engine(home, seed: 0)
    engine.go(to: own.name)
    let items = engine.displayList.items
    let originals = Engine(alone, seed: 0).displayList.items
    #expect(Array(items.prefix(originals.count)) == originals)
    #expect(items.count > originals.count)
  }
}
