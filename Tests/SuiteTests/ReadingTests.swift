// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import KioskFile
import RoundelSuites
import Testing

@Suite struct SuiteReadingTests {
  @Test(arguments: [
    ("tpa: left", "6:9: error: unknown step \"tpa\" (expected tap, "),
    (
      "tap: lfet",
      "6:14: error: there is no control \"lfet\" (expected left, right, dial, note, back, wheel, clock or aided; did you mean \"left\"?)"
    ),
    ("tap: dial/13", "6:14: error: \"dial\" has no item \"13\" (expected 0, 1, "),
    ("tap: [1, 2, 3]", "6:14: error: \"tap\" has 3 items (expected a point [x, y])"),
    (
      "drag: {from: left}",
      "6:15: error: the finger's path is unclear (expected one of to, by, or around with turn)"
    ),
    (
      "drag: {from: left, to: right, by: [1, 2]}", "6:32: error: the finger's path is unclear"
    ),
    ("drag: {to: right}", "6:15: error: missing key \"from\" in drag"),
    ("set: {left.text: x}", "6:15: error: \"left\" has no property \"text\""),
    (
      "set: {dial.value: 12}",
      "6:27: error: \"dial.value\" is set to 12 (expected a whole number from 0 to 11)"
    ),
    ("set: {dial.angle: 12}", "6:15: error: \"dial.angle\" is read-only"),
    (
      "go: secnod",
      "6:13: error: there is no page \"secnod\" (expected first or second; did you mean \"second\"?)"
    ),
    (
      "spin: dial",
      "6:15: error: \"dial\" is a dial, which does not spin (expected a control that does)"
    ),
    (
      "wait: -1",
      "6:15: error: \"wait\" is out of range: -1 (expected a number from 0 to 3600 seconds)"
    ),
    ("wait: {within: 3}", "6:15: error: \"wait\" is empty"),
    (
      "expect: {evnet: pressed}",
      "6:18: error: unknown key \"evnet\" in \"expect\" (expected control.property, the name of a value, page, that or within; did you mean \"event\"?)"
    ),
    (
      "expect: {event: settled, control: left}",
      "6:17: error: \"left\" has no event \"settled\" (expected pressed, left, returned, selected, confirmed, cancelled or held)"
    ),
    ("expect: {event: selcted}", "6:17: error: there is no event \"selcted\" (expected"),
    ("expect: {event: pressed, lable: x}", "6:34: error: unknown key \"lable\" in \"expect\""),
    ("expect: {dial.value: {min: a}}", "6:30: error: \"dial.value\" is not a valid expectation"),
    ("expect: {picture: a/b}", "6:27: error: \"a/b\" is not a picture name"),
    (
      "expect: {picture: p, region: note}",
      "6:38: error: the size of \"note\" depends on its text (expected a region [x, y, width, height])"
    ),
    ("expect: {picture: p, difference: 256}", "6:42: error: \"difference\" is out of range: 256"),
    (
      "tap: $x",
      "6:14: error: there is no parameter \"x\" (expected a name from the test's \"for\", or $$ for a dollar sign)"
    ),
    (
      "{tap: left, go: second}",
      "6:9: error: a step with 2 keys (expected a map for each, such as {tap: "
    ),
    ("{tpa: left, go: second}", "6:9: error: a step with 2 keys (expected one of tap, "),
    (
      "{tap: left, as: n}",
      "6:21: error: \"as\" is not allowed in a step (expected \"for\" in the same map)"
    ),
    ("{include: steps.yaml}", "6:10: error: \"include\" is not allowed in a step"),
    ("expect: {cups.much: 3}", "6:18: error: the value \"cups\" has no property \"much\""),
    (
      "expect: {that: cpus > 2}",
      "6:24: error: there is no value \"cpus\" (expected control.property or cups; did you mean \"cups\"?)"
    ),
    (
      "wait: {that: dial.vlaue > 2}",
      "6:22: error: \"dial\" has no property \"vlaue\" (expected value, label, angle, enabled or visible; did you mean \"value\"?)"
    ),
    (
      "wait: {that: dail.value > 2}",
      "6:22: error: there is no control \"dail\" (expected left, right, dial, note, back, wheel, clock or aided; did you mean \"dial\"?)"
    ),
    ("wait: {that: cups}", "6:22: error: \"that\" is a number (expected true or false)"),
    ("wait: {that: cups >}", "6:22: error: "),
    ("wait: {that: cups > 'a'}", "6:22: error: "),
    ("wait: {that: texts.x == ''}", "6:22: error: unknown name \"texts.x\""),
    (
      "clock: noon",
      "6:16: error: \"clock\" is \"noon\" (expected a time such as \"2026-11-21T08:00:00\")"
    ),
    ("reset: dail", "6:16: error: there is no control \"dail\""),
    (
      "key: rihgt",
      "6:14: error: \"key\" is \"rihgt\", which is not a key (expected one of left, right, up, down, next, previous, enter, back, repeat, faster, slower, louder, quieter, stop, or the xkb name of a key, such as F1; did you mean \"right\"?)"
    ),
    ("shake: false", "6:16: error: \"shake\" is false (expected true)"),
    ("wake: 3", "6:15: error: \"wake\" has the wrong type: 3 (expected true)"),
    ("emit: {price: 3}", "6:15: error: missing key \"name\" in emit"),
    ("emit: {name: sold, by: me}", "6:28: error: a field cannot be called \"by\""),
    ("run: [ls]", "6:9: error: unknown step \"run\""),
    ("expect: {events: [pressed], exactly: 3}", "6:46: error: \"exactly\" has the wrong type"),
    ("expect: {exactly: [presed]}", "6:28: error: there is no event \"presed\""),
  ])
  func `an error in a step is reported at its location with a suggestion`(
    _ step: String, _ diagnostic: String
  ) throws {
    let found = diagnostics(step: step)
    let first = try #require(found.first)
    #expect(first.hasPrefix(diagnostic), "\(found)")
  }

  @Test func `all unknown names of an expression are errors`() {
    #expect(
      diagnostics(step: "expect: {that: \"cpus > 2 && dail.value == 1 && left.txt == ''\"}")
        .map { String($0.prefix { $0 != "(" }) } == [
          "6:24: error: there is no value \"cpus\" ", "6:24: error: there is no control \"dail\" ",
          "6:24: error: \"left\" has no property \"txt\" ",
        ])
  }

  @Test func `a kiosk file given as a suite is identified as a kiosk file`() {
    let text = "kiosk: k\npages:\n  - page: p\n    controls: []\n"
    let reading = SuiteReading(Array(text.utf8), path: "k.yaml") { _, _ in makeKiosk() }
    #expect(
      reading.diagnostics.map(\.description) == [
        "k.yaml:2:1: error: the file is a kiosk file (expected a suite; roundel check reads kiosk files)"
      ])
  }

  @Test func `an event can be selected by each documented field`() {
    for field in EventField.all where field.name != "control" {
      #expect(diagnostics(step: "expect: {event: any, \(field.name): x}") == [], "\(field.name)")
    }
  }

  @Test func `all errors of a file are reported at once`() {
    let found = diagnostics(
      """
        - test: one
          stpes: []
          steps: [{tap: up}, {go: third}]
        - test: one
          tags: smoke
          steps: []
      """, head: "size: [1, 2]\ntimeot: 3\n")
    #expect(
      found.map { String($0.prefix { $0 != "(" }) } == [
        "3:8: error: item 1 of \"size\" is out of range: 1 ",
        "3:11: error: item 2 of \"size\" is out of range: 2 ",
        "4:1: error: unknown key \"timeot\" in suite ",
        "7:5: error: unknown key \"stpes\" in test ",
        "8:19: error: there is no control \"up\" ",
        "8:29: error: there is no page \"third\" ",
        "10:11: error: \"tags\" has the wrong type: \"smoke\" ",
        "11:12: error: \"steps\" is an empty list ",
      ])
  }

  @Test func `an invalid kiosk is an error of the suite`() {
    let text = "suite: s\nkiosk: other.yaml\ntests:\n  - test: t\n    steps: [{tap: anything}]\n"
    let reading = SuiteReading(Array(text.utf8), path: "folder/s.yaml") { path, _ in
      #expect(path == "folder/other.yaml")
      return nil
    }
    #expect(
      reading.diagnostics.map(\.description) == [
        "folder/s.yaml:2:8: error: cannot test the kiosk \"folder/other.yaml\" "
          + "(expected a kiosk file without errors)"
      ])
  }

  @Test(arguments: ["", "suite: [", "- 1", "suite: s", "tests: 3", "\u{0}"])
  func `a file that isn't a suite has an error`(_ text: String) {
    let reading = SuiteReading(Array(text.utf8), path: "s.yaml") { _, _ in makeKiosk() }
    #expect(reading.suite == nil)
    #expect(!reading.diagnostics.isEmpty)
  }

  @Test func `a map of lists creates a test for each combination`() throws {
    let suite = try #require(
      read(
        """
          - test: t
            for: {number: [1, 2], way: [left, right]}
            steps: [{tap: $way}, {expect: {dial.value: $number}}]
        """
      ).suite)
    #expect(
      suite.tests.map(\.name) == [
        "t (number 1, way left)", "t (number 1, way right)", "t (number 2, way left)",
        "t (number 2, way right)",
      ])
    #expect(Set(suite.tests.map { "\($0.steps)" }).count == 4)
  }

  @Test func `a list of maps creates a test for each, named by its values`() throws {
    let suite = try #require(
      read(
        """
          - test: "from $a to ${b}th, for $$a"
            for: [{a: 1, b: 2}, {a: [3, 4], b: 5}]
            steps: [{tap: left}]
          - test: "at $place"
            for: {place: [left]}
            steps: [{tap: $place}]
        """.replacing("[3, 4]", with: "3")
      ).suite)
    #expect(
      suite.tests.map(\.name) == ["from 1 to 2th, for $a", "from 3 to 5th, for $a", "at left"])
  }

  @Test(arguments: [
    ("{a: 1}", "6:14: error: \"a\" has the wrong type: 1 (expected a list of at least one value)"),
    ("{a: []}", "6:14: error: \"a\" has the wrong type: an empty list"),
    ("[{a: 1}, 2]", "6:19: error: a case is 2 (expected a map {name: value}, or \"as\""),
    ("{1a: [1]}", "6:11: error: \"1a\" is not a parameter name"),
    ("3", "6:10: error: \"for\" has the wrong type: 3"),
  ])
  func `errors in parameters are reported`(_ cases: String, _ diagnostic: String) throws {
    let found = diagnostics(
      "  - test: t\n    tags: []\n    for: \(cases)\n    steps: [{tap: left}]\n")
    #expect(try #require(found.first).hasPrefix(diagnostic), "\(found)")
  }

  @Test func `duplicate test names are an error`() {
    let found = diagnostics(
      "  - {test: t, steps: [{tap: left}]}\n  - {test: t, steps: [{tap: left}]}\n")
    #expect(found == ["5:12: error: duplicate test \"t\" (first on line 4)"])
  }

  @Test func `thousands of cases are accepted, unless they contain too much`() throws {
    let many = "[" + (1...5000).map(String.init).joined(separator: ", ") + "]"
    let suite = read("  - test: t\n    for: {a: \(many)}\n    steps: [{tap: left}]\n").suite
    #expect(suite?.tests.count == 5000)
    let found = diagnostics(
      "  - test: t\n    for: {a: \(many), b: [\(many)]}\n    steps: [{tap: left}]\n")
    #expect(found == ["5:10: error: with all its cases, the test contains too many values"])
  }

  @Test func `an unreasonable number of cases is an error`() {
    let many = "[" + (1...101).map(String.init).joined(separator: ", ") + "]"
    let found = diagnostics(
      "  - test: t\n    for: {a: \(many), b: \(many)}\n    steps: [{tap: left}]\n")
    #expect(found == ["5:10: error: more than 10000 cases"])
  }
}
