// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

@Suite struct PinTests {
  private static let file = """
    kiosk: k
    screen: {size: [800, 480]}
    values: {tries: 0, got: ""}
    pages:
      - page: a
        controls:
          - keypad: pin
            at: [200, 240]
            size: [300, 400]
            layout: pin
            length: 4
            on:
              entered:
                - {set: {got: "{event.text}"}, when: event.text == '12'}
                - {run: [check, "{event.text}"]}
          - keypad: free
            at: [600, 240]
            size: [300, 400]
            value: "{got}"
      - page: b
        controls: [{label: l, at: [1, 2], text: b}]
    """

  @Test func `the digits of a PIN reach actions and programs, but not event fields`() throws {
    var guest = try Guest(Self.file)
    for (index, key) in ["1", "2", "enter"].enumerated() {
      try guest.tap("pin/\(key)", at: Double(index))
    }
    let events = guest.engine.takeEvents().filter { $0.control == "pin" }
    #expect(events.map(\.name) == ["typed", "typed", "entered"])
    for event in events {
      #expect(event.fields.allSatisfy { $0.name == "count" }, "\(event.fields)")
    }
    #expect(events.last?.secrets == [Field("text", .text("12"))])
    #expect(guest["got"] == .text("12"))
    #expect(guest.engine.takePrograms() == [["check", "12"]])
    #expect(guest["pin.value"] == .text(""))
  }

  @Test func `leaving the page clears a PIN but not other text`() throws {
    var guest = try Guest(Self.file)
    try guest.tap("pin/1", at: 0)
    try guest.tap("free/7", at: 1)
    #expect(guest["pin.value"] == .text("•"))
    #expect(guest["got"] == .text("7"))
    guest.engine.go(to: "b")
    #expect(guest["pin.value"] == .text(""))
    #expect(guest["free.value"] == .text("7"))
  }

  @Test func `only touches on a PIN keypad are secret`() throws {
    var guest = try Guest(Self.file)
    for (finger, place, control) in [
      (1, Point(200, 240), "pin"), (2, Point(600, 240), "free"), (3, Point(400, 470), nil),
    ] {
      for phase in [Touch.Phase.down, .move, .up] {
        let receiver = guest.engine.handle(
          Touch(finger: finger, phase: phase, position: place), at: .zero)
        #expect(receiver.control == control && receiver.isSecret == (control == "pin"))
      }
    }
  }
}
