// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import Foundation
import Kiosk
import Testing

@testable import KioskFile
@testable import RoundelReview

@Suite struct PlaceWarningTests {
  @Test func `a control outside the screen is reported`() {
    #expect(
      warnings(
        controls: """
          {button: off, at: [1200, 100], size: [100, 100]},
          {image: picture, at: [-200, 100], size: [100, 100], file: wall.png},
          {dial: minutes, at: [400, 900], radius: 300, labels: 60},
          """) == [
          "6:19: warning: \"off\" is outside the screen (expected a position within 800 by 480 pixels)",
          "7:22: warning: \"picture\" is outside the screen "
            + "(expected a position within 800 by 480 pixels)",
          "8:21: warning: \"minutes\" is outside the screen "
            + "(expected a position within 800 by 480 pixels)",
        ])
  }

  @Test func `a control partly outside and an unreachable wedge are reported`() {
    #expect(
      warnings(
        controls: """
          {button: half, at: [790, 100], size: [100, 100]},
          {pinwheel: low, at: [400, 480], radius: 200, wedges: [{id: a}, {id: b}, {id: c}]},
          """) == [
          "6:20: warning: a large part of \"half\" is outside the screen "
            + "(expected a position within 800 by 480 pixels)",
          "7:69: warning: \"low/b\" is outside the screen, and 1 more in it "
            + "(expected a position within 800 by 480 pixels)",
        ])
  }

  @Test func `leaves outside the screen are reported, even of nested rings`() {
    let big = warnings(
      """
      kiosk: k
      screen: {size: [1280, 800], font: DejaVu Sans, panel: 7in}
      pages:
        - page: home
          controls:
            - menu: m
              at: [640, 400]
              radius: 90
              leaf_radius: 80
              items: [{for: {n: [\((0..<36).map(String.init).joined(separator: ", "))]}, id: i$n}]
      """)
    #expect(
      big == [
        "10:16: warning: 36 leaves surround \"m\" "
          + "(expected at most 12, others in nested rings, or a list)",
        "10:16: warning: leaves of \"m\" are outside the screen while their ring is open: "
          + "6 completely (i0, i1, i17, i18, i19, i35), "
          + "8 partly (i2, i3, i15, i16, i20, i21, i33, i34) "
          + "(expected rings within 1280 by 800 pixels: fewer items, nested ones, or a smaller "
          + "\"leaf_radius\" or \"distance\")",
      ])
    let nested = warnings(
      controls: """
        {menu: m, at: [400, 240], items: [{id: a, label: A, items: [
        {for: {n: [\((0..<120).map(String.init).joined(separator: ", "))]}, id: i$n}]},
        {id: b}]},
        """)
    #expect(nested.count == 2 && nested[0].contains("120 leaves surround \"m/a\""), "\(nested)")
    #expect(nested.last?.contains("(a/i0, ") == true, "\(nested)")
    #expect(
      warnings(controls: "{menu: m, at: [0, 0], items: [{id: a}, {id: b}, {id: c}]},") == [])
  }

  @Test func `controls clipped by a round screen are reported`() {
    let found = warnings(
      """
      kiosk: k
      screen: {size: [720, 720], font: DejaVu Sans, panel: 20in, shape: round}
      pages:
        - page: home
          controls:
            - {pinwheel: whole, at: [360, 360], radius: 350, hole: 250, wedges: [{id: a}, {id: b}]}
            - {button: corner, at: [60, 60], size: [100, 100]}
            - {button: cut, at: [360, 20], size: [300, 60]}
            - {label: text, at: [360, 700], text: A long line at the bottom, font_size: 30}
            - {label: fine, at: [360, 360], text: A line in the middle, font_size: 30}
      """)
    #expect(
      found == [
        "7:30: warning: \"corner\" is outside the round screen "
          + "(expected a position within the circle of 720 pixels)",
        "8:27: warning: the round screen cuts \"cut\" "
          + "(expected a position within the circle of 720 pixels)",
        "9:45: warning: \"A long line at the bottom\" does not fit on the screen "
          + "(expected all of it within the circle of 720 pixels)",
      ])
  }

  @Test func `text that extends beyond the screen is reported`() {
    #expect(
      warnings(
        controls: """
          {label: a, at: [790, 40], text: Good morning},
          {label: b, at: [10, 80], text: Good morning, align: start},
          {label: c, at: [790, 80], text: Good morning, align: end},
          {label: d, at: [400, 479], text: Good morning},
          """) == [
          "6:33: warning: \"Good morning\" does not fit on the screen "
            + "(expected all of it within 800 by 480 pixels)",
          "9:34: warning: \"Good morning\" does not fit on the screen "
            + "(expected all of it within 800 by 480 pixels)",
        ])
  }

  @Test func `decorative overlap of the screen's edge is accepted`() {
    #expect(
      warnings(
        controls: """
          {image: wide, at: [400, 240], size: [1200, 900], file: wall.png},
          {dial: half, at: [400, 480], radius: 300, labels: 12},
          {menu: corner, at: [790, 10], label: "", items: [{id: a}, {id: b}], start: 180, arc: 90},
          {button: tab, at: [780, 240], size: [60, 200], shape: rounded},
          {button: parked, at: [2000, 240], size: [60, 200], visible: false},
          {timer: t, every: 5},
          """) == [])
  }

  @Test func `a covered control is reported`() {
    #expect(
      warnings(
        controls: """
          {button: under, at: [200, 200], size: [100, 100]},
          {button: beside, at: [330, 200], size: [100, 100]},
          {pinwheel: over, at: [200, 200], radius: 150, hole: 0, wedges: [{id: a}, {id: b}]},
          """) == [
          "6:10: warning: no finger reaches \"under\": \"over\" covers all of it "
            + "(expected another position, or a place after \"over\" in the file)"
        ])
  }

  @Test func `controls in holes, next to discs or under temporary controls aren't reported`() {
    #expect(
      warnings(
        controls: """
          {button: hub, at: [200, 200], size: [90, 90]},
          {pinwheel: ring, at: [200, 200], radius: 150, hole: 70, wedges: [{id: a}, {id: b}]},
          {button: corner, at: [490, 90], size: [80, 80], shape: rounded},
          {button: disc, at: [600, 200], size: [300, 300]},
          {button: low, at: [600, 420], size: [80, 80]},
          {button: curtain, at: [600, 420], size: [90, 90], visible: "{ring.index < 0}"},
          {button: door, at: [600, 420], size: [90, 90], on: {selected: [set: {door.visible: false}]}},
          {button: ghost, at: [600, 420], size: [90, 90], visible: false},
          {image: art, at: [600, 420], size: [90, 90], file: wall.png},
          """) == [])
  }
}

@Suite struct PathWarningTests {
  private func pages(_ action: String) -> [String] {
    warnings(
      """
      kiosk: k
      screen: {font: DejaVu Sans}
      values: {next: c}
      pages:
        - {page: a, controls: [{button: go, at: [400, 400], size: [99, 99], on: {selected: [\(action)]}}]}
        - {page: b, on: {shown: [{go: b}]}, controls: [{timer: s, every: 5}]}
        - {page: c, controls: [{timer: t, every: 5}]}
      """)
  }

  @Test func `an unreachable page is reported`() {
    #expect(
      pages("{go: c}") == [
        "6:12: warning: nothing leads to the page \"b\" "
          + "(expected an action on another page, such as {go: b})"
      ])
  }

  @Test func `a page named back or home is reported if it hides the word`() {
    let file = """
      kiosk: k
      pages:
        - {page: home, controls: [{button: g, at: [400, 400], size: [99, 99], on: {selected: [{go: back}]}}]}
        - {page: back, controls: [{timer: s, every: 5}]}
      """
    #expect(
      warnings(file) == [
        "4:12: warning: the page \"back\" hides the previous page: {go: back} leads to this page "
          + "(expected another name)"
      ])
  }

  @Test func `a page chosen by a template may be any page`() {
    #expect(pages("{go: b}, {go: c}") == [])
    #expect(pages("{go: \"{next}\"}") == [])
  }
}

@Suite struct TextWarningTests {
  @Test func `characters missing in all fonts are reported`() {
    #expect(
      warnings(
        controls: """
          {label: a, at: [400, 40], text: "ok 日本 日"},
          {pinwheel: w, at: [400, 240], radius: 150, wedges: [{id: a, label: One}, {id: b, label: 丁}]},
          {label: c, at: [400, 440], text: "Ω – … ✓\\u200f€"},
          """) == [
          "6:33: warning: \"ok 日本 日\" has characters that no font contains: 日 本 "
            + "(expected characters of \"DejaVu Sans\", or a font that contains them)",
          "7:89: warning: \"丁\" has characters that no font contains: 丁 "
            + "(expected characters of \"DejaVu Sans\", or a font that contains them)",
        ])
  }

  @Test func `text without enough space is reported, in each language`() {
    let long = "Herzlich willkommen bei den Stadtwerken"
    #expect(
      warnings(
        controls: """
          {button: b, at: [400, 200], size: [120, 80], text: "{texts.hi}"},
          """, head: "languages: [en, de]\ntexts: {hi: {en: Hello, de: \(long)}}")
        == [
          "7:10: warning: \"\(long)\" in \"de\" is cut to \"Herzlich willkomm…\" "
            + "(expected a shorter text, a smaller font, or more space)"
        ])
  }

  @Test func `text that occurs once in the file is reported once`() {
    let text = "text: Supercalifragilisticexpialidociousandmore"
    let found = warnings(
      controls: """
        {for: [{id: a, x: 100}, {id: b, x: 300}, {id: c, x: 500}], button: $id, at: [$x, 200],
        size: [120, 80], \(text)},
        """)
    #expect(found.count == 1, "\(found)")
  }

  @Test func `text that doesn't fit at all is reported, too`() {
    let found = warnings(
      controls: """
        {button: t, at: [200, 300], size: [12, 100], text: Light},
        {label: l, at: [600, 300], size: [8, 100], text: Hello},
        """)
    let hidden = found.filter { $0.contains("is not shown: there is no space for it") }
    #expect(hidden.count == 2, "\(found)")
    #expect(hidden.allSatisfy { $0.contains("\"Light\"") || $0.contains("\"Hello\"") })
  }

  @Test func `the end of a long truncated text is shown`() {
    let words = (1...60).map { "word\($0)" }.joined(separator: " ")
    let found = warnings(
      controls: "{label: l, at: [400, 200], size: [300, 100], text: \(words)},")
    #expect(found.count == 1)
    let halves = found[0].split(separator: " is cut to ").map { $0.split(separator: "(")[0] }
    #expect(halves.count == 2)
    #expect(halves[0].contains("word1 word2") && !halves[1].contains("word1 word2"), "\(found)")
  }

  @Test func `a leaf's truncated text is reported, too, as it is visible in the open menu`() {
    let found = warnings(
      controls: """
        {menu: m, at: [400, 240], label: Menu, items: [{id: a, label: Short},
        {id: b, label: Supercalifragilisticexpialidocious}]},
        """)
    let long = "7:16: warning: \"Supercalifragilisticexpialidocious\""
    #expect(found.contains { $0.hasPrefix("\(long) is cut to ") }, "\(found)")
    #expect(found.contains { $0.hasPrefix("\(long) makes the other labels") }, "\(found)")
  }

  @Test func `text with little contrast is reported`() {
    #expect(
      warnings(
        controls: """
          {label: faint, at: [400, 40], text: faint, color: "#304050"},
          {button: b, at: [400, 140], size: [300, 80], text: "On", color: "#ffe9a0", text_color: white},
          {pinwheel: w, at: [400, 330], radius: 140, text_color: "#808080",
          wedges: [{id: a, label: One, color: gray}, {id: b, label: Two, color: silver}, {id: c, label: Six, color: black}]},
          """) == [
          "6:37: warning: \"faint\" is hard to read: its contrast to the background is 1.2 : 1 "
            + "(expected at least 3 : 1)",
          "7:52: warning: \"On\" is hard to read: its contrast to the background is 1.2 : 1 "
            + "(expected at least 3 : 1)",
          "9:25: warning: \"One\" is hard to read: its contrast to the background is 1 : 1, "
            + "and 1 more in it (expected at least 3 : 1)",
        ])
  }

  @Test(
    arguments: ["#10151c", "#f4f1ea", "#7b7b7b"],
    ["#ffffff00", "#ffffff20", "#ffffff80", "#00000010", "#000000a0", "#80808080", "#e06000c0"])
  func `text on any fill of a control is legible, even if translucent`(
    _ background: String, _ color: String
  ) {
    let found = warnings(
      controls: """
        {button: b, at: [90, 60], size: [160, 80], text: Save, color: "\(color)"},
        {list: l, at: [300, 140], size: [220, 240], row_height: 90, color: "\(color)",
        items: [{id: a, label: Hall, detail: first, section: North}]},
        {keypad: k, at: [90, 330], size: [160, 240], color: "\(color)"},
        {toggle: t, at: [300, 330], size: [220, 80], label: Light, color: "\(color)"},
        {picker: p, at: [520, 130], size: [160, 200], color: "\(color)",
        wheels: [{id: w, items: [One, Two, Three]}]},
        {menu: m, at: [520, 350], label: Menu, color: "\(color)", items: [{id: a, label: "Yes"}]},
        {dial: d, at: [690, 120], radius: 100, labels: 12, color: "\(color)"},
        {pinwheel: w, at: [690, 330], radius: 100,
        wedges: [{id: a, label: A, color: "\(color)"}, {id: b, label: B, color: "\(color)"}]},
        """, background: background)
    #expect(found == [])
  }

  @Test func `text on an image, on its own disc, or on a disabled control isn't reported`() {
    #expect(
      warnings(
        controls: """
          {image: art, at: [100, 100], size: [150, 150], file: wall.png},
          {label: over, at: [100, 100], text: over, color: "#203040"},
          {button: disc, at: [400, 100], size: [150, 150], color: white},
          {label: on, at: [400, 100], text: "on", color: "#203040"},
          {button: b, at: [600, 100], size: [200, 90], text: Later, enabled: false},
          {pinwheel: w, at: [200, 330], radius: 140, wedges: [{id: a, label: A}, {id: b, label: B, enabled: false}]},
          """) == [])
  }

  @Test func `an invisible press and blink are reported, once per wheel`() {
    #expect(
      warnings(
        controls: """
          {pinwheel: w, at: [400, 240], radius: 200, press: "#ffffff26",
          wedges: [{id: a}, {id: b, color: white}, {id: c, color: "#f4efe4"}]},
          """) == [
          "7:24: warning: the press of \"b\" cannot be seen on its colour, and 1 more in it "
            + "(expected a \"press\" or \"highlight\" that differs from the colour, such as \"#00000033\")"
        ])
  }

  @Test func `a press or highlight without a colour is reported, even on images`() {
    for key in ["press", "highlight"] {
      #expect(
        warnings(
          controls: """
            {pinwheel: w, at: [200, 240], radius: 150, \(key): "#00000000",
            wedges: [{id: a}, {id: b, color: "#1f7ae0"}]},
            {pinwheel: x, at: [600, 240], radius: 150, \(key): "#ffffff00",
            wedges: [{id: a, image: wall.png}, {id: b, image: wall.png, press_image: wall.png}]},
            """)
          == ["7", "9"].enumerated().map { number, line in
            "\(line):15: warning: the \(key == "press" ? "press" : "blink") of \"a\" cannot be seen "
              + "on its colour\(number == 0 ? ", and 1 more in it" : "") "
              + "(expected a \"press\" or \"highlight\" that differs from the colour, such as \"#00000033\")"
          })
    }
  }

  @Test func `labels that don't fit a dial are reported, unless they are numbers`() {
    #expect(
      warnings(
        controls: """
          {dial: d, at: [400, 240], radius: 120, font_size: 60,
          labels: [North, East, South, West, Up, Down, Left, Right]},
          {dial: n, at: [650, 240], radius: 120, labels: 60},
          """) == [
          "7:9: warning: at rest, \"d\" has space for only one in 5 of its labels "
            + "(expected a smaller font, shorter or fewer labels, or a larger radius)"
        ])
  }

  @Test func `a visible, disabled or image effect of a press isn't reported`() {
    #expect(
      warnings(
        controls: """
          {pinwheel: v, at: [150, 240], radius: 140, press: "#00000033", highlight: "#00000099",
          wedges: [{id: a}, {id: b, color: white}]},
          {pinwheel: w, at: [600, 240], radius: 140, press: none, blink: {count: 0},
          wedges: [{id: a}, {id: b, color: white}]},
          {pinwheel: y, at: [750, 80], radius: 45, wedges: [{id: a}, {id: b, color: white}]},
          {pinwheel: x, at: [350, 80], radius: 60,
          wedges: [{id: a, image: wall.png, color: white}, {id: b, color: black}]},
          """) == [])
  }
}

@Suite struct ExampleWarningTests {
  /// The directory that contains Package.swift.
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static var kiosks: [String] {
    let folder = repository.appending(path: "deploy/examples/kiosks").path
    return (try? FileManager.default.contentsOfDirectory(atPath: folder))?
      .filter { $0.hasSuffix(".yaml") }.sorted() ?? []
  }

  @Test(arguments: kiosks) func `the examples have no warnings`(_ name: String) throws {
    let path = Self.repository.appending(path: "deploy/examples/kiosks/\(name)").path
    var reading = ParsedKiosk(
      Array(try Data(contentsOf: URL(filePath: path))), path: path, assets: StubAssets())
    reading.review(with: try fonts(reading.fonts))
    #expect(reading.diagnostics.map(\.description) == [])
  }
}

@Suite struct ThemeWarningTests {
  private static let label = "{label: a, at: [400, 100], text: Hello, color: \"#c8c8c8\"},"

  @Test func `text illegible in one of a template's themes is reported`() {
    #expect(
      warnings(
        controls: Self.label,
        head: "theme: \"{now.getHours() < 18 ? 'dark' : 'light'}\""
      ).isEmpty)
    // The page's background is the same in both themes, so the difference needs another one.
    let pale = Self.label.replacing("label: a", with: "button: a, size: [200, 80]")
      .replacing("color:", with: "text_color:")
    #expect(
      warnings(
        controls: pale, head: "theme: \"{now.getHours() < 18 ? 'dark' : 'light'}\"") == [
          "6:52: warning: \"Hello\" in \"light\" is hard to read: its contrast to the background is "
            + "1.2 : 1 (expected at least 3 : 1)"
        ])
    #expect(warnings(controls: pale, head: "theme: dark").isEmpty)
  }
}

@Suite struct IconWarningTests {
  @Test func `a symbol missing in all fonts is reported by its code`() {
    #expect(
      warnings(
        controls: """
          {button: a, at: [400, 100], size: [200, 80], text: Hello, icon: "\\uf0f4"},
          """) == [
          "6:65: warning: \"U+F0F4\" has characters that no font contains: U+F0F4 "
            + "(expected characters of \"DejaVu Sans\", or a font that contains them)"
        ])
  }
}

@Suite struct ListWarningTests {
  @Test func `rows that scroll into view may be off the screen`() {
    let rows = (1...20).map { "Row \($0)" }.joined(separator: ", ")
    #expect(
      warnings(
        """
        kiosk: k
        screen: {size: [480, 320], font: DejaVu Sans}
        pages:
          - page: p
            controls:
              - {list: l, at: [240, 160], size: [416, 272], row_height: 64, items: [\(rows)]}
        """
      ).isEmpty)
  }
}

@Suite struct FlagWarningTests {
  private static let head = "values: {big: false, night: true, said: Yes}"

  @Test func `text truncated for one value of a flag is reported with the flag`() {
    let long = "Herzlich willkommen bei den Stadtwerken"
    let button =
      "{button: a, at: [400, 200], size: [120, 80], text: \"{big ? '\(long)' : 'Hi'}\"},"
    let found = warnings(controls: button, head: Self.head)
    #expect(
      found.count == 1 && found[0].contains(" when big is true (expected a shorter text"),
      "\(found)")
    // The text is truncated in any case.
    let always = warnings(
      controls: button.replacing("'Hi'", with: "'\(long)!'"), head: Self.head)
    #expect(always.count == 1 && !always[0].contains("where"), "\(always)")
  }

  @Test func `flags also count through computed values`() {
    let label = "{label: a, at: [400, 900], text: Hello, visible: \"{dark}\"},"
    let head = "values: {night: false, dark: \"{night || false}\"}"
    #expect(
      warnings(controls: label, head: head) == [
        "6:34: warning: \"Hello\" does not fit on the screen when night is true "
          + "(expected all of it within 800 by 480 pixels)"
      ])
  }

  @Test func `a review uses the current values`() throws {
    let text = """
      kiosk: k
      screen: {size: [800, 480], font: DejaVu Sans, panel: 20in}
      values: {said: Yes}
      pages: [{page: p, controls: [
        {label: a, at: [400, 100], size: [200, 40], lines: 1, font_size: 30, text: "{said}"}]}]
      """
    #expect(warnings(text).isEmpty)
    var reading = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: StubAssets())
    var start = Engine(try #require(reading.description), seed: 0)
    try start.set(.value("said"), to: .text("More than fits into the room"))
    reading.review(with: try fonts(reading.fonts), from: start)
    #expect(reading.diagnostics.count == 1 && "\(reading.diagnostics)".contains("is cut to"))
  }
}
