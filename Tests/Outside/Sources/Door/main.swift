// SPDX-License-Identifier: MIT

// Uses only RoundelKit: a custom control, pages, a display and events.

import RoundelKit

/// A bell that counts its rings.
struct Bell: Control {
  let center: Point
  private(set) var rings = 0

  init(center: Point) { self.center = center }

  func contains(_ point: Point, at now: Instant) -> Bool { point.distance(to: center) < 90 }

  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard touch.phase == .up else { return }
    rings += 1
    events.append(ControlEvent("rung", at: now, fields: [Field("rings", .integer(rings))]))
  }

  func draw(into list: inout DisplayList, in context: DrawingContext) {
    list.add(.disc(center: center, radius: 90), .palette(rings % 12, of: 12))
  }

  var properties: [String] { ["rings"] }

  func value(of property: String, at now: Instant) -> Value? {
    property == "rings" ? .integer(rings) : nil
  }
}

let door = Program("door", screen: Screen(size: Size(480, 320))) {
  Page("closed") {
    Bell(center: Point(240, 160)).named("bell")
    Label(center: Point(240, 290), text: "rung {bell.rings} times").named("count")
    Timer(every: 0.2).named("end")
  }
}

let kiosk = try RunningProgram(door, on: .headless(PixelSize(480, 320)))
kiosk.onEvent = { event in
  if event.name == "due" { kiosk.stop() }
}
for phase in [Touch.Phase.down, .up] {
  kiosk.handle(Touch(finger: 0, phase: phase, position: Point(240, 160)))
}
try kiosk.run()
let text = kiosk.engine.value(of: "text", of: "count")
guard text == .text("rung 1 times"), kiosk.shownFrames > 0 else {
  fatalError("\(String(describing: text)) after \(kiosk.shownFrames) frames")
}
print("the kit shows a kiosk of another package")
