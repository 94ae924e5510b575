// SPDX-License-Identifier: MIT

import RoundelJSON
import KioskFile
package import TestSupport

/// A kiosk file of random controls with some changed numbers, text in several scripts, and
/// additional keys.
package struct RandomFile {
  package let text: String

  private static let halves =
    "pinwheel: ID, at: [640, 400], radius: 1000, hole: 9, gap: 0, wedges: [{id: a}, {id: b}]"

  // `ID`, `TEXT` and `IMAGE` are replaced.
  private static let controls = [
    """
    pinwheel: ID, at: [640, 400], radius: 300, hole: 80, gap: 2, start: 30, font_size: 22,
    wedges: [{id: a, label: TEXT}, {id: b, image: IMAGE, press_image: IMAGE},
    {id: c, label: "", enabled: false}, {id: d, label: TEXT, icon: IMAGE}],
    on: {selected: [{go: q}, {set: {ID.visible: true}}]}
    """,
    halves,
    """
    dial: ID, at: [640, 400], radius: 300, labels: 12, value: 3, label_offset: 40, font_size: 30,
    background: {image: IMAGE}, pointer: 20, ticks: {every: 1, step: 1}
    """,
    "dial: ID, at: [300, 300], radius: 200, labels: [TEXT, TEXT, 3], wrap: false, inertia: fast",
    """
    menu: ID, at: [640, 400], radius: 48, leaf_radius: 40, distance: 150, start: 10, arc: 300,
    image: IMAGE, font_size: 20, items: [{id: a, label: TEXT}, {id: b, image: IMAGE,
    items: [{id: c, label: C}, {id: d, icon: IMAGE, items: [{id: e}]}]}],
    on: {selected: [{emit: x}]}
    """,
    """
    slots: ID, at: [640, 400], size: [900, 500], rows: 3, duration: 2, sharpen: 0.5,
    trigger: [touch, shake], reels: [{id: a, items: [x, TEXT, zz]}, {id: b, items: [TEXT]}]
    """,
    """
    slots: ID, at: [640, 400], size: [900, 500], rows: 2, duration: 9, trigger: [touch, shake],
    reels: [{id: a, items: [{image: IMAGE}, {image: IMAGE, label: TEXT}, y]}]
    """,
    """
    picker: ID, at: [640, 400], size: [900, 500], rows: 5, mute: 0.5, font_size: 40,
    wheels: [{id: a, items: [1, 2, TEXT]},
    {id: b, wrap: false, items: [{label: TEXT, color: red}, y]}]
    """,
    "resistor: ID, at: [640, 400], size: [900, 500]",
    "button: ID, at: [200, 200], size: [240, 88], text: TEXT, on: {selected: [{blank: true}]}",
    """
    button: ID, at: [640, 400], size: [900, 600], text: TEXT, icon: IMAGE, color: '#fa08',
    on: {selected: [{go: q}]}
    """,
    "label: ID, at: [640, 360], text: TEXT, font_size: 56",
    "label: ID, at: [640, 360], size: [400, 90], text: TEXT, lines: 3, align: end",
    "image: ID, at: [400, 300], size: [300, 200], file: IMAGE",
    "image: ID, at: [640, 400], size: [1300, 900], file: IMAGE, fit: contain",
    """
    chart: ID, at: [640, 400], size: [900, 500], value: "{o.visible ? 3 : 9 / 2}", seconds: 60,
    min: 0, max: 16, gap: 2, unit: " °C", font_size: 22
    """,
    "chart: ID, at: [300, 300], size: [200, 99], value: 7, seconds: 2, format: .1f",
    """
    ring: ID, at: [640, 400], radius: 300, min: 10, max: 30, step: 0.5, value: 21,
    text: "{ID.value:.1f}°", ticks: {every: 1, label_every: 5}
    """,
    "ring: ID, at: [640, 400], radius: 300, spinning: true, text: TEXT",
    "toggle: ID, at: [640, 400], size: [256, 72], label: TEXT, value: true",
    "qr: ID, at: [640, 400], size: [600, 600], text: TEXT, color: '#12345680', quiet_zone: 0",
    "keypad: ID, at: [640, 400], size: [500, 700], layout: pin, length: 4",
    "keypad: ID, at: [640, 400], size: [900, 500], layout: text, value: TEXT",
    """
    list: ID, at: [640, 400], size: [900, 500], row_height: 64, items: [{id: a, label: TEXT,
    detail: "08:12"}, {id: b, section: TEXT, icon: IMAGE}, {id: c, image: IMAGE},
    {id: d, label: Dock}, e, f, g, h]
    """,
  ]

  private static let numbers = [
    "0", "1", "-1", "0.01", "0.5", "2", "3", "16", "99", "100", "359.99", "360", "-3600", "1000",
    "7680", "99999", "100000", "-100000", "1e-9", "1e5", "2147483647", "0.999999999",
    "0.49999999999999994", "100.49999999999999",
  ]

  private static let transitions = [
    "slide", "fade", "{slide, seconds: 3}", "{fade, seconds: 3}", "none",
  ]

  private static let sizes = [
    "[1280, 800]", "[1280, 800]", "[1280, 800]", "[80, 80]", "[16, 16]", "[7680, 16]",
    "[4320, 7680]", "[16.5, 900]",
  ]

  package init(_ random: inout SeededGenerator) {
    var pages = ""
    for (page, first) in [("p", true), ("q", false)] {
      pages += "- page: \(page)\n"
      if Bool.random(using: &random) { pages += "  background: {image: a.png}\n" }
      pages += "  controls:\n"
      if first { pages += "  - {label: o, at: [1, 2], text: t}\n" }
      for index in 0..<Int.random(in: 1...3, using: &random) {
        // Several at the same position share all their edges.
        let isOften = Int.random(in: 0..<24, using: &random) == 0
        let control = isOften && Bool.random(using: &random) ? Self.halves : Self.control(&random)
        for copy in 0..<(isOften ? Int.random(in: 2...200, using: &random) : 1) {
          let id = copy == 0 ? "\(page)\(index)" : "\(page)\(index)x\(copy)"
          pages += "  - {\(control.replacing("ID", with: id))}\n"
        }
      }
    }
    let size = Self.sizes.randomElement(using: &random) ?? ""
    let transition = Self.transitions.randomElement(using: &random) ?? ""
    text = """
      kiosk: k
      screen: {size: \(size)}
      theme: \(["light", "dark"].randomElement(using: &random) ?? "")
      languages: \(["[en]", "[ar, de]", "[th]"].randomElement(using: &random) ?? "")
      transition: \(transition)
      values: {n: 3, t: text, f: true}
      pages:

      """ + pages
  }

  /// A valid control: changes that invalidate it are dropped.
  private static func control(_ random: inout SeededGenerator) -> String {
    var control = ""
    repeat {
      control = (controls.randomElement(using: &random) ?? "")
        .replacing(/TEXT/) { _ in RandomText.quoted(&random) }
        .replacing(/IMAGE/) { _ in ["a.png", "b.png"].randomElement(using: &random) ?? "" }
    } while !isGood(control)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let more = SchemaValue.member(of: String(control.prefix { $0 != ":" }), &random)
      let longer = more.map { "\(control), \($0.name): \($0.value.text)" }
      if let longer, isGood(longer) { control = longer }
    }
    let often = Int.random(in: 2...40, using: &random)
    for _ in 0..<3 {
      let other = control.replacing(/\b[0-9]+(\.[0-9]+)?\b(?!\w)/) { number in
        Int.random(in: 0..<often, using: &random) == 0
          ? numbers.randomElement(using: &random) ?? "" : String(number.output.0)
      }
      if isGood(other) { return other }
    }
    return control
  }

  private static func isGood(_ control: String) -> Bool {
    let file = """
      kiosk: k
      values: {n: 3, t: text, f: true}
      pages:
      - page: p
        controls:
        - {label: o, at: [1, 2], text: t}
        - {\(control.replacing("ID", with: "c"))}
      - {page: q, controls: [{label: z, at: [1, 2], text: t}]}
      """
    return ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: AllAssets()).description != nil
  }
}
