// SPDX-License-Identifier: MIT

import Kiosk
import KioskFile
import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

/// Values and messages that bridges exchange with services.
@Suite struct ServiceTests {
  // MARK: Messages without a value

  @Test func `publish reports the message with its defaults and filled templates`() throws {
    var guest = try Guest(
      page(
        """
        - button: b
          at: [200, 200]
          size: [200, 100]
          text: Send
          on:
            selected:
              - publish: {mqtt: a/b}
              - publish: {mqtt: "room/{n}", payload: "{n:.1f} °C", retain: true, qos: 2}
              - {publish: {mqtt: never}, when: n > 9}
        """, "values: {n: 3}"))
    guest.tap(Point(200, 200), at: 1)
    #expect(
      guest.events("publish") == [
        "publish(mqtt a/b, payload , retain false, qos 0) by action",
        "publish(mqtt room/3, payload 3.0 °C, retain true, qos 2) by action",
      ])
  }

  @Test func `a computed topic with a wildcard is one failure`() throws {
    var guest = try Guest(
      page(
        "- {button: b, at: [200, 200], size: [200, 100], text: x, on: {selected: [{publish: {mqtt: \"{t}\"}}]}}",
        "values: {t: \"a/#\"}"))
    guest.tap(Point(200, 200), at: 1)
    #expect(
      guest.failures() == ["publish: \"mqtt\" takes one topic, such as home/kitchen"])
  }

  @Test(arguments: [
    ("{mqtt: a/+}", "a topic with the wildcard \"+\""), ("{mqtt: \"\"}", "an empty topic"),
    ("{payload: x}", "missing"), ("{mqtt: a, qos: 3}", "from 0 to 2"),
    ("{mqtt: a, retain: 2}", "true or false"), ("{mqtt: a, topic: b}", "unknown key"),
  ])
  func `an error in publish is reported`(_ argument: String, _ words: String) {
    let found = errors(
      page(
        "- {button: b, at: [200, 200], size: [200, 100], text: x, on: {selected: [{publish: \(argument)}]}}"
      ))
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
  }

  @Test func `call reports the service with its defaults and filled templates`() throws {
    var guest = try Guest(
      page(
        """
        - button: b
          at: [200, 200]
          size: [200, 100]
          text: Call
          on:
            selected:
              - call: script.goodnight
              - call:
                  home: "light.turn_{n > 2 ? 'on' : 'off'}"
                  entity: "light.{t}"
                  data: {brightness_pct: "{n * 10}", hs_color: "{[n, 100]}", effect: "no {t}"}
              - {call: {home: never.called}, when: n > 9}
        """, "values: {n: 3, t: kitchen}"))
    guest.tap(Point(200, 200), at: 1)
    #expect(
      guest.events("call") == [
        "call(home script.goodnight, entity , data ) by action",
        "call(home light.turn_on, entity light.kitchen, data brightness_pct 30, hs_color 3, 100, effect no kitchen) by action",
      ])
  }

  @Test func `a computed name that Home Assistant doesn't allow is one failure`() throws {
    var guest = try Guest(
      page(
        "- {button: b, at: [200, 200], size: [200, 100], text: x, on: {selected: [{call: {home: \"{t}\"}}]}}",
        "values: {t: \"Light.on\"}"))
    guest.tap(Point(200, 200), at: 1)
    #expect(
      guest.failures() == ["call: \"home\" takes one service, such as light.toggle"])
  }

  @Test(arguments: [
    ("{home: toggle}", "\"toggle\" is not a name"), ("{home: \"\"}", "is not a name"),
    ("{entity: light.a}", "missing"), ("{home: light.toggle, entity: Kitchen}", "one entity"),
    ("{home: light.toggle, data: 3}", "a map"),
    ("{home: light.toggle, data: {a: \"{nobody}\"}}", "nobody"),
    ("{home: light.toggle, target: light.a}", "unknown key"),
  ])
  func `an error in call is reported`(_ argument: String, _ words: String) {
    let found = errors(
      page(
        "- {button: b, at: [200, 200], size: [200, 100], text: x, on: {selected: [{call: \(argument)}]}}"
      ))
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
  }

  // MARK: Declarations

  @Test func `a value has an entity of Home Assistant and a service`() throws {
    let kiosk = try #require(
      ParsedKiosk(
        Array(
          page(
            "- {label: l, at: [200, 40], text: x}",
            """
            values:
              room: {value: 20, from: {home: climate.living, attribute: current_temperature, optional: true}, stale: 600}
              target: {value: 20, from: {home: climate.living, attribute: temperature}, to: {home: climate.set_temperature, entity: climate.living, field: temperature, when: settled, every: 0.5}, echo: 2}
            """
          ).utf8), path: "k.yaml", assets: StubAssets()
      ).description)
    let room = try #require(kiosk.values.first { $0.name == "room" })
    let target = try #require(kiosk.values.first { $0.name == "target" })
    #expect(room.source?.service == .home && room.source?.name == "climate.living")
    #expect(room.source?.attribute == "current_temperature" && room.source?.isOptional == true)
    #expect(target.target?.service == .home && target.target?.name == "climate.set_temperature")
    #expect(target.target?.entity == "climate.living" && target.target?.field == "temperature")
    #expect(target.target?.timing == .settled && target.target?.interval == 0.5)
  }

  @Test(arguments: [
    ("{value: 1, from: {mqtt: a}, echo: 2}", "\"echo\" without \"from\" and \"to\""),
    ("{value: 1, to: {mqtt: a}, echo: 2}", "\"echo\" without \"from\" and \"to\""),
    ("{value: 1, from: {mqtt: a, optional: true}}", "\"optional\" without \"path\""),
    ("{value: 1, to: {mqtt: a, when: later}}", "changed or settled"),
    ("{value: 1, to: {mqtt: a, every: 0}}", "0.01"),
    ("{value: 1, from: {mqtt: a}, kind: image}", "an image as a number"),
    ("{value: \"\", kind: image}", "without a topic of images"),
    ("{value: \"\", kind: image, from: {mqtt: a, path: b}}", "without a topic of images"),
    ("{value: \"\", kind: image, from: {home: camera.door}}", "without a topic of images"),
    ("{value: 1, from: {path: a}}", "missing key \"mqtt\" or \"home\""),
    ("{value: 1, from: {mqtt: a, home: sensor.a}}", "\"mqtt\" and \"home\" in one"),
    ("{value: 1, from: {home: a}}", "\"a\" is not a name in Home Assistant"),
    ("{value: 1, from: {home: sensor.a, path: b}}", "\"path\" of an entity"),
    ("{value: 1, from: {mqtt: a, attribute: b}}", "\"attribute\" of a topic"),
    ("{value: 1, to: {home: number.set_value}}", "\"home\" without \"field\""),
    ("{value: 1, to: {home: n.set, field: f, payload: \"{value}\"}}", "\"payload\" of a service"),
    ("{value: 1, to: {home: n.set, field: f, retain: true}}", "\"retain\" of a service"),
    ("{value: 1, to: {mqtt: a, entity: b.c}}", "a topic with \"entity\""),
    ("{value: 1, to: {home: n.set, field: f}, gone: \"0\"}", "\"gone\" of a service"),
  ])
  func `a declaration that makes no sense is an error`(_ value: String, _ words: String) {
    let found = errors(page("- {label: l, at: [200, 40], text: x}", "values: {v: \(value)}"))
    #expect(found.count == 1 && found[0].contains(words), "\(found)")
  }

  private func errors(_ file: String) -> [String] {
    ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets()).diagnostics
      .map(\.description)
  }

  // MARK: Rest

  private static func place(_ degrees: Double) -> Point {
    Point(200, 200) + Angle.degrees(degrees).unit * 140
  }

  private static let knob = page(
    """
    - {ring: r, at: [200, 200], radius: 150, max: 10, step: 1, value: "{n}"}
    - {label: l, at: [200, 390], text: "{m}"}
    """, "values: {n: 5, m: 1, twice: \"{n * 2}\"}")

  @Test func `a value is settled unless a finger holds its control or the control moves`() throws {
    var guest = try Guest(Self.knob)
    func isSettled(_ name: String) throws -> Bool {
      guest.engine.isSettled([try #require(Reference(name))])
    }
    guest.touch(.down, Self.place(0), at: 1)
    guest.touch(.move, Self.place(30), at: 1.2)
    for name in ["n", "twice", "r.value"] { #expect(try !isSettled(name)) }
    #expect(try isSettled("m") && isSettled("page"))
    guest.touch(.up, Self.place(30), at: 1.4)
    guest.advance(to: 3)
    #expect(try isSettled("n") && isSettled("twice"))
    // A set value moves the ring.
    try guest.set("n", .number(0))
    #expect(try !isSettled("n"))
    guest.advance(to: 5)
    #expect(try isSettled("n"))
  }

  @Test func `a finger that moves on after a set keeps its value`() throws {
    var guest = try Guest(Self.knob)
    guest.touch(.down, Self.place(0), at: 1)
    guest.touch(.move, Self.place(30), at: 1.2)
    try guest.set("n", .number(1))
    guest.touch(.move, Self.place(60), at: 1.4)
    let chosen = try #require(guest["r.value"])
    #expect(chosen != .number(1) && guest["n"] == chosen)
    guest.touch(.up, Self.place(60), at: 1.6)
    guest.advance(to: 4)
    #expect(guest["r.value"] == chosen && guest["n"] == chosen)
  }
}
