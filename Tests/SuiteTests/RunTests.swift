// SPDX-License-Identifier: MIT

import Suites
import Testing

@Suite struct TestRunTests {
  @Test func `a tap chooses, and its event and its effect are expected`() throws {
    #expect(
      try failure(
        "tap: left", "expect: {event: pressed, control: left}",
        "expect: {event: selected, label: Left}", "expect: {note.text: left}") == nil)
  }

  @Test func `an event that does not come is told beside those that came`() throws {
    #expect(
      try failure("tap: left", "expect: {event: selected, control: right, within: 0.5}")
        == "7:9: no event selected of right, within 0.5 seconds; since then: pressed of left "
        + "(label Left); selected of left (label Left)")
    #expect(
      try failure("expect: {event: selected, within: 0.5}")
        == "6:9: no event selected, within 0.5 seconds; nothing has happened since")
  }

  @Test func `an event is expected once`() throws {
    #expect(
      try failure(
        "tap: left", "tap: left", "expect: {event: selected}", "expect: {event: selected}") == nil)
    #expect(
      try failure("tap: left", "expect: {event: selected}", "expect: {event: selected, within: 1}")
        == "8:9: no event selected, within 1 seconds; nothing has happened since")
    #expect(
      try failure("tap: left", "expect: {event: selected}", "expect: {event: pressed, within: 0}")
        != nil)
  }

  @Test func `an event may come later, at a detent that a dial passes`() throws {
    #expect(
      try failure(
        "drag: {from: [200, 200], around: dial, turn: -65}",
        "expect: {event: passing, index: 2}", "expect: {event: settled, index: 2}",
        "expect: {dial.value: 2, dial.label: \"2\"}") == nil)
  }

  @Test func `no event is expected from now on or since the last that was`() throws {
    #expect(try failure("tap: [10, 290]", "expect: {no_event: any}") == nil)
    #expect(
      try failure("tap: left", "expect: {no_event: selected}")
        == "7:9: unexpected event: selected of left (label Left)")
    #expect(
      try failure("tap: left", "expect: {event: selected}", "expect: {no_event: any}") == nil)
    #expect(
      try failure("set: {dial.value: 3}", "expect: {no_event: settled, during: 1}") != nil)
    #expect(
      try failure("set: {dial.value: 3}", "expect: {no_event: settled, during: 0.1}") == nil)
  }

  @Test func `events are expected exactly, of a control or of all`() throws {
    #expect(
      try failure("tap: left", "expect: {events: [pressed, selected], control: left}") == nil)
    #expect(
      try failure(
        "tap: left", "tap: right",
        "expect: {events: [pressed, {event: selected, label: Right}], control: right}") == nil)
    #expect(
      try failure("tap: left", "expect: {events: [pressed], within: 0}")
        == "7:9: expected the events pressed; since then: pressed of left (label Left); "
        + "selected of left (label Left)")
    #expect(try failure("expect: {events: []}") == nil)
  }

  @Test func `a state holds now, or in time`() throws {
    #expect(
      try failure("set: {dial.value: 3}", "expect: {dial.value: 3}")
        == "7:9: dial.value is 0, expected 3")
    #expect(try failure("set: {dial.value: 3}", "expect: {dial.value: 3, within: 1}") == nil)
    #expect(try failure("set: {dial.value: 3}", "wait: {dial.value: 3}") == nil)
    #expect(
      try failure("expect: {dial.value: 3, within: 0.2}")
        == "6:9: dial.value is 0, expected 3, within 0.2 seconds")
    #expect(
      try failure("tap: right", "expect: {page: first}")
        == "7:9: the page is second, expected first")
  }

  @Test(arguments: [
    ("0", true), ("\"0\"", true), ("1", false), ("{min: 0}", true), ("{min: 0.5}", false),
    ("{min: -1, max: 1}", true), ("{one_of: [1, 0]}", true), ("{one_of: [1, 2]}", false),
    ("{not: 0}", false), ("{not: {one_of: [1, 2]}}", true),
  ])
  func `a value may be a range, one of several, or not one`(
    _ pattern: String, _ holds: Bool
  ) throws {
    #expect(try (failure("expect: {dial.value: \(pattern)}") == nil) == holds)
  }

  @Test func `waiting ends when all is still, at the test's end at the latest`() throws {
    #expect(
      try failure("set: {dial.value: 3}", "wait: still", "expect: {dial.value: 3}") == nil)
    #expect(
      try failure("wait: {dial.value: 7}", head: "timeout: 2\n")
        == "7:9: dial.value is 0, expected 7, within the test's 2 seconds")
    #expect(
      try failure("wait: 3", head: "timeout: 2\n")
        == "7:9: the test has taken longer than its 2 seconds")
    #expect(
      try failure("tap: {at: left, for: 3}", head: "timeout: 2\n")
        == "7:9: the fingers' way takes longer than what is left of the test's 2 seconds")
  }

  @Test func `a finger is pressed, moved and released`() throws {
    #expect(
      try failure(
        "press: left", "expect: {event: pressed}", "wait: 1", "move: {by: [0, 90]}", "release:",
        "expect: {event: cancelled}") == nil)
    #expect(try failure("release:") == "6:9: no finger is down; press first")
    #expect(
      try failure("move: {to: left, finger: 2}") == "6:9: finger 2 is not down; press first")
    #expect(
      try failure("press: left", "press: right") == "7:9: finger 0 is down already")
    #expect(
      try failure(
        "press: left", "press: {at: right, finger: 1}", "release: 1", "expect: {page: second}")
        == nil)
  }

  @Test func `while one finger is down others tap`() throws {
    #expect(
      try failure(
        "press: [10, 10]", "tap: left", "expect: {note.text: left}", "release:") == nil)
  }

  @Test func `several fingers touch at the same time`() throws {
    #expect(
      try failure(
        "touch: [{from: left, hold: 0.3}, {from: dial/0, around: dial, turn: -30, after: 0.1}]",
        "expect: {event: pressed, control: left}", "expect: {event: pressed, control: dial}",
        "expect: {event: selected, control: left}", "wait: {dial.value: 1}") == nil)
  }

  @Test func `what cannot be touched now fails the test`() throws {
    #expect(
      try failure("tap: back")
        == "6:9: back is on the page second, which is not shown (\"go\" there first)")
  }

  @Test func `each test begins with a fresh kiosk, and the setup`() throws {
    let results = try results(
      """
        - test: one
          steps: [{expect: {note.text: set}}, {tap: left}, {expect: {note.text: left}}]
        - test: two
          steps: [{expect: {note.text: set, dial.value: 0}}, {set: {dial.value: 3}}]
        - test: three
          steps: [{expect: {note.text: set, dial.value: 0}}]
      """, head: "setup: [{set: {note.text: set}}]\n")
    #expect(results.map(\.failure) == [nil, nil, nil])
  }

  @Test func `what was done and told is kept of a failure`() throws {
    let result = try #require(
      try results(
        "  - test: t\n    steps: [{go: second}, {tap: back}, {go: first}, {expect: {page: second}}]\n"
      )
      .first)
    let files = Dictionary(
      uniqueKeysWithValues: result.artifacts.map {
        ($0.name, String(decoding: $0.bytes, as: UTF8.self))
      })
    #expect(Set(files.keys) == ["screen.png", "recording.jsonl", "events.jsonl"])
    #expect(
      files["recording.jsonl"] == """
        {"t":0.000,"go":"second"}
        {"t":0.000,"down":{"finger":0,"x":200,"y":150}}
        {"t":0.080,"up":{"finger":0}}
        {"t":0.080,"go":"first"}
        {"t":0.080,"end":true}

        """)
    #expect(files["events.jsonl"]?.hasPrefix("{\"t\":0.000,\"event\":\"page\"") == true)
  }
}
