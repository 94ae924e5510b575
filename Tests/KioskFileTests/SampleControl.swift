// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import RoundelJSON
import Kiosk
import RoundelMotion
import TestSupport
import Testing
import RoundelDeclarations

@testable import KioskFile

/// A minimal control of a type, with two items: `one` and `two`.
struct SampleControl {
  let type: ControlType
  private var members: [JSONValue.Member]

  init(_ type: ControlType) {
    self.type = type
    let items: JSONValue = [["id": "one", "label": "A"], ["id": "two", "label": "B"]]
    let rows: JSONValue = ["a", "b", "c", "d", "e", "f"]
    let filled: JSONValue = [["id": "one", "items": rows], ["id": "two", "items": rows]]
    let values: [JSONValue.Member] = [
      .init("at", [200, 200]), .init("radius", 60), .init("size", [300, 300]), .init("max", 9),
      .init("text", "text"), .init("file", "wall.png"), .init("wedges", items),
      .init("items", items), .init("reels", filled), .init("wheels", filled), .init("every", 1),
      .init("row_height", 50),
    ]
    // A dial needs labels or numbers.
    let needed = type.table.keys.all.filter(\.isRequired).map(\.name) + ["size", "max", "radius"]
    members =
      [.init(type.name, "x")]
      + values.filter { needed.contains($0.name) && type.table.keys.names.contains($0.name) }
  }

  /// Removes a key.
  mutating func remove(_ key: String) { members = members.filter { $0.name != key } }

  /// A key of the control, or of an item, written as `one.label`.
  subscript(key: String) -> JSONValue? {
    get { nil }
    set {
      guard let newValue else { return }
      let parts = key.split(separator: ".").map(String.init)
      guard parts.count == 2 else {
        members = members.filter { $0.name != key } + [.init(key, newValue)]
        return
      }
      members = members.map { member in
        guard case .array(let items) = member.value else { return member }
        return .init(
          member.name,
          .array(
            items.map { item in
              guard item["id"]?.string == parts[0], case .object(let own) = item else {
                return item
              }
              return .object(own.filter { $0.name != parts[1] } + [.init(parts[1], newValue)])
            }))
      }
    }
  }

  /// An engine with the control on a page of 400 by 400 pixels.
  func engine(values: JSONValue = ["n": 1]) throws -> Engine {
    let file: JSONValue = [
      "kiosk": "k", "screen": ["size": [400, 400]], "values": values,
      "pages": [["page": "p", "controls": [.object(members)]]],
    ]
    let reading = read(file.text)
    #expect(
      reading.diagnostics.filter { $0.severity == .error }.map(\.message) == [], "\(file.text)")
    return Engine(try #require(reading.description), seed: 1)
  }
}

/// Random taps, strokes and cancelled touches anywhere on the page.
struct Fingers {
  private var random: SeededGenerator
  private var time = 1.0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Applies the same touch to several kiosks.
  mutating func touch(_ change: (_ phase: Touch.Phase, _ place: Point, _ time: Instant) -> Void) {
    let (start, end) = (place(), Bool.random(using: &random) ? place() : nil)
    change(.down, start, Instant(seconds: time))
    if let end { change(.move, end, Instant(seconds: time + 0.03)) }
    let phase: Touch.Phase = random.next() % 8 == 0 ? .cancel : .up
    change(phase, end ?? start, Instant(seconds: time + 0.06))
    time += [0.1, 0.5, 3].randomElement(using: &random) ?? 1
  }

  private mutating func place() -> Point {
    Point(.random(in: 0...400, using: &random), .random(in: 0...400, using: &random))
  }
}
