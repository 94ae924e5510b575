// SPDX-License-Identifier: MIT

import TestSupport

/// A kiosk file of random controls whose numbers are others here and there.
struct RandomFile {
  let text: String

  private static let controls = [
    """
    pinwheel: ID, at: [640, 400], radius: 300, hole: 80, gap: 2, start: 30, font_size: 22,
    wedges: [{id: a, label: Soup of the day}, {id: b, image: a.png, press_image: b.png},
    {id: c, label: "", enabled: false}], on: {selected: [{go: q}, {set: {ID.visible: true}}]}
    """,
    """
    dial: ID, at: [640, 400], radius: 300, labels: 12, value: 3, label_offset: 40, font_size: 30,
    background: {image: a.png}, pointer: 20, ticks: {every: 1, step: 1}
    """,
    "dial: ID, at: [300, 300], radius: 200, labels: [one, two, three], wrap: false, inertia: fast",
    """
    menu: ID, at: [640, 400], radius: 48, leaf_radius: 40, distance: 150, start: 10, arc: 300,
    font_size: 20, items: [{id: a, label: A}, {id: b, image: a.png,
    items: [{id: c, label: C}, {id: d, items: [{id: e}]}]}], on: {selected: [{emit: x}]}
    """,
    """
    slots: ID, at: [640, 400], size: [900, 500], rows: 3, duration: 2, sharpen: 0.5,
    trigger: [touch, shake], reels: [{id: a, items: [x, y, zz]}, {id: b, items: [long words here]}]
    """,
    """
    slots: ID, at: [640, 400], size: [900, 500], rows: 2, duration: 9, trigger: [touch, shake],
    reels: [{id: a, items: [{image: a.png}, {image: b.png, label: x}, y]}]
    """,
    """
    picker: ID, at: [640, 400], size: [900, 500], rows: 5, mute: 0.5, font_size: 40,
    wheels: [{id: a, items: [1, 2, 3]}, {id: b, wrap: false, items: [{label: x, color: red}, y]}]
    """,
    "resistor: ID, at: [640, 400], size: [900, 500]",
    "button: ID, at: [200, 200], size: [240, 88], text: Back, on: {selected: [{blank: true}]}",
    "button: ID, at: [640, 400], size: [900, 600], text: Go on, color: '#fa08', on: {selected: [{go: q}]}",
    "label: ID, at: [640, 360], text: \"{o.visible} now\\n\\u0628\\u202e\\u0301\", font_size: 56",
    "image: ID, at: [400, 300], size: [300, 200], file: a.png",
    "image: ID, at: [640, 400], size: [1300, 900], file: b.png, fit: contain",
    """
    chart: ID, at: [640, 400], size: [900, 500], value: "{o.visible ? 3 : 9 / 2}", seconds: 60,
    min: 0, max: 16, gap: 2, unit: " °C", font_size: 22
    """,
    "chart: ID, at: [300, 300], size: [200, 99], value: 7, seconds: 2, format: .1f",
    """
    ring: ID, at: [640, 400], radius: 300, min: 10, max: 30, step: 0.5, value: 21,
    text: "{ID.value:.1f}°", ticks: {every: 1, label_every: 5}
    """,
    "toggle: ID, at: [640, 400], size: [256, 72], label: Light, value: true",
    "qr: ID, at: [640, 400], size: [600, 600], text: half, color: '#12345680', quiet_zone: 0",
    "keypad: ID, at: [640, 400], size: [500, 700], layout: pin, length: 4",
    """
    list: ID, at: [640, 400], size: [900, 500], row_height: 64, items: [{id: a, label: Airport,
    detail: "08:12"}, {id: b, section: Soup, icon: a.png}, {id: c}, {id: d, label: Dock}, e, f, g, h]
    """,
  ]

  private static let numbers = [
    "0", "1", "-1", "0.01", "0.5", "2", "3", "16", "99", "100", "359.99", "360", "-3600", "1000",
    "7680", "99999", "100000", "-100000", "1e-9", "1e5", "2147483647", "0.999999999",
    "0.49999999999999994", "100.49999999999999",
  ]

  private static let transitions = ["slide", "fade", "{slide, seconds: 3}", "{fade, seconds: 3}"]

  private static let sizes = [
    "[1280, 800]", "[16, 16]", "[7680, 16]", "[4320, 7680]", "[16.5, 900]",
  ]

  init(_ random: inout SeededGenerator) {
    var pages = ""
    for (page, first) in [("p", true), ("q", false)] {
      pages += "- page: \(page)\n"
      if Bool.random(using: &random) { pages += "  background: {image: a.png}\n" }
      pages += "  controls:\n"
      if first { pages += "  - {label: o, at: [1, 2], text: t}\n" }
      for index in 0..<Int.random(in: 1...3, using: &random) {
        let control = Self.controls.randomElement(using: &random) ?? ""
        pages += "  - {\(control.replacing("ID", with: "\(page)\(index)"))}\n"
      }
    }
    let often = Int.random(in: 2...40, using: &random)
    pages = pages.replacing(/\b[0-9]+(\.[0-9]+)?\b(?!\w)/) { number in
      Int.random(in: 0..<often, using: &random) == 0
        ? Self.numbers.randomElement(using: &random) ?? "" : String(number.output.0)
    }
    let size = Self.sizes.randomElement(using: &random) ?? ""
    let transition = Self.transitions.randomElement(using: &random) ?? ""
    text = "kiosk: k\nscreen: {size: \(size)}\ntransition: \(transition)\npages:\n" + pages
  }
}
