// SPDX-License-Identifier: MIT

import RoundelSuites
import RoundelGeometry
import Kiosk
import RoundelRuntime
import RoundelSession
import RoundelText
import Testing

@Suite struct TestRunTests {
  @Test func `the recording of a kiosk with several sizes starts with its current size`() throws {
    var kiosk = makeKiosk()
    kiosk.screen.size = Size(800, 1280)
    kiosk.screen.sizes = [Size(1280, 800), Size(800, 1280)]
    let bench = HeadlessBench(Content(kiosk, fonts: FontLibrary()))
    bench.begin(seed: 0)
    let text = bench.recording.map { $0.text + "\n" }.joined()
    #expect(try Recording(Array(text.utf8), path: "r.jsonl").size == Size(800, 1280))
  }

  @Test func `a tap selects, and its event and effect can be expected`() throws {
    #expect(
      try failure(
        "tap: left", "expect: {event: pressed, control: left}",
        "expect: {event: selected, label: Left}", "expect: {note.text: left}") == nil)
  }

  @Test func `a missing event is reported with the actual ones`() throws {
    #expect(
      try failure("tap: left", "expect: {event: selected, control: right, within: 0.5}")
        == "7:9: no event selected of right, within 0.5 seconds; since then: pressed of left "
        + "(label Left); selected of left (label Left); confirmed of left (label Left)")
    #expect(
      try failure("expect: {event: selected, within: 0.5}")
        == "6:9: no event selected, within 0.5 seconds; no event since")
  }

  @Test func `an event is expected once`() throws {
    #expect(
      try failure(
        "tap: left", "tap: left", "expect: {event: selected}", "expect: {event: selected}") == nil)
    #expect(
      try failure("tap: left", "expect: {event: selected}", "expect: {event: selected, within: 1}")
        == "8:9: no event selected, within 1 seconds; "
        + "since then: confirmed of left (label Left)")
    #expect(
      try failure("tap: left", "expect: {event: selected}", "expect: {event: pressed, within: 0}")
        != nil)
  }

  @Test func `an event may occur later, at a detent that a dial passes`() throws {
    #expect(
      try failure(
        "drag: {from: [200, 200], around: dial, turn: -65}",
        "expect: {event: passing, index: 2}", "expect: {event: settled, index: 2}",
        "expect: {dial.value: 2, dial.label: \"2\"}") == nil)
  }

  @Test func `no event is expected from now on, or since the last expected one`() throws {
    #expect(try failure("tap: [10, 290]", "expect: {no_event: any}") == nil)
    #expect(
      try failure("tap: left", "expect: {no_event: selected}")
        == "7:9: unexpected event: selected of left (label Left)")
    #expect(
      try failure("tap: left", "expect: {event: confirmed}", "expect: {no_event: any}") == nil)
    #expect(
      try failure("set: {dial.value: 3}", "expect: {no_event: settled, during: 1}") != nil)
    #expect(
      try failure("set: {dial.value: 3}", "expect: {no_event: settled, during: 0.1}") == nil)
  }

  @Test func `events are expected in order, with others in between`() throws {
    let turn = "drag: {from: [200, 200], around: dial, turn: -65}"
    // Events in between may be omitted.
    #expect(try failure(turn, "expect: {events: [pressed, settled], control: dial}") == nil)
    #expect(
      try failure(
        turn, "expect: {events: [pressed, {event: passing, index: 2}, {event: settled, index: 2}]}")
        == nil)
    #expect(
      try failure(turn, "expect: {events: [settled, pressed], control: dial, within: 1}")
        == "7:9: no event pressed after settled, within 1 seconds; since then: pressed of dial "
        + "(index 0, label 0, value 0); passing of dial (index 1, label 1, value 1); passing of "
        + "dial (index 2, label 2, value 2); settled of dial (index 2, label 2, value 2)")
    // Each event is expected once, and consumes earlier ones.
    #expect(
      try failure("tap: left", "expect: {events: [pressed, pressed], within: 0}") != nil)
    #expect(
      try failure(
        "tap: left", "tap: right", "expect: {events: [selected], control: right}",
        "expect: {no_event: selected}") == nil)
    #expect(
      try failure(
        "tap: left", "expect: {events: [pressed]}", "expect: {event: selected}") == nil)
  }

  @Test func `events are expected exactly, of one control or all`() throws {
    #expect(
      try failure("tap: left", "expect: {exactly: [pressed, selected, confirmed], control: left}")
        == nil)
    #expect(
      try failure(
        "tap: left", "tap: right",
        "expect: {exactly: [pressed, {event: selected, label: Right}, confirmed], control: right}")
        == nil)
    let wanted =
      "7:9: expected exactly the events pressed; since then: pressed of left (label Left); "
      + "selected of left (label Left); confirmed of left (label Left)"
    #expect(try failure("tap: left", "expect: {exactly: [pressed], within: 0}") == wanted)
    #expect(
      try failure("tap: left", "expect: {events: [pressed], exactly: true, within: 0}") == wanted)
    #expect(
      try failure("tap: left", "expect: {events: [pressed], exactly: false, within: 0}") == nil)
    #expect(
      try failure(
        "drag: {from: [200, 200], around: dial, turn: -65}",
        "expect: {exactly: [pressed, settled], control: dial}") != nil)
    #expect(try failure("expect: {events: []}") == nil)
    #expect(try failure("expect: {exactly: []}") == nil)
    #expect(
      try failure("tap: left", "expect: {events: []}")
        == "7:9: expected no events, within 5 seconds; since then: pressed of left (label Left); "
        + "selected of left (label Left); confirmed of left (label Left)")
  }

  @Test func `an expression must be true now, or in time`() throws {
    #expect(
      try failure("set: {cups: 3}", "expect: {that: cups > 2 && page == 'first'}") == nil)
    #expect(
      try failure("expect: {that: cups > 2}")
        == "6:9: cups > 2 is not true; cups is 1")
    #expect(
      try failure(
        "set: {dial.value: 3}", "expect: {that: \"dial.label == '3' && cups == 1\", within: 1}")
        == nil)
    #expect(try failure("set: {dial.value: 3}", "wait: {that: dial.value >= 2}") == nil)
    #expect(
      try failure("wait: {that: note.text != '', within: 0.5}")
        == "6:9: note.text != \"\" is not true, within 0.5 seconds; note.text is \"\"")
    // Division by zero is undefined, so it counts as false.
    #expect(try failure("expect: {that: 1 / (cups - 1) > 0}") != nil)
  }

  @Test func `an expression that reads the time becomes true by time alone`() throws {
    #expect(
      try failure("wait: {that: uptime > 2.3}", "expect: {that: uptime < 2.45}") == nil)
    #expect(
      try failure(
        "clock: 2026-11-21T07:59:30", "wait: {that: now.getHours() == 8, within: 40}",
        "expect: {that: \"uptime >= 30 && uptime < 30.1\"}") == nil)
  }

  @Test func `a clock on a hidden page can be awaited`() throws {
    for goal in [
      "{clock.text: \"08:00\", within: 40}", "{that: clock.text == '08:00', within: 40}",
    ] {
      #expect(
        try failure(
          "clock: 2026-11-21T07:59:30", "wait: \(goal)",
          "expect: {that: \"uptime >= 30 && uptime < 30.1\"}") == nil)
    }
  }

  @Test func `the wall clock is set and continues from there`() throws {
    #expect(
      try failure(
        "wait: 1", "clock: 2026-11-21T08:00:00",
        "expect: {that: now.getFullYear() == 2026 && now.getSeconds() == 0}", "wait: 2",
        "expect: {that: now.getSeconds() == 2}") == nil)
    let result = try #require(
      try results("  - test: t\n    steps: [{clock: \"2026-11-21T08:00:00\"}, {tap: back}]\n").first
    )
    let recording = result.artifacts.first { $0.name == "recording.jsonl" }
    #expect(
      recording.map { String(decoding: $0.bytes, as: UTF8.self) }
        == #"{"t":0.000,"clock":"2026-11-21T08:00:00"}"# + "\n"
        + #"{"t":0.000,"end":true}"# + "\n")
  }

  @Test func `a text value is set as written`() throws {
    for text in ["5.10", "007", "no", "true"] {
      #expect(
        try failure(
          "set: {note.text: \(text)}", "expect: {that: \"note.text == '\(text)'\"}") == nil)
    }
    #expect(try failure("set: {dial.label: 10}", "wait: still", "expect: {dial.value: 10}") == nil)
  }

  @Test func `commands are steps`() throws {
    #expect(
      try failure(
        "set: {dial.value: 3, cups: 4}", "wait: still", "reset: dial",
        "expect: {dial.value: 0, cups: 4}", "go: second", "reset: all",
        "expect: {page: first, cups: 1}") == nil)
    #expect(
      try failure(
        "emit: refilled", "expect: {event: emit, name: refilled, by: command}",
        "emit: {name: sold, price: 4.5, item_id: soup}",
        "expect: {event: emit, name: sold, price: {min: 4}, item_id: soup}",
        "emit: {name: ordered, rows: [{id: soup, count: 2}, {id: tea, with: [milk]}]}",
        "expect: {event: emit, name: ordered, by: command}",
        "expect: {no_event: any}") == nil)
    #expect(
      try failure("emit: {name: sold, price: 4.5}", "expect: {event: emit, price: 5, within: 0}")
        == "7:9: no event emit with price 5; since then: emit (name sold, price 4.5)")
    #expect(
      try failure(
        "blank: true", "expect: {event: slept}", "wake: true", "expect: {event: woken}",
        "shake: true", "expect: {no_event: any}") == nil)
  }

  @Test func `a finger reports moves as often as on the command line`() throws {
    let result = try #require(
      try results(
        "  - test: t\n    steps: [{fling: {from: left, by: [60, 0], during: 0.1}}, {tap: back}]\n"
      ).first)
    let recording = result.artifacts.first { $0.name == "recording.jsonl" }
    let lines = recording.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    #expect(lines.split(separator: "\n").count { $0.contains("\"move\"") } == 12)
  }

  @Test func `a state must hold now, or in time`() throws {
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

  @Test func `waiting ends when everything is still, at the latest at the test's end`() throws {
    #expect(
      try failure("set: {dial.value: 3}", "wait: still", "expect: {dial.value: 3}") == nil)
    #expect(
      try failure("wait: {dial.value: 7}", head: "timeout: 2\n")
        == "7:9: dial.value is 0, expected 7, within the test's 2 seconds")
    #expect(
      try failure("wait: 3", head: "timeout: 2\n")
        == "7:9: the test took longer than its 2 seconds")
    #expect(
      try failure("tap: {at: left, for: 3}", head: "timeout: 2\n")
        == "7:9: the fingers' path takes longer than the rest of the test's 2 seconds")
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
      try failure("press: left", "press: right") == "7:9: finger 0 is already down")
    #expect(
      try failure(
        "press: left", "press: {at: right, finger: 1}", "release: 1", "expect: {page: second}")
        == nil)
  }

  @Test func `other fingers can tap while one is down`() throws {
    #expect(
      try failure(
        "press: [10, 10]", "tap: left", "expect: {note.text: left}", "release:") == nil)
  }

  @Test func `several fingers touch simultaneously`() throws {
    #expect(
      try failure(
        "touch: [{from: left, hold: 0.3}, {from: dial/0, around: dial, turn: -30, after: 0.1}]",
        "expect: {event: pressed, control: left}", "expect: {event: pressed, control: dial}",
        "expect: {event: selected, control: left}", "wait: {dial.value: 1}") == nil)
  }

  @Test func `touching an unreachable target fails the test`() throws {
    #expect(
      try failure("tap: back")
        == "6:9: back is on the page second, which is not shown (use \"go\" first)")
  }

  @Test func `each test starts with a fresh kiosk and the setup`() throws {
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

  @Test func `a failure keeps the steps and events`() throws {
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
