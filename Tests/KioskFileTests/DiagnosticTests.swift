// SPDX-License-Identifier: MIT

import RoundelExpressions
import Testing
import RoundelDeclarations

@testable import KioskFile

/// A broken file and its error messages.
struct Broken: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  var diagnostics: [String]

  init(_ name: String, _ text: String, _ diagnostics: String...) {
    self.name = name
    self.text = text
    self.diagnostics = diagnostics
  }

  var testDescription: String { name }

  /// A broken control on line 3, column 40 of an otherwise valid file.
  static func control(_ name: String, _ control: String, _ diagnostics: String...) -> Broken {
    var broken = Broken(
      name,
      "kiosk: k\nscreen: {size: [800, 480]}\npages: [{page: home, controls:        [{\(control)}]}]"
    )
    broken.diagnostics = diagnostics
    return broken
  }
}

@Suite struct DiagnosticTests {
  @Test func `a page needs no controls`() {
    #expect(diagnostics("kiosk: k\npages:\n  - page: a\n    controls: []\n").isEmpty)
  }

  @Test(arguments: [
    Broken(
      "an empty file", "",
      "1:1: error: the file is empty (expected a kiosk, such as \"kiosk: hello\" and \"pages: …\")"),
    Broken(
      "nothing but a comment", "# hello\n",
      "1:1: error: the file is empty (expected a kiosk, such as \"kiosk: hello\" and \"pages: …\")"),
    Broken(
      "a list", "- kiosk\n",
      "1:1: error: the file has the wrong type: a list "
        + "(expected a map with the keys kiosk, roundel, screen, theme, themes, transition, values, styles, "
        + "languages, texts, logic, speech, pages, keys, reactions or on)"),
    Broken(
      "a word", "kiosk",
      "1:1: error: the file has the wrong type: \"kiosk\" "
        + "(expected a map with the keys kiosk, roundel, screen, theme, themes, transition, values, styles, "
        + "languages, texts, logic, speech, pages, keys, reactions or on)"),
    Broken(
      "a list without an end", "kiosk: k\npages: [",
      "2:8: error: \"[\" is not closed (expected \"]\")"),
    Broken(
      "a tab in the indentation", "kiosk: k\n\tpages: []\n",
      "2:1: error: a tab in the indentation (expected spaces)"),
    Broken(
      "an alias without an anchor", "kiosk: *k\n",
      "1:8: error: there is no anchor \"&k\" before this alias "
        + "(expected an anchor, or quotes around a string that begins with *)"),
    Broken(
      "an alias of what it stands in", "kiosk: &k [*k]\n",
      "1:12: error: there is no anchor \"&k\" before this alias "
        + "(expected an anchor, or quotes around a string that begins with *)"),
    Broken(
      "a second kiosk",
      "kiosk: k\npages: [{page: a, controls: [{label: l, at: [1, 2], text: t}]}]\n---\nkiosk: l",
      "3:1: error: a second YAML document begins here (expected one kiosk per file)"),
    Broken(
      "a suite", "# A test.\nsuite: s\nkiosk: k.yaml\ntests: [{test: t, for: [1], steps: []}]\n",
      "2:1: error: the file is a suite (expected a kiosk file; roundel test runs suites)"),
    Broken(
      "a recording",
      "{\"t\":0,\"down\":{\"finger\":0,\"x\":1,\"y\":1}}\n{\"t\": 1, \"up\":{\"finger\":0}}\n",
      "1:1: error: the file is a recording (expected a kiosk file; roundel replay plays recordings)"
    ),
    Broken(
      "missing keys", "{}",
      "1:1: error: missing key \"kiosk\" in kiosk (expected a name)",
      "1:1: error: missing key \"pages\" in kiosk (expected a list of pages)"),
    Broken(
      "no pages", "kiosk: k\npages: []\n",
      "2:8: error: \"pages\" is an empty list (expected at least one)"),
    Broken(
      "a key twice", "kiosk: k\npages: []\nkiosk: l\n",
      "2:8: error: \"pages\" is an empty list (expected at least one)",
      "3:1: error: duplicate key \"kiosk\" (first on line 1)"),
    Broken(
      "a key that is a list", "? [a]\n: b\nkiosk: k\npages: []",
      "1:3: error: a key is a list (expected a string)",
      "4:8: error: \"pages\" is an empty list (expected at least one)"),
    Broken(
      "a tag", "kiosk: !name k\npages: []",
      "1:8: error: unknown tag \"!name\" (expected no tag; a string that begins with ! needs quotes)",
      "2:8: error: \"pages\" is an empty list (expected at least one)"),
    Broken(
      "a zero byte", "kiosk: \"a\\0b\"\npages: []",
      "1:8: error: \"a\\u{0}b\" contains a zero byte (expected a string)",
      "2:8: error: \"pages\" is an empty list (expected at least one)"),
    Broken(
      "everything about a screen",
      """
      kiosk: ~
      screen:
        sise: [800, 480]
        size: [8, 99999]
        background: "#12345"
        rotate: 45
        font: Wingdings
        home_after: 0
        blank_after: soon
      pages: home
      """,
      "1:8: error: \"kiosk\" has the wrong type: nothing (expected a name)",
      "3:3: error: unknown key \"sise\" in screen "
        + "(expected size, shape, background, rotate, depth, font, bold, weight, panel, brightness, home_after, blank_after, warn, motion, debounce, dwell, mirror or scanner; "
        + "did you mean \"size\"?)",
      "4:10: error: item 1 of \"size\" is out of range: 8 "
        + "(expected a number from 16 to 7680 pixels)",
      "4:13: error: item 2 of \"size\" is out of range: 99999 "
        + "(expected a number from 16 to 7680 pixels)",
      "5:15: error: \"background\" is not a colour: \"#12345\" "
        + "(expected a colour: #rgb, #rrggbb, #rrggbbaa or a CSS name"
        + ", or one of accent, background, muted, surface or text)",
      "6:11: error: \"rotate\" is 45 (expected 0, 90, 180, 270 or auto)",
      "7:9: error: font \"Wingdings\": not found "
        + "(expected an installed font family, or a font file relative to this file)",
      "8:15: error: \"home_after\" is out of range: 0 "
        + "(expected a number from 0.1 to 10000000 seconds)",
      "9:16: error: \"blank_after\" has the wrong type: \"soon\" "
        + "(expected a number from 0.1 to 10000000 seconds)",
      "10:8: error: \"pages\" has the wrong type: \"home\" (expected a list of pages)"),
    Broken(
      "names that are taken",
      """
      kiosk: k
      pages:
        - page: home
          controls: [{label: l, at: [1, 2], text: t}]
        - page: home
          background: {image: lost.png}
          controls: [{label: l, at: [1, 2], text: t}]
      """,
      "5:11: error: duplicate page \"home\" (first on line 3)",
      "6:25: error: image \"lost.png\": no such file (expected a PNG or JPEG file)",
      "7:24: error: duplicate id \"l\" (first on line 4)"),
    Broken(
      "names of nothing",
      """
      kiosk: k
      pages:
        - page: home
          controls:
            - button: ok
              at: [1, 2]
              size: [300, 300]
              on:
                selekted: []
                pressed:
                  - go: hom
                  - go: elsewhere
                  - set: {okk.enabled: true}
                  - set: {ok.enabeld: true}
                  - set: {ok: true}
                  - set: {ok.enabled: 3}
                  - set: {}
                  - spin: ok
                  - open: sesame
                  - launch: [ls]
                  - run: []
                  - run: ls
                  - emit: ""
                  - {go: home, blank: true}
                  - blank: sometimes
                selected: {go: home}
            - label: l
              at: [1, 2]
              text: "{ok.text} {oj.enabled}"
            - label: m
              at: [1, 2]
              text: "{ok}"
            - label: n
              at: [1, 2]
              text: "{"
      """,
      "9:11: error: unknown event \"selekted\" "
        + "(expected pressed, left, returned, selected, confirmed, cancelled or held; did you mean \"selected\"?)",
      "11:19: error: there is no page \"hom\" (expected home; "
        + "did you mean \"home\"?)",
      "12:19: error: there is no page \"elsewhere\" (expected home)",
      "13:21: error: there is no control \"okk\" (expected ok, l, m or n; "
        + "did you mean \"ok\"?)",
      "14:21: error: \"ok\" has no property \"enabeld\" (expected enabled, visible, text, "
        + "image, hit, icon, font_size, color, text_color, shape, blink, selected or hold; "
        + "did you mean \"enabled\"?)",
      "15:21: error: there is no value \"ok\" (expected control.property)",
      "16:33: error: \"ok.enabled\" is set to 3 (expected true or false)",
      "17:20: error: \"set\" is an empty map (expected {control.property: value})",
      "18:21: error: \"ok\" is a button, which does not spin (expected a control that does)",
      "19:21: error: there is no control \"sesame\"",
      "20:15: error: unknown action \"launch\" "
        + "(expected go, show, notify, set, spin, open, close, run, play, emit, publish, "
        + "call, blank, wake or reset)",
      "21:20: error: \"run\" is an empty list (expected at least one)",
      "22:20: error: \"run\" has the wrong type: \"ls\" "
        + "(expected a list of a program and its arguments)",
      "23:21: error: \"emit\" is an empty string (expected the name of an event)",
      "24:15: error: an action with 2 keys (expected a map for each, such as {go: page})",
      "25:22: error: \"blank\" has the wrong type: \"sometimes\" (expected true or false, or view)",
      "26:21: error: \"selected\" has the wrong type: a map (expected a list of actions)",
      "29:15: error: there is no control \"oj\" (expected ok, l, m or n; "
        + "did you mean \"ok\"?)",
      "32:15: error: unknown name \"ok\" "
        + "(expected control.property, or one of theme, text_scale, over, now, uptime, page or language)",
      "35:15: error: unexpected end of the expression (expected a value or a name)"),
    Broken(
      "expressions that make no sense",
      """
      kiosk: k
      pages:
        - page: home
          controls:
            - dial: d
              at: [1, 2]
              radius: 400
              labels: 12
            - label: a
              at: [1, 2]
              text: "{d.valeu:02d} {d.value + 1} {e-f.value}"
            - label: b
              at: [1, 2]
              text: "{d.label + 1}"
            - label: c
              at: [1, 2]
              text: "{d.value:%H}"
            - label: g
              at: [1, 2]
              text: "{1 +}"
      """,
      "11:15: error: \"d\" has no property \"valeu\" (expected value, label, angle, enabled, "
        + "visible, labels, steps_per_turn, min, max, step, label_every, unit, upright, marker, label_offset, "
        + "font_size, text_color, color, background, drag, inertia, tap, wrap, pointer, …; did you mean \"value\"?)",
      "11:15: error: there is no control \"e-f\" (expected d, a, b, c or g)",
      "14:15: error: \"+\" takes two numbers or two strings or two lists, not a string and a number",
      "17:15: error: \"%H\" is not a format (expected a format such as \".1f\" \"02d\" \",d\" \".0%\")",
      "20:15: error: unexpected \"}\" (expected a value or a name)"),
    Broken(
      "texts that show each other in circles",
      """
      kiosk: k
      pages:
        - page: home
          controls:
            - {label: own, at: [1, 2], text: "{own.text} x"}
            - {label: a, at: [1, 2], text: "{b.text}{own.enabled}"}
            - {label: b, at: [1, 2], text: "{c.text}"}
            - {label: c, at: [1, 2], text: "{good.text} {a.text}"}
            - {label: leading, at: [1, 2], text: "{a.text}"}
            - {label: good, at: [1, 2], text: "good"}
      """,
      "5:40: error: own.text depends on itself (expected no cycle)",
      "6:38: error: a.text depends on itself through b.text or c.text (expected no cycle)"),
    Broken(
      "a screen larger than any panel",
      """
      kiosk: k
      screen: {size: [4321, 7000]}
      pages: [{page: home, controls: [{label: l, at: [1, 2], text: t}]}]
      """,
      "2:16: error: \"size\" is too large: 4321 by 7000 "
        + "(expected at most 7680 by 4320 pixels, or 4320 by 7680)"),
    Broken(
      "many directives", String(repeating: "%TAG !a! b\n", count: 17) + "--- k",
      "17:1: error: more than 16 lines begin with % (expected none: tags are not supported)"),
    Broken(
      "a text longer than a book's chapter", "kiosk: " + String(repeating: "x", count: 65_537),
      "1:8: error: a string is longer than 64 KiB"),
    .control(
      "an unknown type", "buton: b, at: [1, 2]",
      "3:41: error: unknown control type \"buton\" "
        + "(expected one of \(types); did you mean \"button\"?)"),
    .control(
      "a type that does not come first", "at: [1, 2], label: l, text: t",
      "3:53: error: a control's type must come first (expected \"label\" before \"at\")"),
    .control(
      "no type", "x: 1, y: 2", "3:41: error: unknown control type \"x\" (expected one of \(types))"),
    .control(
      "a control of nothing", "", "3:40: error: a control without a type (expected one of \(types))"
    ),
    .control(
      "ids that nothing can refer to", "label: a.b, at: [1, 2], text: t",
      "3:48: error: \"a.b\" is not an id (expected an id without any of . / { } =)"),
    .control(
      "a hole as wide as the wheel",
      "pinwheel: p, at: [1, 2], radius: 300, hole: 300, wedges: [{id: a}]",
      "3:85: error: \"hole\" is out of range: 300 (expected less than the \"radius\" of 300)"),
    .control(
      "everything about a pinwheel",
      """
      pinwheel: p, at: [1, 2, 3], radius: .inf, hole: -1, gap: 6pt, start: .nan,
      press: None, highlight: redd, blink: {count: 1.5, on: 0, off: "0"}, font_size: 0,
      text_color: none, colour: red, on: {spin: []},
      wedges: [{label: [], color: , image: lost.png, enabled: maybe}, {id: a/b}, {id: c}, {id: c}]
      """,
      "3:58: error: \"at\" has 3 items (expected a point [x, y])",
      "3:77: error: \"radius\" is out of range: .inf (expected a number from 1 to 100000 pixels)",
      "3:89: error: \"hole\" is out of range: -1 (expected a number from 0 to 100000 pixels)",
      "3:98: error: \"gap\" is not a gap: \"6pt\" "
        + "(expected a number from 0 to 360 degrees, or pixels such as 6px)",
      "3:110: error: \"start\" is out of range: .nan (expected a number from -3600 to 3600 degrees)",
      "4:8: error: \"press\" is not a colour: \"None\" "
        + "(expected a colour: #rgb, #rrggbb, #rrggbbaa or a CSS name"
        + ", or one of accent, background, muted, surface or text, or none)",
      "4:25: error: \"highlight\" is not a colour: \"redd\" (expected a colour: "
        + "#rgb, #rrggbb, #rrggbbaa or a CSS name"
        + ", or one of accent, background, muted, surface or text, or none; did you mean \"red\"?)",
      "4:46: error: \"count\" has the wrong type: 1.5 (expected a whole number from 0 to 100)",
      "4:55: error: \"on\" is out of range: 0 (expected a number from 0.01 to 60 seconds)",
      "4:63: error: \"off\" has the wrong type: \"0\" (expected a number from 0 to 60 seconds)",
      "4:80: error: \"font_size\" is out of range: 0 (expected a number from 1 to 2000 pixels)",
      "5:13: error: \"text_color\" is not a colour: \"none\" "
        + "(expected a colour: #rgb, #rrggbb, #rrggbbaa or a CSS name"
        + ", or one of accent, background, muted, surface or text)",
      "5:19: error: unknown key \"colour\" in pinwheel (expected pinwheel, at, cell, radius, hole, gap, "
        + "start, press, highlight, blink, hold, font_size, text_color, labels, icon_size, icon_font, wedges, font, bold, weight, style, enabled, visible, always, …)",
      "5:37: error: unknown event \"spin\" (expected pressed, left, returned, selected, confirmed, cancelled or held)",
      "6:10: error: missing key \"id\" in wedge (expected an id without any of . / { } =)",
      "6:18: error: \"label\" has the wrong type: an empty list (expected a string)",
      "6:29: error: \"color\" has no value (expected a colour: #rgb, #rrggbb, #rrggbbaa or a CSS "
        + "name, or one of accent, background, muted, surface or text; \"#\" begins a comment, so a colour needs quotes)",
      "6:38: error: image \"lost.png\": no such file (expected a PNG or JPEG file)",
      "6:57: error: \"enabled\" has the wrong type: \"maybe\" (expected true or false)",
      "6:70: error: \"a/b\" is not an id (expected an id without any of . / { } =)",
      "6:90: error: duplicate id \"c\" (first on line 6)"),
    .control(
      "everything about a menu",
      """
      menu: m, at: [1, 2], radius: 0, arc: 361, open: {damping: 0, time: 1},
      items: [{id: a, items: [{id: b}, {id: a, on: {opened: []}}]}, {id: c, items: []}]
      """,
      "3:70: error: \"radius\" is out of range: 0 (expected a number from 1 to 100000 pixels)",
      "3:78: error: \"arc\" is out of range: 361 (expected a number from 1 to 360 degrees)",
      "3:99: error: \"damping\" is out of range: 0 (expected a number from 0.05 to 20)",
      "3:102: error: unknown key \"time\" in menu_opening (expected damping or duration)",
      "4:39: error: duplicate id \"a\" (first on line 4)",
      "4:47: error: unknown event \"opened\" (expected passing or selected)",
      "4:78: error: \"items\" is an empty list (expected at least one)"),
    .control(
      "a text too long for its code",
      "qr: q, at: [1, 2], size: [32, 99], text: https://example.org/a",
      "3:82: error: \"text\" is too long for a QR code: 21 bytes "
        + "(expected at most 17 bytes in this size, or a larger \"size\")"),
    .control(
      "a text too long for any code",
      "qr: q, at: [1, 2], size: [400, 400], text: \(String(repeating: "a", count: 2954))",
      "3:84: error: \"text\" is too long for a QR code: 2954 bytes (expected at most 2953 bytes)"),
    .control(
      "a layout without keys", "keypad: k, at: [1, 2], size: [400, 400], layout: []",
      "3:90: error: \"layout\" is an empty list (expected at least one)"),
    .control(
      "a layout without letters",
      "keypad: k, at: [1, 2], size: [400, 400], layout: [[shift], [delete, enter]]",
      "3:90: error: \"layout\" has no key for a character "
        + "(expected keys with letters or digits)"),
    .control(
      "another layout", "keypad: k, at: [1, 2], size: [400, 400], layout: pim",
      "3:90: error: \"layout\" is \"pim\" (expected digits, pin or text; did you mean \"pin\"?)"),
    .control(
      "a PIN in the file",
      "keypad: k, at: [1, 2], size: [400, 400], layout: pin, value: 1234",
      "3:102: error: a PIN with a \"value\" in the file (expected no \"value\"; a PIN is typed)"),
    .control(
      "rows without height, and an id twice",
      "list: l, at: [1, 2], size: [400, 400], row_height: 0, items: [{id: a}, {id: a}, b]",
      "3:92: error: \"row_height\" is out of range: 0 (expected a number from 1 to 10000 pixels)",
      "3:117: error: duplicate id \"a\" (first on line 3)"),
    .control(
      "a small button", "button: b, at: [1, 2], size: [300, 40]",
      "3:70: warning: the button is 7.6 mm high on a 7-inch panel, which is small for a finger "
        + "(expected at least 9 mm, here 48 pixels)"),
    .control(
      "a button that lacks less than a tenth of a millimetre",
      "button: b, at: [1, 2], size: [300, 47]",
      "3:70: warning: the button is 8.9 mm high on a 7-inch panel, which is small for a finger "
        + "(expected at least 9 mm, here 48 pixels)"),
    .control(
      "a narrow button", "button: b, at: [1, 2], size: [40, 300]",
      "3:70: warning: the button is 7.6 mm wide on a 7-inch panel, which is small for a finger "
        + "(expected at least 9 mm, here 48 pixels)"),
    Broken(
      "a small button on a large panel",
      """
      kiosk: k
      screen: {size: [1080, 1920], panel: 15.6in}
      pages: [{page: a, controls: [
        {button: b, at: [500, 100], size: [200, 100]}, {button: c, at: [500, 300], size: [200, 40]}]}]
      """,
      "4:84: warning: the button is 7.1 mm high on a 15.6-inch panel, which is small for a finger "
        + "(expected at least 9 mm, here 51 pixels)"),
    Broken(
      "a missing program beside the kiosk, and one without a name",
      "kiosk: k\nlogic: [lost, a]\npages: [{page: a, controls: [{label: l, at: [99, 99], text: x}]}]\n",
      "2:9: error: program \"lost\": there is none for k.yaml "
        + "(expected a program next to the kiosk file, or in PATH)"),
    Broken(
      "panels of no size",
      "kiosk: k\nscreen: {panel: 10}\npages: [{page: a, controls: [{label: l, at: [99, 99], text: x}]}]\n",
      "2:17: error: \"panel\" is not a diagonal: 10 (expected inches from 1in to 1000in, such as 10.1in)"
    ),
    .control(
      "programs that are not there",
      """
      button: b, at: [99, 99], size: [99, 99], on: {selected: [{run: [bin/lost, x]}, {run: [lost]},
      {run: [sh, lost]}, {run: ["{b.text}lost"]}]}
      """,
      "3:105: error: program \"bin/lost\": there is none for k.yaml "
        + "(expected a program next to the kiosk file, or in PATH)",
      "3:127: error: program \"lost\": there is none for k.yaml "
        + "(expected a program next to the kiosk file, or in PATH)"),
    .control(
      "many wedges", "pinwheel: p, at: [1, 2], radius: 60, wedges: [{id: a}, {id: b}, {id: c}]",
      "3:74: warning: a wedge is 8.5 mm wide on a 7-inch panel, which is small for a finger "
        + "(expected at least 9 mm, here 48 pixels)"),
  ])
  func `every error is reported with its location`(_ broken: Broken) {
    #expect(diagnostics(broken.text) == broken.diagnostics)
  }

  private static let types = ControlType.all.map(\.name).alternatives

  @Test(
    arguments: [
      ([0xff, 0xfe, 0x6b, 0x00], "1:1: error: the file is not valid UTF-8 text"),
      (Array("kiosk: ä\nx: ü".utf8) + [0xc3], "2:5: error: the file is not valid UTF-8 text"),
      (Array("kiosk: k\n".utf8) + [0], "2:1: error: the file is not valid UTF-8 text"),
    ] as [([UInt8], String)])
  func `bytes that aren't text are reported`(_ bytes: [UInt8], _ diagnostic: String) {
    let reading = ParsedKiosk(bytes, path: "k.yaml", assets: StubAssets())
    #expect(reading.description == nil)
    #expect(reading.diagnostics.map { $0.description.contains(diagnostic) } == [true])
  }

  @Test func `a few aliases that stand for billions of values are rejected`() {
    var text = "a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
    for level in 1...12 {
      let alias = "*a\(level - 1)"
      text +=
        "a\(level): &a\(level) [\(Array(repeating: alias, count: 10).joined(separator: ", "))]\n"
    }
    #expect(
      diagnostics(text) == [
        "6:15: error: with its aliases expanded, the file contains more than 250000 values"
      ])
  }

  @Test(arguments: ["[", "{a: ", "- ", "? "])
  func `deep nesting is rejected`(_ start: String) {
    let diagnostics = diagnostics(String(repeating: start, count: 100_000))
    #expect(diagnostics.count == 1)
    #expect(diagnostics[0].hasSuffix("values are nested deeper than 100 levels"))
  }

  @Test func `aliases can't nest deeper than lists`() {
    var text = "a0: &a0 [1]\n"
    for level in 1...200 { text += "a\(level): &a\(level) [[*a\(level - 1)]]\n" }
    #expect(
      diagnostics(text) == ["50:13: error: values are nested deeper than 100 levels"])
  }

  @Test func `too many expressions are one error`() {
    let text = String(repeating: "{x.text}", count: 1000)
    let labels = (0..<25).map { "{label: l\($0), at: [1, 2], text: \"\(text)\"}" }
    let file = "kiosk: k\npages: [{page: a, controls: [\n" + labels.joined(separator: ",\n") + "]}]"
    #expect(
      diagnostics(file) == ["23:32: error: the file has more than 20000 expressions"])
  }

  @Test func `labels of dials count towards the limit`() {
    let dials = (0..<26).map { "{dial: d\($0), at: [1, 2], radius: 300, labels: 10000}" }
    let text =
      "kiosk: k\npages: [{page: a, controls: [\n" + dials.joined(separator: ",\n") + "]}]"
    #expect(
      diagnostics(text) == ["28:46: error: the file expands to more than 250000 values"])
  }

  @Test func `a file that takes too long to read has only that error`() {
    var time = 0.0
    let limit = TimeLimit(seconds: 10) {
      time += 4
      return time
    }
    let labels = (0..<1_000).map { "  - {label: l\($0), at: [1, 2], text: t}" }
    let text = "kiosk: k\npages:\n- page: a\n  controls:\n" + labels.joined(separator: "\n")
    let reading = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: StubAssets(), limit: limit)
    #expect(reading.description == nil)
    #expect(reading.diagnostics.count == 1)
    #expect(
      reading.diagnostics.first?.message
        == "reading the file takes longer than 10 s (expected a simpler file)")
  }

  @Test func `an exceeded time limit stays exceeded`() {
    var time = 0.0
    let limit = TimeLimit(seconds: 1) { time }
    #expect(!limit.isExceeded)
    time = 2
    let answers = (0..<200).map { _ in limit.isExceeded }
    #expect(answers.last == true)
    #expect(answers.drop { !$0 }.allSatisfy { $0 })
  }

  @Test func `a huge file is rejected`() {
    let text = "# " + String(repeating: "x", count: 5 << 20)
    #expect(diagnostics(text) == ["1:1: error: the file is larger than 4 MiB"])
  }

  @Test func `a control with an error doesn't hide errors that refer to it`() {
    let text = """
      kiosk: k
      pages:
        - page: home
          controls:
            - {pinwheel: w, at: [1, 2], radius: 300, hole: 300, wedges: [{id: a}]}
            - {picker: p, at: [1, 2], size: [99, 0], wheels: [{id: v, items: [x]}]}
            - {slots: s, at: [1, 2], reels: [{id: r, items: [x]}, {id: r2}]}
            - {buton: b, at: [1, 2]}
            - button: ok
              at: [1, 2]
              size: [300, 300]
              on:
                pressed:
                  - set: {w.itm: 1}
                  - set: {w.item: whatever}
                  - set: {p.v.indx: 1, p.v.index: 7}
                  - set: {p.w.index: 1, b.anything: 1}
                  - {spin: s}
                  - {spin: w}
            - {label: l, at: [1, 2], text: "{s.r.label} {s.r2.index} {s.r3.index}"}
      """
    let found = diagnostics(text).filter {
      !$0.hasPrefix("5:") && !$0.hasPrefix("6:") && !$0.hasPrefix("7:")
    }
    #expect(
      found.map { String($0.prefix { $0 != "(" }) } == [
        "8:10: error: unknown control type \"buton\" ",
        "14:21: error: \"w\" has no property \"itm\" ",
        "16:21: error: \"p\" has no property \"v.indx\" ",
        "17:21: error: \"p\" has no property \"w.index\" ",
        "19:22: error: \"w\" is a pinwheel, which does not spin ",
        "20:38: error: \"s\" has no property \"r3.index\" ",
      ])
  }

  @Test(arguments: ControlType.all.map(\.name))
  func `every control type has a fallback for invalid files`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    #expect(type.placeholder(items: []) != nil)
    #expect(type.placeholder(items: ["a", "b"]) != nil)
  }

  @Test func `an error in an anchored part is reported once`() {
    let text = """
      kiosk: k
      pages:
        - page: home
          controls:
            - pinwheel: p
              at: [1, 2]
              radius: 300
              wedges: [{id: a, on: &on {selected: [{go: away}]}}, {id: b, on: *on}]
      """
    #expect(
      diagnostics(text) == [
        "8:51: error: there is no page \"away\" (expected home)"
      ])
  }

  private var page: String { "{page: a, controls: [{button: b, at: [99, 99], size: [90, 90]}]}" }

  @Test(arguments: ["1", "2.0", "2.0.0", "3.0.0", "\"1.9\"", "0"])
  func `a file may require a version`(version: String) {
    #expect(diagnostics("kiosk: k\nroundel: \(version)\npages: [\(page)]") == [])
  }

  @Test(arguments: [
    ("5", "5.0.0"), ("4.0.1", "4.0.1"), ("4.10", "4.10.0"), ("999999", "999999.0.0"),
  ])
  func `a file for a newer version reports that along with unknown keys`(
    written: String, version: String
  ) {
    #expect(
      diagnostics("kiosk: k\nroundel: \(written)\nhologram: 1\npages: [\(page)]") == [
        "2:10: error: this file needs Roundel \(version), but this is 4.0.0 "
          + "(expected 4.0.0 at most; install a newer Roundel to show the file)",
        "3:1: error: unknown key \"hologram\" in kiosk (expected kiosk, roundel, screen, theme, themes, "
          + "transition, values, styles, languages, texts, logic, speech, pages, keys, reactions or on)",
      ])
  }

  @Test(arguments: ["two", "2.x", "2.", ".2", "-1", "1.2.3.4", "1234567", "[2]", "true"])
  func `an invalid version is an error`(written: String) {
    let reported = diagnostics("kiosk: k\nroundel: \(written)\npages: [\(page)]")
    #expect(reported.count == 1)
    #expect(reported.first?.hasSuffix("(expected a version such as 4.0.0)") == true)
  }

  @Test func `messages start with the file's name`() {
    let reading = ParsedKiosk(Array("x".utf8), path: "dir/k.yaml", assets: StubAssets())
    #expect(reading.diagnostics.first?.description.hasPrefix("dir/k.yaml:1:1: error: ") == true)
  }

  @Test func `text quoted in a message stays on one line`() {
    let text = "\"a\\nb\": 1"
    #expect(
      diagnostics(text).first
        == "1:1: error: unknown key \"a\\nb\" in kiosk (expected kiosk, roundel, screen, "
        + "theme, themes, transition, values, styles, languages, texts, logic, speech, pages, keys, reactions or on)"
    )
  }
}
