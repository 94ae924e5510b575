// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import Foundation
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing

@testable import KioskFile

/// The lamp that CONTRIBUTING.md builds. Its files are in the folder Lamp and are compiled with
/// these tests.
@Suite struct WorkedExampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// A file of the lamp as CONTRIBUTING.md shows it, without imports of its own target.
  private static func shown(_ file: String) throws -> String {
    try text("Tests/KioskFileTests/Lamp/\(file)")
      .replacing("package import RoundelControls\n", with: "")
  }

  @Test(arguments: ["Lamp.swift", "Lamp+Keys.swift"])
  func `CONTRIBUTING.md shows the files of the lamp`(_ file: String) throws {
    let manual = try Self.text("CONTRIBUTING.md")
    let block = "```swift\n\(try Self.shown(file))```"
    #expect(manual.contains(block), "CONTRIBUTING.md does not show \(file) as it is built here")
  }

  /// An engine with a lamp.
  private static func engine(_ keys: String, values: String = "{n: 1}") throws -> Engine {
    try ControlType.$all.withValue(ControlType.all + [ControlType(Lamp.self)]) {
      let reading = read(
        """
        kiosk: k
        screen: {size: [400, 400]}
        values: \(values)
        pages:
          - page: p
            controls:
              - {lamp: x, at: [200, 200], radius: 60, \(keys), on: {changed: [{set: {seen: "{event.state}"}}]}}
        """)
      #expect(reading.diagnostics.map(\.message) == [])
      return Engine(try #require(reading.description), seed: 1)
    }
  }

  @Test func `the lamp is read, touched, set, bound and observed as declared`() throws {
    var engine = try Self.engine(
      "color: \"{warm ? 'red' : 'blue'}\"", values: "{warm: true, seen: \"\"}")
    #expect(engine.value(of: "state", of: "x") == .text("dark"))
    engine.handle(
      Touch(finger: 0, phase: .down, position: Point(210, 190)), at: Instant(seconds: 1))
    #expect(engine.value(of: "state", of: "x") == .text("lit"))
    #expect(engine.value(of: .value("seen")) == .text("lit"))
    let warm = engine.displayList
    try engine.set(.value("warm"), to: .flag(false))
    #expect(engine.displayList != warm)
    #expect(throws: PropertyError.unsuitable("state", expected: "dark, lit or blinking")) {
      try engine.set("state", of: "x", to: .text("broken"))
    }
  }

  @Test func `a blinking lamp is redrawn only when it changes`() throws {
    var engine = try Self.engine("period: 0.25", values: "{seen: \"\"}")
    engine.perform("flash", on: "x")
    var changes: [Instant] = []
    var picture = engine.displayList
    while let next = engine.nextChange, next < Instant(seconds: 1.1) {
      engine.advance(to: next)
      if engine.displayList != picture { changes.append(next) }
      picture = engine.displayList
    }
    #expect(changes == [0.25, 0.5, 0.75, 1].map { Instant(seconds: $0) })
  }

  @Test func `a lamp has errors, a schema and a place among the types`() throws {
    try ControlType.$all.withValue(ControlType.all + [ControlType(Lamp.self)]) {
      let found = diagnostics(
        """
        kiosk: k
        pages:
          - page: p
            controls:
              - {lamp: x, at: [200, 200], radius: 60, stat: lit}
        """)
      #expect(found.count == 1)
      #expect(found.first?.contains(": error: unknown key \"stat\" in lamp") == true, "\(found)")
      #expect(found.first?.hasSuffix("did you mean \"state\"?)") == true)
      let type = try #require(ControlType.named("lamp"))
      #expect(type.table.keys.reference.contains("How it is initially."))
    }
  }
}
