// SPDX-License-Identifier: MIT

// Uses only the two libraries: a custom control, a kiosk, a stage, a display and a task.

import RoundelControls
import RoundelKit

/// A bell that counts its rings.
struct Bell: FileControl {
  static let type = "bell"
  static let keys: [ControlKey] = [.number("radius", 1...500, default: 90, "The radius.")]
  static let events = ["rung"]
  static let eventFields = ["rings"]

  let center: Point
  let radius: Double
  private(set) var rings = 0

  init(at center: Point, _ values: [String: RoundelControls.Value]) {
    self.center = center
    radius = if case .number(let radius)? = values["radius"] { radius } else { 90 }
  }

  func contains(_ point: Point, at now: Instant) -> Bool { point.distance(to: center) < radius }

  func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }

  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard touch.phase == .up else { return }
    rings += 1
    events.append(ControlEvent("rung", at: now, fields: [Field("rings", .integer(rings))]))
  }

  func draw(into list: inout DisplayList, in context: DrawingContext) {
    list.add(.disc(center: center, radius: radius), .palette(rings % 12, of: 12))
  }

  var properties: [String] { ["rings"] }

  func value(of property: String, at now: Instant) -> RoundelControls.Value? {
    property == "rings" ? .integer(rings) : nil
  }
}

let door = try Kiosk(
  text: """
    kiosk: door
    screen: {size: [480, 320]}
    values: {guests: 0}
    pages:
      - page: closed
        controls:
          - {bell: bell, at: [240, 130], radius: 80, on: {rung: [{set: {guests: "{guests + 1}"}}]}}
          - {label: count, at: [240, 290], text: "rung {bell.rings} times"}
    """, controls: [Bell.self])
var rings = 0
door.on("bell", "rung") { _, _ in rings += 1 }

let stage = try door.stage(Size(width: 480, height: 320))
let before = stage.picture
stage.tap("bell")
guard stage.get("count.text") == "rung 1 times", rings == 1, stage.picture != before else {
  fatalError("\(stage.events)")
}

let handle = door.handle
Task {
  var counts = handle.values("guests").makeAsyncIterator()
  while await counts.next() != .some(2) {}
  handle.post { $0.stop() }
}
try door.run(on: .headless(Size(width: 480, height: 320))) { session in
  handle.post { session in
    do { try session.set("guests", to: 2) } catch { fatalError("\(error)") }
  }
}
print("the kit shows a kiosk of another package")
