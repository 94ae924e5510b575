// SPDX-License-Identifier: MIT

import RoundelKit

let dish = Pinwheel("dish", at: [640, 400], radius: 360, gap: "6px", fontSize: 30) {
  for name in ["Soup", "Salad", "Pasta", "Curry", "Pizza", "Fruit"] {
    Wedge(name, label: name)
  }
}

let lunch = try Kiosk("lunch") {
  Screen(font: "sans-serif", homeAfter: 30)
  Page("choose") { dish }
  Page("thanks") {
    Label("chosen", at: [640, 340], text: "{dish.label} it is.", fontSize: 56)
    Button("back", at: [640, 560], size: [260, 96], text: "Something else")
      .on("selected", .go("choose"))
  }
}

lunch.on(dish.selected) { event, kiosk in
  print("selected: \(event.item ?? "nothing")")
  try kiosk.go(to: "thanks")
}

let isHeadless = CommandLine.arguments.contains("--headless")
try lunch.run(on: isHeadless ? .headless(Size(width: 1280, height: 800)) : .automatic)
