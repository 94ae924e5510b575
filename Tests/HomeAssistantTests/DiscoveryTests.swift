// SPDX-License-Identifier: MIT

import JSONRPC
import RoundelControls
import RoundelJSON
import KioskProtocol
import Testing

@testable import HomeAssistant

@Suite struct DiscoveryTests {
  private let topics = Topics(
    prefix: "roundel", node: "lobby", discoveryPrefix: "homeassistant")

  private func discovery(_ tree: TreeAnswer) -> Discovery {
    Discovery(KioskEntities(tree), of: "lobby", showing: "lunch", at: topics, version: "1")
  }

  private func component(_ id: String, _ tree: TreeAnswer) throws -> JSONValue {
    try #require(discovery(tree).message["cmps"]?[id])
  }

  @Test func `each kind of control has a suitable platform`() throws {
    let all = try tree(
      [
        control("pinwheel", "shows", items: ["a", "b"]),
        control("picker", "time", #"{"h.0.label": "0", "h.1.label": "1"}"#, items: ["h", "h/0"]),
        control("dial", "minutes", #"{"labels": 12}"#),
        control("ring", "heat", #"{"min": 5, "max": 30, "step": null}"#),
        control("toggle", "lamp"), control("button", "ok"), control("slots", "reels"),
        control("menu", "drinks"), control("list", "rooms"), control("keypad", "code"),
        control("label", "title"), control("resistor", "r"),
      ].joined(separator: ","),
      values: #"{"temperature": 21.5, "cups": 1, "night": false, "guest": "", "mode": "eco"}"#,
      ranges: #"{"cups": {"min": 1, "max": 8, "step": 1}, "mode": {"options": ["eco", "boost"]}}"#,
      more: #", "languages": ["en", "de"]"#)
    let platforms = KioskEntities(all).all.reduce(into: [:]) { $0[$1.name] = $1.platform }
    #expect(
      platforms == [
        "page": .select, "panel": .light, "notify": .notify, "emit": .event, "language": .select,
        "shows": .select,
        "time": .select, "minutes": .number, "heat": .number, "lamp": .switch, "ok": .event,
        "reels": .event, "drinks": .event, "rooms": .event, "code": .event, "title": .sensor,
        "r": .sensor, "temperature": .number, "cups": .number, "night": .switch, "guest": .text,
        "mode": .select, "reels.spin": .button, "$node/problem": .binarySensor,
        "$node/reset": .button, "$node/restart": .button, "$node/update": .update,
        "$node/screenshot": .button, "$node/picture": .image,
      ])
  }

  @Test func `a number has its bounds, step and unit`() throws {
    let ring = try component(
      "heat",
      try tree(control("ring", "heat", #"{"min": 5, "max": 30, "step": 0.5, "unit": "°C"}"#)))
    #expect(ring["min"] == .number(5))
    #expect(ring["max"] == .number(30))
    #expect(ring["step"] == .number(0.5))
    #expect(ring["unit_of_measurement"] == .string("°C"))
    #expect(ring["command_topic"] == .string("roundel/lobby/heat/set"))
  }

  @Test func `a ring without steps gets the finest steps of Home Assistant`() throws {
    func step(_ maximum: String) throws -> JSONValue? {
      try component(
        "r", try tree(control("ring", "r", #"{"min": 0, "max": \#(maximum), "step": null}"#)))[
          "step"]
    }
    #expect(try step("100") == .number(1))
    #expect(try step("10") == .number(0.1))
    #expect(try #require(try step("0.0001")?.number) >= 0.001)
    #expect(try step("1e300") == .number(1))
  }

  @Test func `a value is a number with its unit, with or without bounds`() throws {
    let all = try tree(
      "", values: #"{"room": 21, "cups": 1, "low": 0}"#,
      ranges: #"""
        {"room": {"unit": " °C"}, "cups": {"min": 1, "max": 8, "step": 1}, "low": {"min": -5}}
        """#)
    let room = try component("room", all)
    #expect(room["p"]?.string == "number")
    #expect(room["unit_of_measurement"]?.string == "°C")
    #expect(room["mode"]?.string == "box")
    // The default range of Home Assistant is 1 … 100.
    #expect(try #require(room["min"]?.number) <= -1e9)
    #expect(try #require(room["max"]?.number) >= 1e9)
    #expect(room["step"]?.number == 0.001)
    #expect(try component("cups", all)["mode"] == nil)
    #expect(try component("low", all)["min"]?.number == -5)
  }

  @Test
  func `a property bound to more than a name is read-only, and a light then has no brightness`()
    throws
  {
    let controls = [
      control("ring", "heat", #"{"min": 5, "max": 30, "step": null, "unit": "°C"}"#),
      control("ring", "goal", #"{"min": 5, "max": 30, "step": null}"#), control("toggle", "lamp"),
      control("pinwheel", "shows", items: ["a", "b"]),
    ].joined(separator: ",")
    let all = try tree(
      controls,
      bound: #"""
        {"heat.value": null, "goal.value": "target", "lamp.value": null, "shows.item": null,
         "screen.brightness": null}
        """#)
    for (id, platform) in [("heat", "sensor"), ("lamp", "binary_sensor"), ("shows", "sensor")] {
      #expect(try component(id, all)["p"]?.string == platform)
      #expect(try component(id, all)["command_topic"] == nil)
    }
    #expect(try component("heat", all)["unit_of_measurement"]?.string == "°C")
    #expect(try component("goal", all)["command_topic"] != nil)
    let panel = try component("panel", all)
    #expect(panel["brightness"] == nil)
    #expect(panel["supported_color_modes"] == .array([.string("onoff")]))
    #expect(panel["command_topic"] != nil)
  }

  @Test func `a ring that is a thermostat has its target, range and actual temperature`() throws {
    let all = try tree(
      climate(Ring.keys.home, #"{"min": 5, "max": 30, "step": 0.5}"#))
    let heat = try component("heat-2eclimate", all)
    #expect(heat["p"]?.string == "climate" && heat["name"]?.string == "heat")
    #expect(heat["temperature_command_topic"]?.string == "roundel/lobby/heat/set")
    #expect(heat["temperature_state_topic"]?.string == "roundel/lobby/heat/state")
    #expect(heat["current_temperature_topic"]?.string == "roundel/lobby/heat.marker/state")
    #expect(heat["min_temp"] == .number(5) && heat["max_temp"] == .number(30))
    #expect(heat["temp_step"] == .number(0.5) && heat["precision"] == .number(0.5))
    #expect(heat["modes"] == .array([.string("auto")]))
    // Home Assistant would show the numbers behind it twice.
    #expect(discovery(all).message["cmps"]?["heat"] == nil)
    #expect(discovery(all).message["cmps"]?["heat-2emarker"] == nil)
    #expect(KioskEntities(all)["heat"]?.platform == .number)
    #expect(
      discovery(all).stateTopics.filter { $0.contains("heat") } == [
        "roundel/lobby/heat/state", "roundel/lobby/heat.marker/state",
      ])
  }

  @Test func `a ring with two numbers is a thermostat with two targets`() throws {
    let all = try tree(
      climate(.range("low", "high"), #"{"min": 41, "max": 95, "step": 1}"#),
      values: #"{"night": 60}"#, ranges: #"{"night": {"unit": " °F"}}"#,
      bound: #"{"heat.low": "night"}"#)
    let heat = try component("heat-2eclimate", all)
    #expect(heat["temperature_low_command_topic"]?.string == "roundel/lobby/heat.low/set")
    #expect(heat["temperature_high_state_topic"]?.string == "roundel/lobby/heat.high/state")
    #expect(
      heat["temperature_unit"]?.string == "F" && heat["modes"] == .array([.string("heat_cool")]))
  }

  @Test func `a thermostat whose target is computed remains a sensor`() throws {
    let all = try tree(
      climate(Ring.keys.home, #"{"min": 5, "max": 30, "step": 0.5}"#),
      bound: #"{"heat.value": null}"#)
    #expect(discovery(all).message["cmps"]?["heat-2eclimate"] == nil)
    #expect(try component("heat", all)["p"]?.string == "sensor")
  }

  private func climate(_ home: HomeEntity, _ properties: String) -> String {
    #"{"id": "heat", "kind": "ring", "at": null, "enabled": true, "visible": true, "moving": false, "#
      + #""properties": \#(properties), "items": [], "home": \#(home.asClimate(true).json.text)}"#
  }

  @Test func `each entity has a default id, and messages have an entity`() throws {
    let notify = try component("notify", try tree(""))
    #expect(notify["p"]?.string == "notify" && notify["state_topic"] == nil)
    #expect(notify["command_topic"]?.string == "roundel/lobby/notify/set")
    #expect(notify["default_entity_id"]?.string == "notify.roundel_lobby_notify")
    let problem = try component("-24node-2fproblem", try tree(""))
    #expect(problem["default_entity_id"]?.string == "binary_sensor.roundel_lobby__24node_2fproblem")
  }

  @Test func `the panel names its hub and a page with help`() throws {
    let message = Discovery(
      KioskEntities(), of: "x", showing: "x", at: topics, version: "1",
      links: .init(hub: "gateway", support: "https://help.example")
    ).message
    #expect(message["dev"]?["via_device"]?.string == "gateway")
    #expect(message["o"]?["url"]?.string == "https://help.example")
  }

  @Test func `the problem entity is available while the kiosk is disconnected`() throws {
    let message = discovery(try tree("")).message
    let problem = try #require(message["cmps"]?["-24node-2fproblem"])
    #expect(problem["state_topic"]?.string == "roundel/lobby/$node/problem")
    #expect(problem["availability_topic"] != message["availability_topic"])
    #expect(problem["device_class"]?.string == "problem")
    let nobody = Discovery(
      KioskEntities(), of: "lobby", showing: "Kiosk", at: topics, version: "1")
    #expect(nobody.message["cmps"]?["-24node-2fproblem"] == problem)
    #expect(nobody.message["dev"]?["ids"] == message["dev"]?["ids"])
  }

  @Test func `buttons spin, reset and restart, and have no state`() throws {
    let slots = try component("reels-2espin", try tree(control("slots", "reels")))
    #expect(slots["p"]?.string == "button")
    #expect(slots["command_topic"]?.string == "roundel/lobby/reels.spin/set")
    #expect(slots["state_topic"] == nil)
  }

  @Test func `a dial with equal bounds is read-only`() throws {
    #expect(
      try entity("d", control("dial", "d", #"{"min": 3, "max": 3}"#)).platform == .sensor)
  }

  @Test func `several wheels of a picker are several entities`() throws {
    let entities = KioskEntities(
      try tree(
        control(
          "picker", "time", #"{"h.0.label": "1", "h.1.label": "1", "m.0.label": ""}"#,
          items: ["h", "h/1", "m"])))
    #expect(entities["time.h"]?.options == ["1", "1 (1)"])
    #expect(entities["time.m"]?.options == ["0"])
    #expect(entities["time"] == nil)
  }

  @Test func `names are unique, and have one topic level`() throws {
    let entities = KioskEntities(
      try tree(
        [
          control("toggle", "page"), control("toggle", "a/b"), control("toggle", "a+b"),
          control("toggle", "a_b"), control("toggle", "Küche"), control("toggle", "cups"),
        ].joined(separator: ","), values: #"{"cups": 1, "cups_value": 2}"#))
    let names = entities.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(
      names == [
        "$node/problem", "$node/update", "$node/reset", "$node/restart", "$node/screenshot",
        "$node/picture", "page", "panel", "emit", "page_2", "a_b",
        "a_b_2", "a_b_3", "Küche", "cups", "cups_value",
        "cups_value_value", "notify",
      ])
    let message = Discovery(entities, of: "x", showing: "x", at: topics, version: "1").message
    guard case .object(let components)? = message["cmps"] else { return #expect(Bool(false)) }
    #expect(components.count == names.count)
    #expect(
      components.allSatisfy { component in
        component.name.utf8.allSatisfy { $0 < 128 && $0 > 32 } && !component.name.contains("/")
      })
  }

  @Test func `a removed entity keeps only its platform, and its topic is cleared`() throws {
    let old = discovery(
      try tree(
        [control("toggle", "a"), control("ring", "b", #"{"min":0,"max":1}"#)].joined(separator: ",")
      ))
    let new = discovery(try tree(control("toggle", "a")))
    let removal = try #require(new.removal(of: old.message))
    #expect(removal["cmps"]?["b"]?.text == #"{"p":"number"}"#)
    #expect(removal["cmps"]?["a"] == new.message["cmps"]?["a"])
    #expect(new.forgottenTopics(of: old.message) == ["roundel/lobby/b/state"])
    #expect(old.removal(of: new.message) == nil)
  }

  @Test func `an older message may contain anything`() throws {
    let new = discovery(try tree(""))
    for text in [
      "[]", "{}", #"{"cmps": 1}"#, #"{"cmps": {"x": 1}}"#, #"{"cmps": {"x": {"p": 1}}}"#,
    ] {
      #expect(new.removal(of: try JSONValue(parsing: text.utf8)) == nil)
    }
    let foreign = try JSONValue(parsing: #"{"cmps": {"x": {"state_topic": "other/x"}}}"#.utf8)
    #expect(new.forgottenTopics(of: foreign) == [])
  }

  @Test(arguments: [
    ("roundel/lobby/cups/set", "cups"), ("roundel/lobby/a/b/set", nil), ("roundel/lobby/set", nil),
    ("roundel/lobby//set", nil), ("roundel/lobby/$node/restart/set", "$node/restart"),
    ("roundel/lobby/$node/set", "$node"), ("roundel/lobby/$node//set", nil),
    ("roundel/lobby/$node/a/b/set", nil), ("roundel/other/cups/set", nil),
    ("roundel/lobby/cups/state", nil),
  ])
  func `a topic of the kiosk names its property`(_ topic: String, _ name: String?) {
    #expect(topics.settingName(of: topic) == name)
  }

  @Test(arguments: [
    ("fleet/north/cups/set", "cups"), ("fleet/a_b/$node/restart/set", "$node/restart"),
    ("fleet/lobby/cups/set", "cups"), ("fleet/south/cups/set", nil), ("fleet/a/b/cups/set", nil),
    ("fleet/north/cups/state", nil),
  ])
  func `a topic of a group names a property of all its panels`(_ topic: String, _ name: String?) {
    let topics = Topics(
      prefix: "fleet", node: "lobby", groups: ["north", "a/b"], discoveryPrefix: "homeassistant")
    #expect(topics.settingName(of: topic) == name)
    #expect(
      topics.allSettings.sorted() == [
        "fleet/a_b/$node/+/set", "fleet/a_b/+/set", "fleet/lobby/$node/+/set", "fleet/lobby/+/set",
        "fleet/north/$node/+/set", "fleet/north/+/set",
      ])
  }

  @Test func `an update and a picture have the format of Home Assistant`() throws {
    let message = discovery(try tree("")).message
    let update = try #require(message["cmps"]?["-24node-2fupdate"])
    #expect(update["state_topic"]?.string == "roundel/lobby/$node/update")
    #expect(update["command_topic"]?.string == "roundel/lobby/$node/update/set")
    #expect(update["payload_install"]?.string == "PRESS" && update["value_template"] == nil)
    let picture = try #require(message["cmps"]?["-24node-2fpicture"])
    #expect(picture["image_topic"]?.string == "roundel/lobby/$node/picture")
    #expect(picture["content_type"]?.string == "image/png" && picture["state_topic"] == nil)
  }

  @Test(arguments: ["", "/a", "a/", "a//b", "a+b", "#", "$SYS", "a\n"])
  func `a prefix that is invalid in topics is rejected`(_ prefix: String) {
    #expect(!Topics.isPrefix(prefix))
  }

  @Test func `kiosks with different names are different devices`() {
    func device(_ name: String) -> String {
      Topics(prefix: "p", node: name, discoveryPrefix: "h").device
    }
    #expect(Set(["küche", "k-c3-bcche", "kuche", "K"].map(device)).count == 4 - 1)
    #expect(device("küche") == "p_k-c3-bcche")
  }
}
