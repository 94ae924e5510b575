// SPDX-License-Identifier: MIT

import Exchange
import HomeBridge
import RoundelJSON
import RoundelMotion
import Testing

@Suite struct HomeNamesTests {
  private static func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  private static let states = """
    [{"entity_id": "climate.living", "state": "heat", "attributes": {"temperature": 20}},
     {"entity_id": "sensor.outside", "state": "7", "attributes": {}},
     {"entity_id": "light.gone", "state": "unavailable", "attributes": {}}]
    """
  private static let services = """
    {"climate": {"set_temperature": {"fields": {"temperature": {},
      "advanced_fields": {"collapsed": true, "fields": {"target_temp_low": {}}}}}},
     "script": {"night": {"fields": {}}}}
    """

  private static func problems(_ names: String) throws -> [String] {
    let names = try #require(HomeNames(try json(names)))
    return names.problems(states: try json(states), services: try json(services))
  }

  @Test(arguments: [
    (#"{"entities": {"climate.living": ["temperature"], "sensor.outside": []}}"#, nil),
    (#"{"services": {"climate.set_temperature": ["temperature", "target_temp_low"]}}"#, nil),
    // Services without descriptions, and unavailable entities, may have any names.
    (#"{"services": {"script.night": ["guest"]}, "entities": {"light.gone": ["a"]}}"#, nil),
    (
      #"{"entities": {"sensor.ouside": []}}"#,
      "Home Assistant has no entity sensor.ouside; did you mean sensor.outside?"
    ),
    (#"{"entities": {"lock.a": []}}"#, "Home Assistant has no entity lock.a"),
    (
      #"{"entities": {"climate.living": ["temprature"]}}"#,
      "climate.living has no attribute temprature; it has temperature"
    ),
    (
      #"{"services": {"climate.set_temprature": []}}"#,
      "Home Assistant has no service climate.set_temprature; did you mean climate.set_temperature?"
    ),
    (
      #"{"services": {"climate.set_temperature": ["degrees"]}}"#,
      "climate.set_temperature has no field degrees; it has target_temp_low or temperature"
    ),
  ])
  func `names that Home Assistant lacks are problems`(_ names: String, _ problem: String?) throws {
    #expect(try Self.problems(names) == [problem].compactMap(\.self))
  }

  @Test func `an examination logs in, asks for states and services, and ends`() throws {
    let names = try #require(HomeNames(try Self.json(#"{"entities": {"lock.a": []}}"#)))
    var examination = HomeExamination(names, at: "ws://home:8123", now: .zero)
    examination.advance(to: .zero)
    guard case .open(let line)? = examination.nextAction() else {
      Issue.record("it doesn't connect")
      return
    }
    var sent: [String] = []
    func take() {
      while let action = examination.nextAction() {
        if case .send(let json, _) = action { sent.append(json.text) }
      }
    }
    for message in [
      #"{"type": "auth_required"}"#, #"{"type": "auth_ok"}"#,
      #"{"id": 1, "type": "result", "success": true, "result": \#(Self.states)}"#,
      #"{"id": 2, "type": "result", "success": true, "result": \#(Self.services)}"#,
    ] {
      #expect(examination.problems == nil)
      examination.receive(.message(Array(message.utf8)), from: line, at: .zero)
      take()
    }
    #expect(sent == [#"{"id":1,"type":"get_states"}"#, #"{"id":2,"type":"get_services"}"#])
    #expect(examination.problems == ["Home Assistant has no entity lock.a"])
  }

  @Test func `an examination without a connection reports the reason`() throws {
    let names = try #require(HomeNames(.object([])))
    var examination = HomeExamination(names, at: "ws://home:8123", now: .zero)
    examination.advance(to: .zero)
    guard case .open(let line)? = examination.nextAction() else {
      Issue.record("it doesn't connect")
      return
    }
    examination.receive(HomeInput.ended(reason: "connection refused"), from: line, at: .zero)
    #expect(examination.problems == ["not connected to ws://home:8123: connection refused"])
  }
}
