// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import Kiosk
import KioskFile

/// The cost of changing a key of a control with many items, by a bound value or directly.
struct KeyCosts {
  /// A control, the keys to change, and two values for each.
  private static func controls(_ count: Int) -> [(name: String, yaml: String, keys: [Key])] {
    func items(_ item: (Int) -> String) -> String {
      "[\((0..<count).map(item).joined(separator: ", "))]"
    }
    let colors: (Value, Value) = (.text("red"), .text("blue"))
    let texts: (Value, Value) = (.text("one"), .text("two"))
    let sizes: (Value, Value) = (.number(11), .number(12))
    let flags: (Value, Value) = (.flag(true), .flag(false))
    let rows = items { "{id: i\($0), label: \"Row \($0)\"}" }
    let plain = items { "{label: \"Row \($0)\"}" }
    return [
      (
        "list", "size: [400, 400], row_height: 40, items: \(rows)",
        [
          ("color", colors), ("text_color", colors), ("font_size", sizes), ("i7.label", texts),
          ("i7.detail", texts), ("i7.section", texts), ("i7.enabled", flags),
        ]
      ),
      (
        "pinwheel", "radius: 390, wedges: \(rows)",
        [
          ("text_color", colors), ("start", sizes), ("gap", (.number(0.1), .number(0.2))),
          ("hole", sizes), ("labels", (.text("upright"), .text("radial"))), ("press", colors),
          ("blink.count", sizes), ("i7.label", texts), ("i7.color", colors), ("i7.enabled", flags),
        ]
      ),
      (
        "dial", "radius: 390, labels: \(plain)",
        [
          ("color", colors), ("unit", texts), ("upright", flags), ("wrap", flags),
          ("pointer", sizes), ("inertia", (.text("fast"), .text("none"))), ("7.label", texts),
        ]
      ),
      (
        "menu", "items: \(rows)",
        [
          ("color", colors), ("text_color", colors), ("start", sizes),
          ("arc", (.number(180), .number(360))), ("open.damping", (.number(1), .number(2))),
          ("i7.label", texts), ("i7.color", colors), ("i7.enabled", flags),
        ]
      ),
      (
        "picker", "size: [400, 400], wheels: [{id: w, items: \(plain)}]",
        [
          ("color", colors), ("rows", (.number(5), .number(7))), ("mute", (.number(0), .number(1))),
          ("inertia", (.text("fast"), .text("none"))), ("w.wrap", flags), ("w.7.label", texts),
          ("w.7.color", colors),
        ]
      ),
      (
        "slots", "size: [400, 400], reels: [{id: r, items: \(plain)}]",
        [
          ("rows", (.number(3), .number(5))), ("duration", (.number(3), .number(5))),
          ("r.direction", (.text("up"), .text("down"))), ("r.7.label", texts),
          ("r.7.weight", (.number(2), .number(3))),
        ]
      ),
    ]
  }

  private typealias Key = (name: String, values: (Value, Value))

  /// Prints a line for each key of a control with a thousand items.
  static func print() {
    Swift.print("\nkey                                       µs a change")
    for count in [100, 20_000] { printBound(count) }
    for (name, yaml, keys) in controls(1_000) {
      var engine = engine("\(name): x, at: [400, 400], \(yaml)")
      for key in keys {
        var turn = false
        let cost = Measure.time {
          turn.toggle()
          do {
            try engine.set(key.name, of: "x", to: turn ? key.values.0 : key.values.1)
          } catch {
            fatalError("\(name).\(key.name): \(error)")
          }
          _ = engine.takeEvents()
        }
        Swift.print(row("\(name) \(key.name)", cost))
      }
    }
  }

  /// The cost of changing the colour of a list with a bound value.
  private static func printBound(_ count: Int) {
    let rows = (0..<count).map { "{id: i\($0), label: \"Row \($0)\"}" }.joined(separator: ", ")
    var engine = engine(
      "list: x, at: [400, 400], size: [400, 400], row_height: 40, color: \"{c}\", items: [\(rows)]")
    var turn = false
    let cost = Measure.time {
      turn.toggle()
      try? engine.set(.value("c"), to: .text(turn ? "red" : "blue"))
      _ = engine.takeEvents()
    }
    Swift.print(row("list of \(count), color bound", cost))
  }

  private static func row(_ name: String, _ cost: Double) -> String {
    name + String(repeating: " ", count: max(1, 50 - name.count))
      + Measure.number(cost)
  }

  private static func engine(_ control: String) -> Engine {
    let text = """
      kiosk: keys
      screen: {size: [800, 800], font: DejaVu Sans}
      values: {c: green}
      pages: [{page: p, controls: [{\(control)}]}]
      """
    let reading = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: NoAssets())
    guard let description = reading.description else { fatalError("\(reading.diagnostics)") }
    return Engine(description, seed: 0)
  }
}
