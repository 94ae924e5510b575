// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import SystemFonts
import TestSupport
import Testing

/// Numeric controls, toggles, labels and rows, in both themes and in all sizes up to 4K.
@Suite struct ControlGoldenTests {
  /// The pages, at 480 by 320.
  private static let pages: KeyValuePairs<String, String> = [
    "rings": """
      - {ring: heat, at: [120, 160], radius: 104, thickness: 24, min: 0, max: 120, value: 83, needle: true, text: "{heat.value:.0f}°", bands: [{to: 40, color: "#5b82d6"}, {to: 90, color: "#4e9a52"}, {to: 120, color: "#c9573f"}], ticks: {every: 10, label_every: 40}}
      - {ring: outer, at: [360, 160], radius: 104, thickness: 16, value: 72, interactive: false}
      - {ring: middle, at: [360, 160], radius: 80, thickness: 16, value: -20, min: -50, max: 50, from: 200, to: -80, color: "#b06cb4"}
      - {ring: inner, at: [360, 160], radius: 56, thickness: 16, spinning: true, enabled: false}
    """,
    "dials": """
      - {dial: minutes, at: [120, 160], radius: 112, min: 0, max: 55, step: 5, label_every: 10, wrap: true, value: 10, unit: "′", upright: true}
      - {dial: gain, at: [360, 160], radius: 112, min: -12, max: 12, step: 0.5, label_every: 3, value: -4.5}
    """,
    "toggles": """
      - {toggle: on, at: [240, 64], size: [256, 72], label: Light, value: true}
      - {toggle: off, at: [240, 160], size: [256, 72], label: Heating}
      - {toggle: round, at: [120, 256], size: [80, 48], value: true, on_color: "#c9573f"}
      - {toggle: disabled, at: [320, 256], size: [224, 64], label: Steam, value: true, enabled: false}
    """,
    "keypads": """
      - {keypad: pin, at: [120, 160], size: [216, 304], layout: pin, length: 4}
      - {keypad: digits, at: [360, 160], size: [216, 304], layout: digits}
    """,
    "keyboard": """
      - {keypad: note, at: [240, 160], size: [464, 304], layout: text}
    """,
    "lists": """
      - {list: trains, at: [128, 160], size: [224, 288], row_height: 56, items: [{id: airport, label: Airport, detail: "08:12"}, {id: harbour, label: Harbour, detail: "08:15"}, {id: lakes, label: Lakes, detail: "08:31"}, {id: hills, label: Hills, detail: "08:40", enabled: false}, {id: coast, label: Coast}, {id: sea, label: Sea}]}
      - {list: rooms, at: [360, 160], size: [208, 288], row_height: 48, items: [{id: hall, label: Hall, section: Below}, {id: den, label: Den, section: Below}, {id: attic, label: A room with a long name, section: Above}, {id: loft, label: Loft, section: Above}, {id: roof, label: Roof, section: Above}]}
    """,
    "charts": """
      - {chart: steam, at: [240, 88], size: [448, 160], seconds: 30, gap: 2, unit: " bar", format: ".1f"}
      - {chart: plain, at: [240, 248], size: [448, 112], seconds: 30, min: -10, max: 110, axis: false, color: "#4e9a52"}
    """,
    "codes": """
      - {qr: short, at: [120, 160], size: [208, 208], text: ROUNDEL}
      - {qr: long, at: [360, 160], size: [208, 208], text: "https://www.debian.org/releases/bookworm/amd64/release-notes/ch-whats-new.en.html"}
    """,
  ]

  @Test(
    .enabled(if: isDebian12, "text looks different with other fonts than Debian 12's"),
    arguments: ["dark", "light"],
    [
      PixelSize(320, 240), PixelSize(800, 480), PixelSize(1280, 800), PixelSize(1080, 1920),
      PixelSize(3840, 2160),
    ])
  func `controls match their goldens in both themes and all sizes`(
    _ theme: String, _ size: PixelSize
  ) throws {
    let text =
      "kiosk: controls\nscreen: {size: [480, 320], font: Inter}\ntheme: \(theme)\npages:\n"
      + Self.pages.map { "- page: \($0)\n  controls:\n\($1)\n" }.joined()
    let reading = ParsedKiosk(Array(text.utf8), path: "controls.yaml", assets: NoAssets())
    let fonts = FontLoader()
    for font in reading.fonts { try fonts.load(font) }
    fonts.loadFallback()
    var engine = Engine(try #require(reading.description, "\(reading.diagnostics)"), seed: 0)
    // The data of charts: two waves with a gap.
    for step in 0..<120 {
      engine.advance(to: Instant(seconds: Double(step) / 4))
      guard !(60..<80).contains(step) else { continue }
      for chart in ["steam", "plain"] {
        let wave = Double((step * 7) % 40) * 2.5
        try engine.apply(
          .set(.property(PropertyPath(control: chart, property: "value")), .number(wave)))
      }
    }
    try engine.apply(
      .set(.property(PropertyPath(control: "trains", property: "index")), .integer(1)))
    let isSmall = size.width < 400
    var sums = ""
    for (page, _) in Self.pages {
      try engine.apply(.go(page: page))
      engine.advance(to: Instant(seconds: 31))
      let painter = Painter(
        size: size, viewport: Viewport(fitting: engine.screen.size, into: size),
        fonts: fonts.library)
      painter.show(engine.displayList)
      let canvas = painter.canvas()
      if isSmall {
        try Golden(name: "controls-\(theme)-\(page).png").check([.none: canvas])
      }
      sums += "\(page) \(canvas.bitmap.checksum)\n"
    }
    if !isSmall { try Golden(name: "controls-\(theme)-\(size).sums").check(sums) }
  }
}
