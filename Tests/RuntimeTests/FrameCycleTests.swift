// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import Testing
import RoundelText

/// A panel whose flips end by its clock or on demand.
private final class Panel: Display {
  var now = Timestamp.zero
  var canvasSize = PixelSize(100, 100)
  var rotation = Rotation.none
  let refreshInterval = 1.0 / 60
  var state: DisplayState { .showing }
  var readyAt: Timestamp?
  /// Whether a flip is in progress that only an event ends.
  var isFlipping = false
  var isReady: Bool { !isFlipping && (readyAt ?? .zero) <= now }
  var shownFrame: Int?
  var onFlip: ((Timestamp, Int) -> Void)?
  private(set) var shown: [UInt32] = []
  private(set) var power: [Bool] = []

  func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    shown.append(picture.canvas()[50, 20])
    shownFrame = picture.frame
    readyAt = now + refreshInterval
    return nil
  }

  /// The error of `setPower`, or nil.
  var powerRefusal: DisplayError?
  var holdsPower = true

  func setPower(_ on: Bool) throws(DisplayError) {
    if let powerRefusal { throw powerRefusal }
    power.append(on)
    holdsPower = true
  }
}

private func kiosk(
  blankAfter: Double? = nil, actions: [String: [Action]] = [:]
) -> Content {
  let wheel = Pinwheel(
    center: Point(50, 50), radius: 50, hole: 5, press: .color(.white),
    wedges: [.init(id: "a", color: .hex(0x800000)), .init(id: "b")])
  return Content(
    Description(
      name: "k", screen: Screen(size: Size(100, 100), blankAfter: blankAfter),
      pages: [Page(name: "p", controls: [PlacedControl(id: "w", control: wheel, actions: actions)])]
    ),
    fonts: FontLibrary())
}

@Suite struct FrameCycleTests {
  private let panel = Panel()
  private let wedge = Point(50, 20)
  private let rest: UInt32 = 0xff80_0000
  private let held: UInt32 = 0xffff_ffff

  private func cycle(_ content: Content = kiosk()) -> FrameCycle {
    FrameCycle(content, on: panel, seed: 0) { [panel] in panel.now }
  }

  @Test func `an idle kiosk shows one frame and schedules no more calls`() {
    let cycle = cycle()
    #expect(cycle.turn() == nil)
    #expect(panel.shown == [rest])
    panel.now = Timestamp(seconds: 100)
    #expect(cycle.turn() == nil)
    #expect(panel.shown.count == 1)
  }

  @Test func `the mouse cursor is drawn at its position, with little damage`() {
    let cycle = cycle()
    _ = cycle.turn()
    let bare = cycle.picture.canvas().bitmap()
    let frame = cycle.picture.frame
    cycle.pointer = Point(30, 40)
    panel.now = Timestamp(seconds: 1)
    #expect(cycle.turn() == nil && panel.shown.count == 2)
    #expect(cycle.picture.canvas()[32, 46] == 0xffff_ffff)
    let damage = cycle.picture.damage(since: frame)
    #expect(!damage.rects.isEmpty)
    #expect(
      damage.rects.allSatisfy { $0.x0 >= 29 && $0.y0 >= 39 && $0.x1 <= 46 && $0.y1 <= 62 },
      "\(damage.rects)")
    panel.now = Timestamp(seconds: 2)
    #expect(cycle.turn() == nil && panel.shown.count == 2)
    cycle.pointer = nil
    #expect(cycle.turn() == nil && panel.shown.count == 3)
    #expect(cycle.picture.canvas().bitmap() == bare)
  }

  @Test func `a failure to start a program is an event of the same turn`() {
    let cycle = cycle(kiosk(actions: ["pressed": [.run(["missing"])]]))
    var reported: [String] = []
    cycle.onEvent = { reported.append($0.name) }
    cycle.onProgram = { program in cycle.reportFailure("cannot start \(program[0])", by: .action) }
    _ = cycle.turn()
    cycle.handle(finger: 0, .down, at: wedge, time: panel.now)
    _ = cycle.turn()
    #expect(reported == ["pressed", "failed"])
  }

  @Test func `a touch appears in the next frame`() {
    let cycle = cycle()
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 1)
    cycle.handle(finger: 0, .down, at: wedge, time: panel.now)
    _ = cycle.turn()
    #expect(panel.shown == [rest, held])
  }

  @Test func `an overlay is shown and removed, and hidden while the panel sleeps`() {
    let cycle = cycle(kiosk(blankAfter: 60))
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 1)
    cycle.overlay = [DisplayItem(.disc(center: wedge, radius: 5), .white)]
    _ = cycle.turn()
    #expect(panel.shown == [rest, held])
    #expect(!cycle.isStill)
    panel.now = Timestamp(seconds: 2)
    cycle.overlay = []
    _ = cycle.turn()
    #expect(panel.shown == [rest, held, rest])
    #expect(cycle.isStill)
    cycle.overlay = [DisplayItem(.disc(center: wedge, radius: 5), .white)]
    panel.now = Timestamp(seconds: 100)
    _ = cycle.turn()
    #expect(panel.power == [false])
    #expect(panel.shown.last != held)
  }

  @Test func `a change while the display is busy is shown as soon as it is ready`() {
    let cycle = cycle()
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 0.005)
    cycle.handle(finger: 0, .down, at: wedge, time: panel.now)
    #expect(cycle.turn() == panel.readyAt)
    #expect(panel.shown == [rest])
    panel.now = Timestamp(seconds: 0.02)
    #expect(cycle.turn() == nil)
    #expect(panel.shown == [rest, held])
  }

  @Test func `the clock doesn't poll a pending flip`() {
    let cycle = cycle()
    _ = cycle.turn()
    panel.isFlipping = true
    panel.readyAt = nil
    cycle.handle(finger: 0, .down, at: wedge, time: panel.now)
    // The next frame may be later, but not earlier.
    let frame = cycle.turn()
    #expect(frame == Timestamp.zero + panel.refreshInterval && cycle.nextFrame == frame)
    panel.now = Timestamp(seconds: 0.02)
    #expect(cycle.turn() == nil && cycle.nextFrame == nil)
    panel.isFlipping = false
    panel.onFlip?(panel.now, panel.shownFrame ?? 0)
    _ = cycle.turn()
    #expect(panel.shown == [rest, held])
  }

  @Test func `a blink takes one frame per change, a few for its fade, and none in between`() {
    let cycle = cycle()
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 1)
    cycle.handle(finger: 0, .down, at: wedge, time: panel.now)
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 1.1)
    cycle.handle(finger: 0, .up, at: wedge, time: panel.now)
    var wakeUps: [Double] = []
    var next = cycle.turn()
    while let time = next {
      panel.now = time
      wakeUps.append(((time - Timestamp(seconds: 1.1)) * 1000).rounded() / 1000)
      next = cycle.turn()
    }
    func isFading(_ time: Double) -> Bool { (0.55...0.68).contains(time) }
    #expect(wakeUps.filter { !isFading($0) } == [0.2, 0.35])
    #expect(wakeUps.count { isFading($0) } > 5)
    #expect(panel.shown.count <= 3 + wakeUps.count)
    #expect(panel.shown.last == rest)
  }

  @Test func `a program that fails while a light goes out doesn't leave it lit`() {
    let cycle = cycle()
    _ = cycle.turn()
    cycle.handle(finger: 0, .down, at: wedge, time: .zero)
    cycle.handle(finger: 0, .up, at: wedge, time: .zero)
    for time in [0.001, 0.2, 0.35] {
      panel.now = Timestamp(seconds: time)
      _ = cycle.turn()
    }
    #expect(panel.shown.last != rest)
    panel.now = Timestamp(seconds: 0.55)
    cycle.reportFailure("logger exited with status 1", by: .action)
    while let next = cycle.turn() { panel.now = next }
    #expect(panel.now < Timestamp(seconds: 0.7) && panel.shown.last == rest)
  }

  @Test func `a turn without changes renders no picture`() {
    let cycle = cycle()
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 1)
    cycle.handle(finger: 0, .move, at: wedge, time: panel.now)
    #expect(cycle.isShown)
    cycle.handle(finger: 0, .down, at: wedge, time: panel.now)
    #expect(!cycle.isShown)
  }

  @Test func `a panel of another size gets a canvas of that size`() {
    let cycle = cycle()
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 1)
    panel.canvasSize = PixelSize(200, 100)
    panel.shownFrame = nil
    _ = cycle.turn()
    #expect(panel.shown.count == 2)
    // The wheel is now in the centre of a wider canvas.
    #expect(panel.shown[1] != rest)
  }

  @Test func `a panel that refuses to sleep is retried, and the failure reported once`() {
    let cycle = cycle(kiosk(blankAfter: 5))
    var errors: [DisplayError] = []
    cycle.onDisplayError = { errors.append($0) }
    _ = cycle.turn()
    let refusal = DisplayError(.failed, "the panel is busy")
    panel.powerRefusal = refusal
    var turns: [Double] = []
    panel.now = Timestamp(seconds: 5)
    while let next = cycle.turn(), next <= Timestamp(seconds: 13) {
      turns.append(next - .zero)
      panel.now = next
    }
    #expect(turns == [5, 6, 8, 12])
    #expect(cycle.powerFailure == refusal && errors == [refusal])
    panel.powerRefusal = nil
    panel.now = Timestamp(seconds: 20)
    #expect(cycle.turn() == nil)
    #expect(panel.power == [false] && cycle.powerFailure == nil)
  }

  @Test func `a panel lit by another program is put to sleep again`() {
    let cycle = cycle(kiosk(blankAfter: 5))
    _ = cycle.turn()
    panel.now = Timestamp(seconds: 5)
    _ = cycle.turn()
    #expect(panel.power == [false])
    panel.holdsPower = false
    _ = cycle.turn()
    #expect(panel.power == [false, false])
  }

  @Test func `the panel sleeps and wakes with the kiosk`() {
    let cycle = cycle(kiosk(blankAfter: 5))
    #expect(cycle.turn() == Timestamp(seconds: 5))
    panel.now = Timestamp(seconds: 5)
    _ = cycle.turn()
    #expect(panel.power == [false])
    panel.now = Timestamp(seconds: 9)
    cycle.handle(finger: 0, .down, at: wedge, time: panel.now)
    _ = cycle.turn()
    #expect(panel.power == [false, true])
    #expect(panel.shown.last == rest)
  }

  @Test func `events are reported in order, each once`() {
    let cycle = cycle()
    var names: [String] = []
    cycle.onEvent = { names.append($0.name) }
    cycle.handle(finger: 0, .down, at: wedge, time: .zero)
    cycle.handle(finger: 0, .up, at: wedge, time: Timestamp(seconds: 0.1))
    _ = cycle.turn()
    _ = cycle.turn()
    #expect(names == ["pressed", "selected"])
  }

  @Test func `commands from within an event report their events immediately`() {
    let cycle = cycle()
    var names: [String] = []
    cycle.onEvent = { event in
      names.append(event.name)
      if event.name == "pressed" {
        cycle.perform { engine in
          engine.handle(Touch(finger: 0, phase: .cancel, position: .zero), at: engine.now)
        }
      }
    }
    cycle.handle(finger: 0, .down, at: wedge, time: .zero)
    _ = cycle.turn()
    #expect(names == ["pressed", "cancelled"])
    #expect(panel.shown == [rest])
  }

  @Test func `a display that shows frames immediately gets one per interval`() {
    let display = HeadlessDisplay(size: PixelSize(100, 100), refreshInterval: 0.02) { [panel] in
      panel.now
    }
    let cycle = FrameCycle(dialKiosk(), on: display, seed: 0) { [panel] in panel.now }
    _ = cycle.turn()
    cycle.handle(finger: 0, .down, at: Point(50, 10), time: panel.now)
    for touch in 1...100 {
      panel.now = Timestamp(seconds: 1 + Double(touch) * 0.005)
      cycle.handle(
        finger: 0, .move, at: Point(50, 50) + Angle.degrees(Double(touch) * 3).unit * 40,
        time: panel.now)
      _ = cycle.turn()
    }
    // Half a second of touches; the first two frames don't wait.
    #expect((24...28).contains(display.presentCount), "\(display.presentCount)")
  }

  @Test func `a display that shows frames immediately causes one turn per interval`() throws {
    // Each look at the clock costs 50 µs.
    let clock = { [panel] in
      panel.now = panel.now + 0.00005
      return panel.now
    }
    var description = dialKiosk().description
    description.transition = PageTransition(.slide, seconds: 1)
    description.pages.append(Page(name: "empty", controls: []))
    let display = HeadlessDisplay(size: PixelSize(200, 200), clock: clock)
    let cycle = FrameCycle(
      Content(description, fonts: FontLibrary()), on: display, seed: 0, clock: clock)
    _ = cycle.turn()
    try cycle.apply(.go(page: "empty"))
    let start = panel.now
    var turns = 0
    while let next = cycle.turn(), turns < 200 {
      turns += 1
      panel.now = max(panel.now, next)
    }
    // Slow frames at both ends of the slide have no changes.
    #expect(turns <= Int((panel.now - start) * 60) + 3, "\(turns) turns in \(panel.now - start) s")
  }
}
