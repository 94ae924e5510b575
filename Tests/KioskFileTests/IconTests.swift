// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import Kiosk
import Testing

@testable import KioskFile

@Suite struct IconTests {
  private func kiosk(_ controls: String) -> String {
    "kiosk: k\npages:\n  - page: p\n    controls: [\(controls)]\n"
  }

  private func control<Kind>(_ controls: String, as kind: Kind.Type) -> Kind? {
    read(kiosk(controls)).description?.pages[0].controls[0].control as? Kind
  }

  @Test func `an icon with an image suffix is a file, any other is text`() {
    let wheel = control(
      """
      {pinwheel: w, at: [400, 400], radius: 300, icon_font: [Material Icons, Inter], wedges: [
      {id: a, icon: wall.png}, {id: b, icon: home, label: Home}, {id: c, icon: "\\uf0f4"}, {id: d}]}
      """, as: Pinwheel.self)
    #expect(
      wheel?.wedges.map(\.icon) == [.image("wall.png"), .sign("home"), .sign("\u{f0f4}"), nil])
    #expect(wheel?.iconFont == Font(["Material Icons", "Inter"]))
    let menu = control(
      """
      {menu: m, at: [400, 400], icon: wall.png, items: [{id: a, icon: x, label: X}]}
      """, as: Menu.self)
    #expect(menu?.iconFont == Font())
    let button = control(
      "{button: b, at: [400, 400], size: [200, 90], icon: "
        + "☕, text: Tea}", as: Button.self)
    #expect(button?.icon == .sign("☕"))
  }

  @Test func `an unknown icon is an error, unless a font gives its letters`() {
    #expect(
      diagnostics(kiosk("{button: b, at: [400, 400], size: [200, 90], icon: lok}")) == [
        "4:67: error: icon \"lok\": there is no such icon; did you mean lock? (expected a name of "
          + "the icon font, or a PNG or JPEG file)"
      ])
    #expect(
      diagnostics(
        kiosk("{button: b, at: [400, 400], size: [200, 90], icon: lok, icon_font: Inter}")) == [])
    #expect(diagnostics(kiosk("{button: b, at: [400, 400], size: [200, 90], icon: Lok}")) == [])
    #expect(
      diagnostics(
        kiosk("{label: l, at: [400, 400], text: \"{icon('lok')} {true ? icon('lock') : 'x'}\"}"))
        == [
          "4:49: error: icon \"lok\": there is no such icon; did you mean lock? (expected a name of "
            + "the icon font, or a PNG or JPEG file)"
        ])
  }

  @Test func `missing files and fonts are errors`() {
    #expect(
      diagnostics(
        kiosk(
          "{button: b, at: [400, 400], size: [200, 90], icon: lost.JPG, icon_font: Wingdings}"))
        == [
          "4:67: error: image \"lost.JPG\": no such file (expected a PNG or JPEG file)",
          "4:88: error: font \"Wingdings\": not found (expected an installed font family, or "
            + "a font file relative to this file)",
        ])
  }

  @Test func `the icon font is loaded`() {
    let fonts = read(
      kiosk("{button: b, at: [400, 400], size: [200, 90], icon: home, icon_font: icons.ttf}")
    ).fonts
    #expect(fonts.contains(FaceName("icons.ttf")))
  }

  @Test func `an icon can be read and set like other keys of an item`() throws {
    let reading = read(
      kiosk(
        """
        {pinwheel: w, at: [400, 400], radius: 300, wedges: [{id: a, icon: home}, {id: b}]}
        """))
    var engine = Engine(try #require(reading.description), seed: 0)
    #expect(engine.value(of: "a.icon", of: "w") == .text("home"))
    try engine.set("a.icon", of: "w", to: .text("search"))
    #expect(engine.value(of: "a.icon", of: "w") == .text("search"))
    let wheel = engine.pages[0].controls[0].control as? Pinwheel
    #expect(wheel?.wedges[0].icon == .sign("search"))
  }
}
