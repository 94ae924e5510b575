// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelJSON
import Testing

@Suite struct HomeBridgeTests {
  private static let room = #""room": {"kind": "number", "from": {"home": "sensor.room"}}"#
  private static let climate = """
    "actual": {"kind": "number",
      "from": {"home": "climate.living", "attribute": "current_temperature"}},
    "target": {"kind": "number", "from": {"home": "climate.living", "attribute": "temperature"},
      "to": {"home": "climate.set_temperature", "entity": "climate.living", "field": "temperature"}}
    """
  private static let living = """
    "climate.living": {"s": "heat", "a": {"current_temperature": 19.5, "temperature": 20},
      "lc": 1.5, "c": "x"}
    """

  // MARK: The connection

  @Test func `the bridge sends the token when asked, then subscribes to the named entities`()
    throws
  {
    var model = try HomeModel(Self.climate + "," + Self.room)
    #expect(model.sent.isEmpty && !model.isBridged)
    model.receive(#"{"type": "auth_required", "ha_version": "2026.2.3"}"#)
    #expect(model.takeSent() == ["token"])
    model.receive(#"{"type": "auth_ok", "ha_version": "2026.2.3"}"#)
    #expect(
      model.takeSent() == [
        #"{"id":1,"type":"subscribe_entities","entity_ids":["climate.living","sensor.room"]}"#
      ])
    #expect(model.isBridged)
    #expect(model.log.contains("connected to ws://home:8123, Home Assistant 2026.2.3"))
    #expect(model.failures.isEmpty)
  }

  @Test func `a wrong token is one failure, and the next attempt follows after a minute`() throws {
    var model = try HomeModel(Self.room)
    for attempt in 1...2 {
      model.receive(#"{"type": "auth_required", "ha_version": "2026.2.3"}"#)
      model.receive(#"{"type": "auth_invalid", "message": "Invalid access token or password"}"#)
      #expect(model.homeLine == nil)
      model.step(to: model.now + 59)
      #expect(model.attempts.count == attempt)
      model.step(to: model.now + 1)
      #expect(model.attempts.count == attempt + 1)
    }
    #expect(
      model.failures == [
        "ws://home:8123 refuses the access token: Invalid access token or password; create a new one in your profile, under Security"
      ])
  }

  @Test func `attempts to connect follow after 1, 1, 2, 4 and up to 60 seconds`() throws {
    var model = try HomeModel(Self.room)
    for _ in 0..<9 {
      model.endHome("connection refused")
      model.step(to: model.deadline ?? .nan)
      // The kiosk's own checks come between.
      while model.homeLine == nil { model.step(to: model.deadline ?? .nan) }
    }
    let pauses = zip(model.attempts.dropFirst(), model.attempts).map { $0 - $1 }
    #expect(pauses == [1, 1, 2, 4, 8, 16, 32, 60, 60])
    #expect(model.failures == ["not connected to ws://home:8123: connection refused"])
  }

  @Test func `a connection without a handshake ends after 20 seconds`() throws {
    var model = try HomeModel(Self.room)
    model.step(to: 19)
    #expect(model.homeLine != nil)
    model.step(to: 20)
    #expect(model.homeLine == nil)
    #expect(model.failures == ["not connected to ws://home:8123: no answer"])
  }

  @Test func `a quiet connection is pinged, and ends without an answer`() throws {
    var model = try HomeModel(Self.room)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    _ = model.takeSent()
    model.step(to: 30)
    #expect(model.takeSent() == [#"{"id":2,"type":"ping"}"#])
    model.receive(#"{"id": 2, "type": "pong"}"#)
    model.step(to: 40)
    #expect(model.isBridged)
    model.step(to: 60)
    #expect(model.takeSent() == [#"{"id":3,"type":"ping"}"#])
    model.step(to: 70)
    #expect(!model.isBridged && model.homeLine == nil)
    #expect(model.failures == ["not connected to ws://home:8123: no answer"])
  }

  @Test(arguments: [
    "", "{", "null", "[]", "3", #"{"type": 3}"#, #"{"type": "event"}"#,
    #"{"id": 1, "type": "event", "event": {"a": 3, "c": [], "r": {}}}"#,
    #"{"id": 1, "type": "event", "event": {"c": {"sensor.room": {"+": 3, "-": {"a": 3}}}}}"#,
    #"{"id": 1, "type": "event", "event": {"c": {"sensor.other": {"+": {"s": "3"}}}}}"#,
    #"{"id": 1, "type": "event", "event": {"r": [1, "sensor.other"]}}"#,
    #"{"id": 9, "type": "event", "event": {"a": {"sensor.room": {"s": "5"}}}}"#,
    #"{"id": 9, "type": "result", "success": false}"#,
  ])
  func `a strange message changes no value`(_ message: String) throws {
    var model = try HomeModel(Self.room)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    #expect(model.takeSets() == ["room 21"])
    model.receive(message)
    #expect(model.takeSets().isEmpty)
    #expect(model.failures.count <= 1)
  }

  // MARK: Values

  @Test func `states and attributes set values, at first and when they change`() throws {
    var model = try HomeModel(
      Self.climate + "," + Self.room + """
        , "on": {"kind": "flag", "from": {"home": "light.a"}},
        "mode": {"kind": "text", "from": {"home": "climate.living"}},
        "modes": {"kind": "list", "from": {"home": "climate.living", "attribute": "hvac_modes"}}
        """)
    model.logIn(
      #""climate.living": {"s": "heat", "a": {"current_temperature": 19.5, "temperature": 20, "hvac_modes": ["off", "heat"]}}, "sensor.room": {"s": "21.50"}, "light.a": {"s": "on"}"#
    )
    #expect(
      model.takeSets().sorted() == [
        "actual 19.5", "mode heat", #"modes ["off","heat"]"#, "on true", "room 21.5", "target 20",
      ])
    model.receive(
      #"{"id": 1, "type": "event", "event": {"c": {"climate.living": {"+": {"lc": 2, "a": {"current_temperature": 20}}}, "light.a": {"+": {"s": "off"}}}}}"#
    )
    #expect(model.takeSets().sorted() == ["actual 20", "on false"])
    #expect(model.failures.isEmpty)
  }

  @Test func `several messages may come in one frame`() throws {
    var model = try HomeModel(Self.room)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    model.receive(
      #"[{"id": 1, "type": "event", "event": {"c": {"sensor.room": {"+": {"s": "22"}}}}}, {"id": 1, "type": "event", "event": {"c": {"sensor.room": {"+": {"s": "23"}}}}}]"#
    )
    #expect(model.takeSets().last == "room 23")
  }

  @Test func `an entity that vanishes is one failure, keeps the value, and sets it on return`()
    throws
  {
    var model = try HomeModel(Self.room)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    _ = model.takeSets()
    for _ in 0..<3 {
      model.receive(#"{"id": 1, "type": "event", "event": {"r": ["sensor.room"]}}"#)
    }
    #expect(model.failures == ["room: Home Assistant has no sensor.room"])
    #expect(model.takeSets().isEmpty)
    model.receive(
      #"{"id": 1, "type": "event", "event": {"a": {"sensor.room": {"s": "unavailable"}}}}"#)
    #expect(model.failures.last == "room: sensor.room is unavailable")
    model.receive(
      #"{"id": 1, "type": "event", "event": {"c": {"sensor.room": {"+": {"s": "21"}}}}}"#)
    #expect(model.takeSets() == ["room 21"] && model.failures.count == 2)
  }

  @Test(arguments: [
    ("", "Home Assistant has no sensor.room"),
    (#""sensor.room": {"s": "unknown"}"#, "sensor.room is unknown"),
    (#""sensor.room": {"s": "warm"}"#, #"sensor.room: "warm" is not a number"#),
  ])
  func `an unusable state is one failure`(_ states: String, _ words: String) throws {
    var model = try HomeModel(Self.room)
    model.logIn(states)
    #expect(model.failures == ["room: \(words)"] && model.sets.isEmpty)
  }

  @Test func `optional ignores an entity that is unavailable or lacks the attribute`() throws {
    var model = try HomeModel(
      """
      "a": {"kind": "number", "from": {"home": "light.a", "attribute": "b", "optional": true}},
      "c": {"kind": "number", "from": {"home": "light.c", "optional": true}},
      "d": {"kind": "number", "from": {"home": "light.a", "attribute": "d"}}
      """)
    model.logIn(#""light.a": {"s": "off", "a": {"b": null}}"#)
    #expect(model.sets.isEmpty)
    #expect(model.failures == [#"d: light.a has no attribute "d""#])
    model.receive(
      #"{"id": 1, "type": "event", "event": {"c": {"light.a": {"+": {"a": {"b": 3}}}}}}"#)
    #expect(model.takeSets() == ["a 3"])
    model.receive(
      #"{"id": 1, "type": "event", "event": {"c": {"light.a": {"-": {"a": ["b"]}}}}}"#)
    #expect(model.takeSets().isEmpty && model.failures.count == 1)
  }

  @Test func `an unchanged value is repeated before it is stale, only while connected`() throws {
    var model = try HomeModel(
      #""room": {"kind": "number", "stale": 20, "from": {"home": "sensor.room"}}"#)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    for time in 1...25 { model.step(to: Double(time)) }
    #expect(model.takeSets() == ["room 21", "room 21", "room 21"])
    model.endHome("connection reset")
    for time in 26...60 { model.step(to: Double(time)) }
    #expect(model.takeSets().isEmpty)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    #expect(model.takeSets() == ["room 21"])
  }

  @Test func `a restarted kiosk gets all values again, and calls no service`() throws {
    var model = try HomeModel(Self.climate)
    model.logIn(Self.living)
    _ = (model.takeSets(), model.takeSent())
    model.tell(#"{"t": 1, "event": "restarted", "by": "command"}"#)
    #expect(model.takeSets().sorted() == ["actual 19.5", "target 20"])
    #expect(model.takeSent().isEmpty)
  }

  // MARK: Calls

  @Test func `a change calls the service, unless it came from the entity`() throws {
    var model = try HomeModel(Self.climate)
    model.logIn(Self.living)
    _ = model.takeSent()
    model.change("target", to: 21.5)
    #expect(
      model.takeSent() == [
        #"{"id":2,"type":"call_service","domain":"climate","service":"set_temperature","service_data":{"temperature":21.5},"target":{"entity_id":"climate.living"}}"#
      ])
    model.receive(
      #"{"id": 1, "type": "event", "event": {"c": {"climate.living": {"+": {"a": {"temperature": 21.5}}}}}}"#
    )
    model.receive(#"{"id": 2, "type": "result", "success": true, "result": {}}"#)
    model.receive(
      #"{"id": 1, "type": "event", "event": {"c": {"climate.living": {"+": {"a": {"temperature": 18}}}}}}"#
    )
    #expect(model.takeSent().isEmpty && model.takeSets().last == "target 18")
  }

  @Test func `a value waits for the answer to its last call, and the last one is sent`() throws {
    var model = try HomeModel(Self.climate)
    model.logIn(Self.living)
    _ = model.takeSent()
    for value in [21.0, 22, 23, 24] { model.change("target", to: .number(value)) }
    let first = model.takeSent()
    #expect(first.count == 1 && first[0].contains(#""temperature":21}"#))
    model.receive(#"{"id": 2, "type": "result", "success": true, "result": {}}"#)
    let second = model.takeSent()
    #expect(second.count == 1 && second[0].contains(#""temperature":24}"#))
    model.change("target", to: 25)
    #expect(model.takeSent().isEmpty)
    // A service that never answers delays the next call only for some seconds.
    model.step(to: 5)
    #expect(model.takeSent().count == 1)
  }

  @Test func `a refused value is one failure with the service's words, and is taken back`() throws {
    var model = try HomeModel(Self.climate)
    model.logIn(Self.living)
    _ = model.takeSets()
    model.change("target", to: 99)
    model.receive(
      #"{"id": 2, "type": "result", "success": false, "error": {"code": "service_validation_error", "message": "Accepted range is 7 to 35"}}"#
    )
    #expect(
      model.failures == ["target: climate.set_temperature: Accepted range is 7 to 35"])
    #expect(model.takeSets() == ["target 20"])
  }

  @Test func `the action call sends its fields at once, and reports refusals`() throws {
    var model = try HomeModel(Self.room)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    _ = model.takeSent()
    model.tell(
      #"{"t": 1, "event": "call", "home": "light.turn_on", "entity": "light.a", "data": {"brightness_pct": 40}, "by": "action"}"#
    )
    model.tell(
      #"{"t": 1, "event": "call", "home": "script.night", "entity": "", "data": {}, "by": "action"}"#
    )
    #expect(
      model.takeSent() == [
        #"{"id":2,"type":"call_service","domain":"light","service":"turn_on","service_data":{"brightness_pct":40},"target":{"entity_id":"light.a"}}"#,
        #"{"id":3,"type":"call_service","domain":"script","service":"night","service_data":{}}"#,
      ])
    model.receive(
      #"{"id": 3, "type": "result", "success": false, "error": {"code": "not_found", "message": "Service script.night not found."}}"#
    )
    #expect(model.failures == ["cannot call script.night: Service script.night not found."])
    model.endHome("connection reset")
    #expect(
      model.failures.dropFirst() == [
        "cannot call light.turn_on: the connection to Home Assistant ended before the answer",
        "not connected to ws://home:8123: connection reset",
      ])
  }

  @Test func `a call without a connection is not kept, and the kiosk alone reports it`() throws {
    var model = try HomeModel(Self.room)
    model.tell(
      #"{"t": 1, "event": "call", "home": "light.toggle", "entity": "", "data": {}, "by": "action"}"#
    )
    model.logIn(#""sensor.room": {"s": "21"}"#)
    #expect(!model.sent.contains { $0.contains("call_service") })
    #expect(model.failures.isEmpty)
  }

  @Test func `a change while Home Assistant is away is sent when it returns`() throws {
    var model = try HomeModel(Self.climate)
    model.logIn(Self.living)
    model.endHome("connection reset")
    _ = model.takeSent()
    model.change("target", to: 23)
    model.change("target", to: 24)
    #expect(model.takeSent().isEmpty)
    model.step(to: 1)
    model.receive(#"{"type": "auth_required"}"#)
    model.receive(#"{"type": "auth_ok"}"#)
    let calls = model.takeSent().filter { $0.contains("call_service") }
    #expect(calls.count == 1 && calls[0].contains(#""temperature":24}"#))
  }

  @Test func `too many unanswered calls are failures`() throws {
    var model = try HomeModel(Self.room)
    model.logIn(#""sensor.room": {"s": "21"}"#)
    _ = model.takeSent()
    for _ in 0..<257 {
      model.tell(
        #"{"t": 1, "event": "call", "home": "light.toggle", "entity": "", "data": {}, "by": "action"}"#
      )
    }
    #expect(model.takeSent().count == 256)
    #expect(model.failures == ["cannot call light.toggle: too many calls are unanswered"])
  }
}
