// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
import Kiosk
import KioskFile
import RoundelMotion
import RoundelRuntime
import RoundelSuites
import Testing
import RoundelText

/// Finds all images, sounds and fonts.
private struct StubAssets: AssetLoader {
  func loadImage(at path: String) throws(AssetError) {}
  func loadSound(at path: String) throws(AssetError) {}
  func loadFont(_ face: FaceName) throws(AssetError) {}
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no such file")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}

/// A suite with one test, on a kiosk given as the text of its file.
private struct Trial {
  let description: Description
  let reading: SuiteReading

  init(_ kiosk: String, _ steps: [String]) throws {
    let parsed = ParsedKiosk(Array(kiosk.utf8), path: "k.yaml", assets: StubAssets())
    #expect(parsed.diagnostics.map(\.description) == [])
    let description = try #require(parsed.description)
    self.description = description
    let lines = steps.map { "      - \($0)\n" }.joined()
    let text = "suite: s\nkiosk: k.yaml\ntests:\n  - test: t\n    steps:\n\(lines)"
    reading = SuiteReading(Array(text.utf8), path: "s.yaml") { _, _ in description }
  }

  var diagnostics: [String] { reading.diagnostics.map(\.description) }

  /// The failure of the test, or nil if it passes.
  func failure() throws -> String? {
    #expect(diagnostics == [])
    let suite = try #require(reading.suite)
    let bench = HeadlessBench(Content(description, fonts: FontLibrary()))
    let runner = TestRunner(at: bench, goldens: MemoryGoldens(), clock: { .zero })
    return try runner.run(suite.tests[0], of: suite).failure.map {
      "\($0.line):\($0.column): \($0.message)"
    }
  }
}

private let keypads = """
  kiosk: k
  pages:
    - page: code
      controls:
        - {keypad: pin, at: [200, 300], size: [300, 400], layout: pin, length: 4,
           on: {entered: [{set: {said.text: "{event.text}"}}]}}
        - {label: said, at: [700, 100], text: ""}
        - {button: on, at: [700, 300], size: [90, 90], text: On, on: {selected: [{go: words}]}}
    - page: words
      controls:
        - {keypad: text, at: [640, 300], size: [900, 400], layout: text, length: 20}
    - page: two
      controls:
        - {keypad: left, at: [320, 300], size: [300, 400]}
        - {keypad: right, at: [960, 300], size: [300, 400]}
        - {button: go, at: [640, 700], size: [90, 90], text: Go, on: {selected: [{go: code}]}}
  """

@Suite struct SuiteStepTests {
  private func failure(_ kiosk: String, _ steps: String...) throws -> String? {
    try Trial(kiosk, steps).failure()
  }

  private func diagnostics(_ kiosk: String, _ steps: String...) throws -> [String] {
    try Trial(kiosk, steps).diagnostics
  }

  // MARK: Typing

  @Test func `text is typed on the only visible keypad`() throws {
    #expect(
      try failure(
        keypads, "type: 0471", "expect: {pin.value: ••••}", "tap: pin/enter",
        "expect: {said.text: \"0471\"}") == nil)
  }

  @Test func `capitals and symbols use the keys that lead to them`() throws {
    #expect(
      try failure(
        keypads, "tap: \"on\"", "type: \"Ab C, 12?d\"", "expect: {text.value: \"Ab C, 12?d\"}",
        "type: e", "expect: {text.value: \"Ab C, 12?de\"}") == nil)
  }

  @Test func `one of several keypads is selected by name`() throws {
    #expect(
      try failure(
        keypads, "go: two", "type: {text: 12, control: right}", "type: {text: 3, control: left}",
        "expect: {left.value: 3, right.value: 12}") == nil)
    #expect(
      try failure(keypads, "go: two", "type: 1")
        == "7:9: several keypads are shown: left, right (specify the control)")
  }

  @Test func `text that can't be typed fails with the reason`() throws {
    #expect(try failure(keypads, "type: 4x") == "6:9: pin has no key for \"x\"")
    #expect(
      try failure(keypads, "type: 47112")
        == "6:9: pin takes at most 4 characters, but the text is longer")
    #expect(
      try failure(keypads, "type: {text: 1, control: left}")
        == "6:9: left is on the page two, which is not shown (use \"go\" first)")
    #expect(
      try diagnostics(keypads, "type: {text: 1, control: said}")
        == ["s.yaml:6:34: error: \"said\" is a label (expected the id of a keypad)"])
  }

  // MARK: Rounds

  private static let counter = """
    kiosk: k
    values: {cups: 0}
    pages:
      - page: p
        controls:
          - {button: more, at: [200, 300], size: [90, 90], text: More,
             on: {selected: [{set: {cups: "{cups + 1}"}}]}}
    """

  @Test func `steps can be repeated, even nested`() throws {
    #expect(
      try failure(
        Self.counter, "repeat: {times: 3, steps: [{tap: more}]}", "expect: {cups: 3}",
        "repeat: {times: 2, steps: [{tap: more}, {repeat: {times: 4, steps: [{tap: more}]}}]}",
        "expect: {cups: 13}") == nil)
  }

  @Test func `a failure names its round`() throws {
    #expect(
      try failure(
        Self.counter, "repeat: {times: 5, steps: [{tap: more}, {expect: {that: cups < 3}}]}")
        == "6:49: in round 3 of 5: cups < 3 is not true; cups is 3")
    #expect(
      try failure(
        Self.counter,
        "repeat: {times: 2, steps: [{repeat: {times: 3, steps: [{tap: more}, {expect: {that: cups < 5}}]}}]}"
      ) == "6:77: in round 2 of 2, round 2 of 3: cups < 5 is not true; cups is 5")
  }

  @Test func `an unreasonable number of steps is an error`() throws {
    #expect(
      try diagnostics(Self.counter, "repeat: {times: 100000, steps: [{wait: 0}, {wait: 0}]}")
        == [
          "s.yaml:6:25: error: 100000 times 2 steps are too many (expected at most 100000 steps in "
            + "a test)"
        ])
    let inner = "{repeat: {times: 60000, steps: [{wait: 0}]}}"
    #expect(
      try diagnostics(Self.counter, inner, inner).map { $0.prefix(60) }
        == ["s.yaml:7:41: error: the test has 120000 steps in all its rounds"].map { $0.prefix(60) }
    )
    #expect(
      try !diagnostics(Self.counter, "repeat: {times: 0, steps: [{wait: 0}]}").isEmpty)
  }

  @Test func `an unreasonable total of rounds is an error`() throws {
    let rounds = "repeat: {times: 100000, steps: [{wait: 0}]}"
    #expect(
      try Trial(Self.counter, Array(repeating: rounds, count: 11)).diagnostics
        == [
          "s.yaml:16:25: error: with these rounds, the file has too many steps "
            + "(expected at most 1000000)"
        ])
  }

  @Test func `a setup counts once for each test`() throws {
    let kiosk = try Trial(Self.counter, ["wait: 0"]).description
    let text = """
      suite: s
      kiosk: k.yaml
      setup: [{repeat: {times: 60000, steps: [{wait: 0}]}}]
      tests:
        - test: "t $n"
          for: {n: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}
          steps: [{wait: 0}]
      """
    let reading = SuiteReading(Array(text.utf8), path: "s.yaml") { _, _ in kiosk }
    #expect(
      reading.diagnostics.map(\.description)
        == [
          "s.yaml:3:8: error: the setup of 16 tests has too many steps (expected at most 1000000 "
            + "for all of them)"
        ])
  }

  // MARK: New rows

  private static let list = """
    kiosk: k
    pages:
      - page: p
        controls:
          - {list: rows, at: [200, 300], size: [300, 400], row_height: 80, items: [{id: a, label: A}]}
          - {list: still, at: [600, 300], size: [300, 400], row_height: 80, items: [{id: a, label: A}]}
          - {list: filled, at: [1000, 300], size: [300, 400], row_height: 80, items: [{id: a, label: A}]}
          - {button: fill, at: [640, 700], size: [90, 90], text: Fill,
             on: {selected: [{set: {filled.items: [{id: c, label: C}]}}]}}
    """

  @Test func `rows set by a step or action can be tapped`() throws {
    #expect(
      try failure(
        Self.list, "set: {rows.items: [{id: b, label: B}]}", "tap: rows/b",
        "expect: {event: selected, item: b}", "tap: fill", "tap: filled/c",
        "expect: {event: selected, item: c}") == nil)
    #expect(
      try failure(Self.list, "tap: filled/c")
        == "6:9: \"filled\" has no item \"c\" (expected a)")
  }

  @Test func `a row that nothing sets is an error`() throws {
    #expect(
      try diagnostics(Self.list, "set: {rows.items: [{id: b, label: B}]}", "tap: still/b")
        == ["s.yaml:7:14: error: \"still\" has no item \"b\" (expected a)"])
  }

  // MARK: The theme

  @Test func `the theme's name can be expected like a value`() throws {
    let kiosk = """
      kiosk: k
      theme: "{night ? 'dark' : 'light'}"
      values: {night: false, sentence: "It is {theme}"}
      pages: [{page: p, controls: [{label: l, at: [200, 300], text: "{sentence}"}]}]
      """
    #expect(
      try failure(
        kiosk, "expect: {theme: light, l.text: It is light}", "set: {night: true}",
        "expect: {that: \"theme == 'dark'\"}", "expect: {l.text: It is dark}") == nil)
    #expect(
      try diagnostics(kiosk, "set: {theme: dark}")
        == ["s.yaml:6:15: error: \"theme\" is read-only"])
  }
}

@Suite struct RepeatedStepTests {
  private static let kiosk = """
    kiosk: k
    values: {n: 0, rows: [{price: 1}]}
    pages: [{page: home, controls: [{label: l, at: [200, 40], text: "{n}"}]}]
    """

  @Test func `steps repeat and are omitted like a kiosk's actions`() throws {
    let trial = try Trial(
      Self.kiosk,
      [
        "{for: \"{lists.range(3)}\", as: i, set: {n: $i}}", "{expect: {n: 2}}",
        "{for: [{to: 5}, {to: 7}], if: $to < 6, set: {n: $to}}", "{expect: {n: 5}}",
        "{if: false, set: {n: 1}}", "{if: 1 < 2, set: {n: 8}}", "{expect: {n: 8}}",
        "{repeat: {times: 2, steps: [{for: {x: [3, 4]}, set: {n: $x}}]}}",
        "{expect: {that: \"n == 4 && sum(rows.map(r, r.price)) == 1\"}}",
        "{for: [1, 2], as: a, repeat: {times: 1, steps: [{for: [3, 4], as: b, set: {n: $b}}]}}",
        "{expect: {n: 4}}",
      ])
    #expect(try trial.failure() == nil)
  }

  @Test func `steps before each test repeat, too`() throws {
    let text = """
      suite: s
      kiosk: k.yaml
      setup: [{for: [1, 2], as: i, set: {n: $i}}]
      tests: [{test: t, steps: [{expect: {n: 2}}]}]
      """
    let kiosk = try Trial(Self.kiosk, []).description
    let reading = SuiteReading(Array(text.utf8), path: "s.yaml") { _, _ in kiosk }
    #expect(reading.diagnostics == [])
    #expect(reading.suite?.tests[0].steps.count == 3)
  }

  @Test(arguments: [
    ("{for: [1], set: {n: 1}}", "a case is 1 (expected a map {name: value}, or \"as\""),
    ("{for: [{x: 1}], go: $y}", "there is no parameter \"y\""),
    ("{if: n > 1, set: {n: 1}}", "reads \"n\", which is not a constant"),
    ("{for: \"{n}\", as: i, set: {n: 1}}", "reads \"n\", which is not a constant"),
    ("{as: i, set: {n: 1}}", "\"as\" is not allowed in a step"),
    (
      "{for: {a: \"{lists.range(100)}\", b: \"{lists.range(100)}\"}, repeat: {times: 1, steps: "
        + "[{for: \"{lists.range(100)}\", as: c, set: {n: 1}}]}}", "too many values"
    ),
  ])
  func `a wrong repeated step is an error`(_ step: String, _ message: String) throws {
    let found = try Trial(Self.kiosk, [step]).diagnostics
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }
}
