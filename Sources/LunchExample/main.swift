// SPDX-License-Identifier: MIT

// A kiosk written in Swift. It runs on this machine's panel, or with `--headless` without a panel.

import RoundelKit

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
      print("selected: \(event.item ?? "nothing")")
      engine.go(to: "thanks")
    }
  }
  Page("thanks") {
    Label(center: Point(640, 340), text: "{dish.label} it is.", fontSize: 56).named("chosen")
    Button(center: Point(640, 560), size: Size(260, 96), text: "Something else").named("back")
      .on("selected", .go("choose"))
  }
}

let isHeadless = CommandLine.arguments.contains("--headless")
let kiosk = try RunningProgram(lunch, on: isHeadless ? .headless(PixelSize(1280, 800)) : .card())
if let obstacle = kiosk.obstacle { print("nothing is shown yet: \(obstacle)") }
try kiosk.run()
