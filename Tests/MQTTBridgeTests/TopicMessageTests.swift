// SPDX-License-Identifier: MIT

import Kiosk
import RoundelJSON
import Testing

@testable import MQTTBridge

@Suite struct TopicMessageTests {
  @Test(
    arguments: [
      (nil, #""Anna""#, "Anna"), (nil, "21.5", "21.5"), (nil, "true", "true"), (nil, "[1]", "[1]"),
      (#"{"target": {value}}"#, "21.5", #"{"target": 21.5}"#),
      (#"{"name": {value}}"#, #""A \"b\"""#, #"{"name": "A \"b\""}"#),
      (#"{"name": "for {value}!"}"#, #""A \"b\"""#, #"{"name": "for A \"b\"!"}"#),
      ("T {value} {value}", #""a""#, "T a a"),
      (#"[{value}, "{value}"]"#, "3", #"[3, "3"]"#),
      ("{value}", #""Anna""#, "Anna"), ("{value}", "[1]", "[1]"),
    ] as [(String?, String, String)])
  func `a payload contains the value in the right form for its position`(
    _ payload: String?, _ value: String, _ expected: String
  ) throws {
    let target = ValueTarget(.mqtt, "t", payload: payload)
    #expect(target.message(of: try JSONValue(parsing: Array(value.utf8))) == expected)
  }

  @Test func `a message to the value's own topic returns once and is ignored`() {
    var own = OwnMessages()
    for number in 1...2 { own.add("\(number)") }
    func isOwn(_ payload: String) -> Bool { own.take(Array(payload.utf8)) }
    #expect(isOwn("1"))
    #expect(isOwn("2"))
    #expect(!isOwn("2"))
    // A lost message doesn't affect later ones.
    for number in 3...4 { own.add("\(number)") }
    #expect(isOwn("4"))
    #expect(!isOwn("3"))
    // If too many don't return, the oldest are dropped.
    for number in 1...65 { own.add("\(number)") }
    #expect(!isOwn("1"))
    #expect(isOwn("2"))
  }
}
