// SPDX-License-Identifier: MIT

import HomeAssistant
import JSON
import JSONRPC
import Motion
import Testing

@testable import MQTTBridge

@Suite struct ValueSessionTests {
  private static func session(_ range: String) throws -> ValueSession {
    let json = try JSONValue(parsing: Array(range.utf8))
    return ValueSession(try #require(TopicValue("v", json)))
  }

  @Test func `what came from the topic is not published`() throws {
    var session = try Self.session(
      #"{"kind": "number", "step": 1, "from": {"mqtt": "t"}, "to": {"mqtt": "u", "retain": true}}"#)
    // The first report is no change.
    #expect(session.publish(0) == nil)
    session.give(20)
    #expect(session.publish(20) == nil)
    #expect(session.publish(21) == "21")
    // The other side says that it is so.
    session.give(21)
    #expect(session.published == nil)
    #expect(session.publish(20) == "20")
    // A value that the kiosk refuses changes nothing.
    let request = session.give(5)
    #expect(session.noteAnswer(to: request, .refused(RemoteError(.failed, "no"))) == true)
    #expect(session.publish(5) == "5")
    session.note(.null, turn: 0)
    #expect(session.takeOutgoing() == nil)
    #expect(session.publish(5) == "5")
    session.forgetReports()
    #expect(session.publish(7) == nil)
  }

  @Test(arguments: [false, true])
  func `a new connection gets what the broker keeps, and what none has got`(
    _ isRetained: Bool
  ) throws {
    var session = try Self.session(
      #"{"kind": "number", "to": {"mqtt": "u", "retain": \#(isRetained)}}"#)
    #expect(session.published == nil)
    session.note(.number(1), turn: 0)
    session.note(.number(2), turn: 0)
    session.republish(turn: 0)
    #expect(session.published == "2")
    #expect(session.published == nil)
    session.republish(turn: 0)
    #expect(session.published == (isRetained ? "2" : nil))
    #expect(session.publish(3) == "3")
  }

  @Test func `a received value is no longer expected once the kiosk has moved on`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    #expect(session.publish(0) == nil)
    // A report before the kiosk's answer may be older.
    session.give(20)
    #expect(session.publish(21) == "21")
    #expect(session.publish(20) == nil)
    let first = session.give(30)
    #expect(session.noteAnswer(to: first, .done(.bool(true))) == true)
    #expect(session.publish(31) == "31")
    #expect(session.publish(30) == "30")
    let second = session.give(40)
    #expect(session.noteAnswer(to: second, .done(.bool(true))) == true)
    #expect(session.publish(40) == nil)
  }

  @Test
  func `values that the kiosk took one after the other are not published when it reports them`()
    throws
  {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    #expect(session.publish(0) == nil)
    for number in [1.0, 2, 0] {
      let request = session.give(number)
      #expect(session.noteAnswer(to: request, .done(.bool(true))) == true)
    }
    #expect(session.publish(1) == nil)
    #expect(session.publish(0) == nil)
    #expect(session.publish(2) == "2")
  }

  @Test func `the newest message waits for its turn, and an answer to another request is none`()
    throws
  {
    var session = try Self.session(#"{"kind": "number", "from": {"mqtt": "t"}}"#)
    session.receive(.init(payload: Array("1".utf8), time: .zero), turn: 1)
    session.receive(.init(payload: Array("2".utf8), time: .zero), turn: 2)
    #expect(session.incomingTurn == 1)
    let waiting = session.takeWaiting(at: .zero)
    let message = try #require(waiting)
    #expect(message.payload == Array("2".utf8))
    session.noteRequest(7, for: message, giving: .number(2))
    #expect(session.isAwaitingAnswer && session.incomingTurn == nil)
    #expect(session.noteAnswer(to: 6, .done(.bool(true))) == false)
    // Without a connection, the message waits for the next one, unless a newer one has arrived.
    #expect(session.noteAnswer(to: 7, .disconnected(reason: "")) == true)
    let again = session.takeWaiting(at: .zero)
    #expect(again?.payload == message.payload)
    session.noteRequest(8, for: message, giving: .number(2))
    session.receive(.init(payload: Array("3".utf8), time: .zero), turn: 3)
    #expect(session.noteAnswer(to: 8, .disconnected(reason: "")) == true)
    let newer = session.takeWaiting(at: .zero)
    #expect(newer?.payload == Array("3".utf8))
    #expect(session.incomingTurn == nil && !session.isAwaitingAnswer)
  }

  @Test func `a message that waited too long is out of date`() throws {
    var session = try Self.session(#"{"kind": "number", "from": {"mqtt": "t"}, "stale": 5}"#)
    for (seconds, isFresh) in [(4.9, true), (5, false)] {
      session.receive(.init(payload: [0x31], time: .zero), turn: 1)
      let message = session.takeWaiting(at: .zero + seconds)
      #expect((message != nil) == isFresh)
    }
  }

  @Test func `a message survives a new description with the same topic`() throws {
    var session = try Self.session(#"{"kind": "number", "from": {"mqtt": "t"}}"#)
    session.receive(.init(payload: [0x31], time: .zero), turn: 4)
    let wider = try Self.session(#"{"kind": "number", "max": 9, "from": {"mqtt": "t"}}"#).value
    #expect(ValueSession(wider, after: session).incomingTurn == 4)
    let other = try Self.session(#"{"kind": "number", "from": {"mqtt": "u"}}"#).value
    #expect(ValueSession(other, after: session).incomingTurn == nil)
  }

  @Test func `a message to the value's own topic comes back once and is no news`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "t"}}"#)
    _ = session.publish(0)
    for number in 1...2 { _ = session.publish(Double(number)) }
    func isEcho(_ payload: String) -> Bool { session.isEcho(Array(payload.utf8)) }
    #expect(isEcho("1") == true)
    #expect(isEcho("2") == true)
    #expect(isEcho("2") == false)
    // A message that was lost on the way does not hold up those after it.
    for number in 3...4 { _ = session.publish(Double(number)) }
    #expect(isEcho("4") == true)
    #expect(isEcho("3") == false)
    // Of very many that do not come back, the oldest are forgotten.
    for number in 1...65 { _ = session.publish(Double(number)) }
    #expect(isEcho("1") == false)
    #expect(isEcho("2") == true)
    session.forgetEchoes()
    #expect(isEcho("3") == false)
    var other = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    _ = other.publish(0)
    #expect(other.publish(1) == "1")
    #expect(other.isEcho(Array("1".utf8)) == false)
  }

  @Test func `the first value after a restart is no news, and the next one is`() throws {
    var session = try Self.session(
      #"{"kind": "flag", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    func publish(_ isOn: Bool) -> String? {
      session.note(.bool(isOn), turn: 0)
      return session.published
    }
    #expect(publish(false) == nil)
    let message = ValueSession.Message(payload: Array("ON".utf8), time: .zero)
    session.noteRequest(1, for: message, giving: .bool(true))
    #expect(session.noteAnswer(to: 1, .done(.bool(true))) == true)
    #expect(publish(true) == nil)
    session.forgetReports()
    #expect(publish(false) == nil)
    // The kiosk reports it once more to a new watch.
    #expect(publish(false) == nil)
    #expect(publish(true) == "true")
  }

  @Test func `a broker that keeps messages has those of the kiosk alone from the start`() throws {
    var kept = try Self.session(#"{"kind": "number", "to": {"mqtt": "u", "retain": true}}"#)
    #expect(kept.publish(3) == "3")
    var command = try Self.session(#"{"kind": "number", "to": {"mqtt": "u"}}"#)
    #expect(command.publish(3) == nil)
    #expect(command.publish(4) == "4")
  }

  @Test func `a value with gone is published from the start and by each new connection`() throws {
    var session = try Self.session(
      #"{"kind": "number", "to": {"mqtt": "u"}, "gone": "off"}"#)
    #expect(session.publish(3) == "3")
    session.republish(turn: 0)
    #expect(session.published == "3")
    // After the kiosk's end no earlier message follows gone, and the next report does.
    session.forgetReports()
    session.republish(turn: 0)
    #expect(session.published == nil)
    #expect(session.publish(3) == "3")
  }

  @Test func `a device that reports a value itself is believed after gone`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}, "gone": "off"}"#)
    #expect(session.publish(0) == nil)
    #expect(session.publish(1) == "1")
    session.republish(turn: 0)
    #expect(session.published == nil)
    session.forgetReports()
    #expect(session.publish(1) == nil)
    #expect(session.publish(0) == "0")
  }
}

extension ValueSession {
  /// The text of the message that waits for the broker, which gets it now.
  fileprivate var published: String? {
    mutating get { takeOutgoing().map { String(decoding: $0.payload, as: UTF8.self) } }
  }

  /// The message after a report of the kiosk.
  fileprivate mutating func publish(_ number: Double) -> String? {
    note(.number(number), turn: 0)
    return published
  }

  /// Gives the kiosk a value of the topic; returns the request's number.
  @discardableResult
  fileprivate mutating func give(_ number: Double) -> Int {
    let message = Message(payload: Array(JSONValue.number(number).text.utf8), time: .zero)
    noteRequest(Int(number), for: message, giving: .number(number))
    return Int(number)
  }
}
