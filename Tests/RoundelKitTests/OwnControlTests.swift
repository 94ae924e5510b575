// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelKit
import RoundelMotion
import Testing

/// A disc that counts its taps.
private struct Counter: FileControl {
  static let type = "counter"
  static let summary = "A disc that counts its taps."
  static let keys: [ControlKey] = [
    .number("radius", 1...500, "The radius."), .number("first", 0...1000, default: 0, "The start."),
  ]
  static let events = ["counted"]
  static let eventFields = ["count"]

  let center: Point
  let radius: Double
  private(set) var count: Double

  init(at center: Point, _ values: [String: RoundelExpressions.Value]) {
    func number(_ key: String) -> Double {
      if case .number(let number)? = values[key] { number } else { 0 }
    }
    self.center = center
    radius = number("radius")
    count = number("first")
  }

  func contains(_ point: Point, at now: Instant) -> Bool { point.distance(to: center) < radius }

  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard touch.phase == .up else { return }
    count += 1
    events.append(ControlEvent("counted", at: now, fields: [Field("count", .number(count))]))
  }

  func draw(into list: inout DisplayList, in context: DrawingContext) {
    list.add(.disc(center: center, radius: radius), .palette(Int(count) % 12, of: 12))
  }

  func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }

  var properties: [String] { ["count"] }

  func value(of property: String, at now: Instant) -> RoundelExpressions.Value? {
    property == "count" ? .number(count) : nil
  }
}

@Suite struct OwnControlTests {
  private static func file(_ keys: String, on: String = "") -> String {
    """
    kiosk: desk
    values: {total: 0}
    pages:
      - page: one
        controls:
          - {counter: guests, at: [300, 300], \(keys)\(on)}
          - {label: text, at: [640, 400], text: "{guests.count} of {total}"}
    """
  }

  @Test func `a kiosk file uses a program's control type`() throws {
    let kiosk = try Kiosk(
      text: Self.file(
        "radius: 80, first: 5", on: ", on: {counted: [{set: {total: \"{event.count}\"}}]}"),
      controls: [Counter.self])
    var counts: [Double] = []
    kiosk.on("guests", "counted") { event, _ in counts.append(event["count"]?.number ?? 0) }
    let stage = try kiosk.stage()
    stage.tap("guests")
    stage.tap(Point(310, 290))
    #expect(counts == [6, 7])
    #expect(stage.get("text.text") == "7 of 7")
  }

  @Test(arguments: [
    ("first: 1", "missing key \"radius\""), ("radius: 0", "out of range"),
    ("radius: 9, raduis: 3", "unknown key \"raduis\""), ("radius: \"{total}\"", "radius"),
  ])
  func `an error in an own control's keys is found`(_ keys: String, _ message: String) {
    let error = #expect(throws: KioskError.self) {
      try Kiosk(text: Self.file(keys), controls: [Counter.self])
    }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test func `the state of an own control follows a template, and is set`() throws {
    let kiosk = try Kiosk(
      text: Self.file("radius: 80, enabled: \"{total == 0}\""), controls: [Counter.self])
    let stage = try kiosk.stage()
    stage.tap("guests")
    stage.set("total", to: 5)
    stage.tap("guests")
    #expect(stage.get("guests.count") == 1)
    stage.set("total", to: 0)
    stage.tap("guests")
    #expect(stage.get("guests.count") == 2)
    stage.set("guests.visible", to: false)
    stage.tap(Point(300, 300))
    #expect(stage.get("guests.count") == 2)
  }

  @Test func `a file without the program's types refuses them`() {
    #expect(throws: KioskError.self) { try Kiosk(text: Self.file("radius: 9")) }
  }

  @Test func `a control type with a taken name is refused`() {
    let error = #expect(throws: KioskError.self) {
      try Kiosk(text: Self.file("radius: 9"), controls: [Counter.self, Counter.self])
    }
    #expect(error?.description.contains("the name is taken") == true)
  }

  @Test func `a kiosk in Swift places a control of the program`() throws {
    let kiosk = try Kiosk("desk") {
      Page("one") {
        for number in 0..<3 {
          Own(
            "counter\(number)",
            Counter(at: Point(100 + 200 * Double(number), 300), ["radius": .number(80)]))
        }
        RoundelKit.Label("text", at: [640, 400], text: "{counter1.count}")
      }
    }
    var seen: [String?] = []
    kiosk.on("counter1", "counted") { event, _ in seen.append(event.control) }
    let stage = try kiosk.stage()
    stage.tap("counter1")
    #expect(seen == ["counter1"])
    #expect(stage.get("text.text") == "1")
    #expect(stage.get("counter0.count") == 0)
  }
}
