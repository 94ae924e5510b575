// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import TestSupport
import Testing

/// Repeated changes of lists; each reads only the new rows.
@Suite struct ListChangeTests {
  private static func kiosk(_ control: String) throws -> Description {
    let text = """
      kiosk: lists
      screen: {size: [800, 800]}
      styles: {loud: {hold: 2}}
      values: {rows: []}
      pages: [{page: p, controls: [{\(control)}]}]
      """
    let parsed = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: NoFiles())
    #expect(parsed.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    return try #require(parsed.description)
  }

  private static let controls = [
    "list: c, at: [400, 400], size: [400, 400], row_height: 40, items: \"{rows}\"",
    "menu: c, at: [400, 400], items: \"{rows}\"",
    "picker: c, at: [400, 400], size: [400, 400], wheels: [{id: w, items: \"{rows}\"}]",
    "pinwheel: c, at: [400, 400], radius: 300, wedges: \"{rows}\"",
  ]

  /// A valid row of a control, sometimes with an unknown key.
  private static func row(_ control: String, _ random: inout SeededGenerator) -> Value {
    let id = Int.random(in: 0..<30, using: &random)
    let isList = control.hasPrefix("list")
    var fields = control.hasPrefix("picker") ? [] : [Field("id", .text("r\(id)"))]
    fields.append(Field("label", .text("Row \(id % 7)")))
    switch Int.random(in: 0..<30, using: &random) {
    case 0: fields.append(Field("lable", .text("unknown")))
    case 1..<5 where isList: fields.append(Field("style", .text("loud")))
    // A picker leaves a disabled row in the direction of its motion, so its position would differ.
    case 5..<9 where !control.hasPrefix("picker"): fields.append(Field("enabled", .flag(false)))
    case 9..<12 where isList: return .text("Row \(id)")
    case 12..<15 where isList: fields.append(Field("hold", .number(3)))
    default: break
    }
    return .record(fields)
  }

  /// Changes some rows in place, and inserts, removes, moves and repeats others.
  private static func edit(
    _ rows: inout [Value], _ control: String, _ random: inout SeededGenerator
  ) {
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 0...rows.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: rows.insert(row(control, &random), at: place)
      case 1 where place < rows.count: rows.remove(at: place)
      case 2: rows.shuffle(using: &random)
      case 3 where place < rows.count: rows.append(rows[place])
      case 4: rows.reverse()
      default: if place < rows.count { rows[place] = row(control, &random) }
      }
    }
  }

  @Test(arguments: controls)
  func `a list that is set repeatedly equals a list that is set once`(_ control: String) throws {
    let description = try Self.kiosk(control)
    var taken = 0
    for seed in Cases.of(60) {
      var random = SeededGenerator(seed: UInt64(seed))
      var engine = Engine(description, seed: 1)
      var rows = (0..<8).map { _ in Self.row(control, &random) }
      var shown: [Value] = []
      var time = 0.0
      for _ in 0..<12 {
        Self.edit(&rows, control, &random)
        var fresh = Engine(description, seed: 1)
        let failures = try [Self.set(rows, &engine), Self.set(rows, &fresh)]
        // The first engine ignores equal rows.
        if rows != shown { #expect(failures[0] == failures[1]) }
        shown = rows
        guard failures[1].isEmpty else { continue }
        taken += 1
        time += 10
        try Self.rest(&engine, control, at: time)
        try Self.rest(&fresh, control, at: time)
        #expect(engine.displayList == fresh.displayList)
        // A menu shows its rows only while it is open.
        for item in fresh.placedControl("c")?.control.items(at: fresh.now) ?? []
        where control.hasPrefix("menu") {
          for key in ["label", "enabled"] {
            let name = "\(item.id).\(key)"
            #expect(engine.value(of: name, of: "c") == fresh.value(of: name, of: "c"))
          }
        }
      }
    }
    #expect(taken > Cases.of(60).count)
  }

  @Test func `setting a new list discards keys that were set on its rows`() throws {
    var engine = Engine(try Self.kiosk(Self.controls[0]), seed: 1)
    let rows: [Value] = ["a", "b"].map {
      .record([Field("id", .text($0)), Field("label", .text($0))])
    }
    #expect(try Self.set(rows, &engine) == [])
    try engine.set("a.detail", of: "c", to: .text("now"))
    #expect(engine.value(of: "a.detail", of: "c") == .text("now"))
    #expect(try Self.set(rows.reversed(), &engine) == [])
    #expect(engine.value(of: "a.detail", of: "c") == .text(""))
  }

  /// Turns a picker, which keeps its row, to the first row, and lets time pass.
  private static func rest(_ engine: inout Engine, _ control: String, at time: Double) throws {
    if control.hasPrefix("picker") { try engine.set("w.index", of: "c", to: .number(0)) }
    engine.advance(to: Instant(seconds: time))
    _ = engine.takeEvents()
  }

  /// Sets the value and returns the messages of failures.
  private static func set(_ rows: [Value], _ engine: inout Engine) throws -> [String] {
    try engine.set(.value("rows"), to: .list(rows))
    return engine.takeEvents().filter { $0.name == "failed" }.compactMap { event in
      event.fields.first { $0.name == "message" }?.value.display
    }
  }
}

private struct NoFiles: AssetLoader {
  func loadImage(at path: String) {}
  func loadSound(at path: String) {}
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no such file")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}
