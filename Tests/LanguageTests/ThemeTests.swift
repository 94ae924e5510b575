// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import TestSupport
import Testing

private func kiosk(_ head: String, background: String = "") -> String {
  """
  kiosk: k
  \(head)
  pages:
    - page: a\(background)
      controls:
        - {button: b, at: [100, 100], size: [120, 80], text: Go}
        - {label: l, at: [100, 300], text: Hello}
        - {label: m, at: [100, 350], text: Hello, color: muted}
        - {pinwheel: w, at: [400, 200], radius: 140, wedges: [{id: a, color: accent}, {id: b}]}
  """
}

extension Guest {
  /// The colours of the picture's tiles in order, without the light on them.
  fileprivate var colors: [Color] {
    engine.displayList.items.flatMap(\.tiles).compactMap { tile in
      if case .rim = tile.shape { return nil }
      return if case .color(let color) = tile.fill { color } else { nil }
    }
  }
}

@Suite struct ThemeTests {
  @Test(arguments: [("", Theme.dark), ("theme: dark", .dark), ("theme: light", .light)])
  func `default and named colours come from the theme`(head: String, theme: Theme) throws {
    let guest = try Guest(kiosk(head))
    #expect(guest.engine.theme == theme)
    #expect(guest.engine.displayList.background == theme.background)
    #expect(guest.colors[..<4] == [theme.surface, theme.text, theme.text, theme.muted])
    #expect(guest.colors.contains(theme.accent))
  }

  @Test func `a custom theme derives unset colours from its background`() throws {
    let guest = try Guest(
      kiosk(
        """
        theme: plum
        themes: {plum: {background: "#2b1026", accent: gold, font_size: 30}, light: {text: navy}}
        """))
    let theme = guest.engine.theme
    #expect(theme.accent == Color(hex: 0xffd700) && theme.background == Color(hex: 0x2b1026))
    #expect(theme.fontSize == 30)
    #expect(abs(OKLCH(theme.surface).hue - OKLCH(theme.background).hue) < 6)
    #expect(theme.surface.contrast(with: theme.background) > 1.2)
    #expect(guest.engine.description.themes["light"]?.text == Color(hex: 0x000080))
    #expect(guest.engine.description.themes["light"]?.surface == Theme.light.surface)
    let sizes = guest.engine.displayList.items.compactMap { item -> Double? in
      if case .text(let run) = item.tiles[0].shape { run.size } else { nil }
    }
    #expect(sizes[1...2] == [30, 30])
  }

  @Test func `a template switches the theme at any time without a restart`() throws {
    var guest = try Guest(
      kiosk("theme: \"{night ? 'dark' : 'light'}\"\nvalues: {night: false}"))
    #expect(guest.engine.theme == .light)
    guest.touch(.down, Point(100, 100), at: 1)
    let before = guest.engine.revision
    try guest.set("night", .flag(true))
    #expect(guest.engine.theme == .dark && guest.engine.revision != before)
    #expect(guest.engine.displayList.background == Theme.dark.background)
    guest.touch(.up, Point(100, 100), at: 2)
    #expect(guest.engine.takeEvents().map(\.name) == ["pressed", "selected", "confirmed"])
    guest.engine.handle(
      Touch(finger: 0, phase: .down, position: Point(100, 100)), at: Instant(seconds: 3))
    #expect(guest.engine.theme == .dark)
  }

  @Test func `the theme follows the clock, on every page`() throws {
    var guest = try Guest(
      kiosk("theme: \"{now.getHours() >= 20 ? 'dark' : 'light'}\""))
    #expect(guest.engine.theme == .light)
    guest.advance(to: 20 * 3600 - 1)
    #expect(guest.engine.theme == .light)
    guest.advance(to: 20 * 3600)
    #expect(guest.engine.theme == .dark)
  }

  @Test func `an unknown theme is a failure once, and the theme stays`() throws {
    var guest = try Guest(kiosk("theme: \"{mode}\"\nvalues: {mode: light}"))
    try guest.set("mode", .text("ligt"))
    #expect(guest.engine.theme == .light)
    #expect(guest.failures() == ["theme: there is no theme \"ligt\""])
    try guest.set("mode", .text("dark"))
    #expect(guest.engine.theme == .dark && guest.failures() == [])
  }

  @Test func `expressions can read the theme's name, but it can't be set`() throws {
    var guest = try Guest(
      kiosk(
        """
        theme: "{night ? 'dark' : 'light'}"
        values: {night: false, said: "{theme}!"}
        reactions: [{when: theme == 'dark', do: [{emit: darker}]}]
        """
      ).replacing("text: Hello, color: muted", with: "text: \"{said} {theme}\""))
    #expect(guest["theme"] == .text("light") && guest["m.text"] == .text("light! light"))
    try guest.set("night", .flag(true))
    #expect(guest["theme"] == .text("dark") && guest["m.text"] == .text("dark! dark"))
    #expect(guest.events("emit") == ["emit(name darker) by action"])
    #expect(throws: PropertyError.readOnly("theme")) { try guest.set("theme", .text("light")) }
    #expect(guest.engine.theme == .dark)
  }

  @Test func `a theme that depends on its own name is an error`() {
    #expect(
      diagnostics(kiosk("theme: \"{theme == 'dark' ? 'light' : 'dark'}\"")) == [
        "theme depends on itself (expected no cycle)"
      ])
    #expect(
      diagnostics(
        kiosk("theme: \"{said}\"\nvalues: {night: false}").replacing(
          "text: Hello, color: muted", with: "text: \"{theme}\""
        )
        .replacing("theme: \"{said}\"", with: "theme: \"{m.text}\"")
      ) == ["theme depends on itself through m.text (expected no cycle)"])
  }

  @Test func `a value named theme hides it, with a warning`() throws {
    let file = kiosk("theme: light\nvalues: {theme: blue}")
    #expect(
      diagnostics(file) == [
        "the value \"theme\" hides the name of the theme in use "
          + "(expected another name, if expressions read the theme)"
      ])
    var engine = Engine(
      try #require(
        ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets()).description), seed: 0)
    try engine.set(.value("theme"), to: .text("red"))
    #expect(engine.value(of: .value("theme")) == .text("red") && engine.theme == .light)
  }

  @Test func `errors suggest the intended name`() {
    #expect(
      diagnostics(kiosk("theme: drak")) == [
        "there is no theme \"drak\" "
          + "(expected contrast, dark or light; did you mean \"dark\"?)"
      ])
    #expect(
      diagnostics(kiosk("theme: \"{now.getHours() > 8 ? 'ligth' : 'plum'}\"\nthemes: {plum: {}}"))
        == [
          "there is no theme \"ligth\" "
            + "(expected contrast, dark, light or plum; did you mean \"light\"?)"
        ])
    #expect(
      diagnostics(kiosk("theme: \"{1 > 0}\"")) == [
        "\"theme\" is bound to a flag (expected a string)"
      ])
    #expect(
      diagnostics(kiosk("themes: {a: {acent: red, text: accent}}")) == [
        "unknown key \"acent\" in theme (expected accent, background, surface, "
          + "text, muted, font, bold, weight or font_size; did you mean \"accent\"?)",
        "\"text\" is not a colour: \"accent\" "
          + "(expected a colour: #rgb, #rrggbb, #rrggbbaa or a CSS name)",
      ])
    #expect(
      diagnostics(kiosk("theme: dark").replacing("color: accent", with: "color: acent")) == [
        "\"color\" is not a colour: \"acent\" (expected a colour: #rgb, "
          + "#rrggbb, #rrggbbaa or a CSS name, or one of accent, background, muted, surface or "
          + "text; did you mean \"accent\"?)"
      ])
  }

  @Test func `text is legible on a page with its own background`() throws {
    let guest = try Guest(kiosk("theme: dark", background: "\n    background: white"))
    #expect(guest.engine.displayList.background == .white)
    #expect(guest.colors[2].contrast(with: .white) > 7)
  }

  @Test(arguments: [Theme.dark, .light])
  func `the themes reach the contrast ratios of WCAG`(theme: Theme) {
    for background in [theme.background, theme.surface] {
      #expect(theme.text.contrast(with: background) >= 7)
      #expect(theme.muted.contrast(with: background) >= 4.5)
      #expect(theme.accent.contrast(with: background) >= 3)
    }
    #expect(theme.surface.contrast(with: theme.background) >= 1.2)
  }

  @Test func `a derived theme is legible on any background`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let background = Color(hex: UInt32.random(in: 0...0xffffff, using: &random))
      let theme = Theme(background: background)
      // On mid-tones, neither white nor near-black text has more contrast.
      #expect(theme.text.contrast(with: background) >= 4.2)
      #expect(theme.surface != background)
    }
  }
}
