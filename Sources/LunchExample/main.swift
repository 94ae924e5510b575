// SPDX-License-Identifier: MIT

// A kiosk written in Swift, on this machine's panel or, with `--headless`, on none. It is all that
// a program of one's own needs besides its pages: fonts, a display, fingers and the loop.

import DRMDisplay
import LinuxIO
import Presentation
import RoundelKit
import Runtime
import SystemFonts
import Text
import TouchInput

let lunch = Program("lunch", screen: Screen(font: "sans-serif", homeAfter: 30)) {
  Page("choose") {
    Pinwheel(
      center: Point(640, 400), radius: 360, gap: .pixels(6), fontSize: 30,
      wedges: ["Soup", "Salad", "Pasta", "Curry", "Pizza", "Fruit"].map {
        Pinwheel.Wedge(id: $0, label: $0)
      }
    )
    .named("dish")
    .on("selected") { event, engine in
      print("somebody wants \(event.item ?? "nothing")")
      engine.go(to: "thanks")
    }
  }
  Page("thanks") {
    Label(center: Point(640, 340), text: "{dish.label} it is.", fontSize: 56).named("chosen")
    Button(center: Point(640, 560), size: Size(260, 96), text: "Something else").named("back")
      .on("selected", .go("choose"))
  }
}

let fonts = FontLibrary()
let file = try SystemFonts().file(for: "sans-serif")
try fonts.add(FontName("sans-serif"), bytes: FontFile.read(file.path), faceIndex: file.faceIndex)

let loop = try EventLoop()
let size = PixelSize(1280, 800)
let display: any Display =
  CommandLine.arguments.contains("--headless")
  ? HeadlessDisplay(size: size) { MonotonicClock.now } : CardDisplay(canvasSize: size, on: loop)
let cycle = FrameCycle(
  Content(lunch.description, fonts: fonts), on: display, seed: .random(in: 0...(.max))
) { MonotonicClock.now }
cycle.onEvent = { event in cycle.perform { engine in lunch.handle(event, on: &engine) } }

let fingers = try SeatInput(
  mapping: PanelMapping(canvas: display.canvasSize, rotation: display.rotation), on: loop
) { touch, time in
  cycle.handle(finger: touch.finger, touch.phase, at: touch.position, time: time)
}
let signals = try SignalWatch([.interrupt, .terminate], on: loop) { _ in loop.stop() }

if case .waiting(let obstacle) = display.state { print("nothing is shown yet: \(obstacle)") }
try loop.run {
  fingers.mapping.canvas = display.canvasSize
  let deadline = cycle.turn()
  loop.quietUntil = cycle.nextFrame
  return deadline
}
withExtendedLifetime(signals) {}
