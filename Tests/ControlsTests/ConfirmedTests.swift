// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

private let north = Point(200, 120)

private func wheel(_ blink: Blink.Pattern = Blink.Pattern()) -> Stage<Pinwheel> {
  Stage(
    Pinwheel(
      center: Point(200, 200), radius: 100, blink: blink,
      wedges: [.init(id: "n", label: "North"), .init(id: "s", label: "South")]))
}

private func button(_ blink: Blink.Pattern = .none, color: ThemeColor = .surface)
  -> Stage<Button>
{
  Stage(
    Button(
      center: Point(200, 120), size: Size(80, 80), text: "Go", color: color, blink: blink))
}

@Suite struct ConfirmedTests {
  @Test func `a selection is confirmed after its blink, with the same fields`() {
    var stage = wheel()
    stage.tap(north, at: 0.92)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["pressed n", "selected n", "confirmed n"])
    #expect(stage.times(of: "confirmed") == [1.55])
    #expect(stage.events[2].fields == stage.events[1].fields)
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `without a blink, a selection is confirmed immediately`() {
    var stage = wheel(.none)
    stage.tap(north, at: 0.92)
    #expect(stage.eventNames == ["pressed n", "selected n", "confirmed n"])
    #expect(stage.times(of: "confirmed") == [1])
  }

  @Test func `each selection of a blinking wedge is confirmed`() {
    var stage = wheel()
    stage.tap(north, at: 0.92)
    stage.tap(north, at: 1.12)
    stage.tap(north, at: 1.42)
    stage.advance(to: 5)
    #expect(stage.times(of: "confirmed") == [1.55, 1.75, 2.05])
  }

  @Test(arguments: [0.001, 0.016, 0.2, 1])
  func `the frame rate doesn't change the confirmation time`(step: Double) {
    var stage = wheel()
    stage.tap(north, at: 0.92)
    stage.advance(to: 5, step: step)
    #expect(stage.times(of: "confirmed") == [1.55])
  }

  @Test func `disabling ends presses but not the blink`() {
    var stage = wheel()
    stage.tap(north, at: 0.92)
    stage.touch(.down, Point(200, 280), at: 1.1)
    stage.letGo(at: 1.11)
    #expect(stage.control.litWedges(at: stage.now) == [0])
    stage.touch(.up, at: 1.2)
    stage.advance(to: 5)
    #expect(
      stage.eventNames == ["pressed n", "selected n", "pressed s", "cancelled s", "confirmed n"])
  }

  @Test func `leaving the page prevents the confirmation`() {
    var stage = wheel()
    stage.tap(north, at: 0.92)
    stage.reset(at: 1.1)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["pressed n", "selected n"])
  }

  @Test func `a wedge disabled during a touch isn't selected`() {
    func make(_ isEnabled: Bool) -> Pinwheel {
      Pinwheel(
        center: Point(200, 200), radius: 100,
        wedges: [.init(id: "n", isEnabled: isEnabled), .init(id: "s")])
    }
    var stage = Stage(make(true))
    stage.touch(.down, north, at: 0)
    stage.remake(as: make(false), at: 0.1)
    #expect(stage.control.heldWedges == [])
    stage.touch(.up, at: 0.2)
    #expect(stage.eventNames == ["pressed n", "cancelled n"])
  }

  @Test func `a button with a blink blinks like a wedge`() {
    for color in [ThemeColor.black, .white, .surface] {
      var stage = button(Blink.Pattern(), color: color)
      let rest = stage.picture
      stage.tap(north, at: 0.92)
      #expect(stage.picture != rest)
      stage.advance(to: 1.33)
      #expect(stage.picture == rest)
      stage.advance(to: 1.4)
      #expect(stage.picture != rest)
      #expect(stage.times(of: "confirmed") == [])
      stage.advance(to: 2)
      #expect(stage.picture == rest)
      #expect(stage.eventNames == ["pressed", "selected", "confirmed"])
      #expect(stage.times(of: "confirmed") == [1.55])
      #expect(stage.events[2].fields == [Field("label", .text("Go"))])
    }
  }

  @Test func `a button without a blink confirms immediately and never lights up`() {
    var stage = button()
    let rest = stage.picture
    stage.tap(north, at: 0.92)
    #expect(stage.picture == rest)
    #expect(stage.times(of: "confirmed") == [1])
  }

  @Test func `a reset button isn't confirmed, a released one is`() {
    var left = button(Blink.Pattern())
    left.tap(north, at: 0.92)
    left.reset(at: 1.1)
    left.advance(to: 5)
    #expect(left.eventNames == ["pressed", "selected"])
    var disabled = button(Blink.Pattern())
    disabled.tap(north, at: 0.92)
    disabled.touch(.down, north, at: 1.05)
    disabled.letGo(at: 1.1)
    disabled.advance(to: 5)
    #expect(disabled.eventNames == ["pressed", "selected", "pressed", "cancelled", "confirmed"])
  }
}
