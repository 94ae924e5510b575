// SPDX-License-Identifier: MIT

import Exchange
import Kiosk
import JSONRPC
import RoundelJSON
import RoundelMotion
import Testing

@Suite struct ValueSessionTests {
  private static func session(_ range: String) throws -> ValueSession {
    let json = try JSONValue(parsing: Array(range.utf8))
    return ValueSession(try #require(ExchangedValue("v", json, of: .mqtt)))
  }

  @Test func `a value from the topic isn't published`() throws {
    var session = try Self.session(
      #"{"kind": "number", "step": 1, "from": {"mqtt": "t"}, "to": {"mqtt": "u", "retain": true}}"#)
    // The first report isn't a change.
    #expect(session.publish(0) == nil)
    session.give(20)
    #expect(session.publish(20) == nil)
    #expect(session.publish(21) == "21")
    // The other side confirms the value.
    session.give(21)
    #expect(session.published == nil)
    #expect(session.publish(20) == "20")
    // A rejected value changes nothing.
    let request = session.give(5)
    #expect(session.recordAnswer(to: request, .refused(RemoteError(.failed, "no"))) == true)
    #expect(session.publish(5) == "5")
    session.record(.null, turn: 0)
    #expect(session.takeOutgoing(at: .zero) == nil)
    #expect(session.publish(5) == "5")
    session.forgetReports()
    #expect(session.publish(7) == nil)
  }

  @Test(arguments: [false, true])
  func `a new connection publishes retained values and unsent ones`(_ isRetained: Bool) throws {
    var session = try Self.session(
      #"{"kind": "number", "to": {"mqtt": "u", "retain": \#(isRetained)}}"#)
    #expect(session.published == nil)
    session.record(.number(1), turn: 0)
    session.record(.number(2), turn: 0)
    session.resend(turn: 0)
    #expect(session.published == "2")
    #expect(session.published == nil)
    session.resend(turn: 0)
    #expect(session.published == (isRetained ? "2" : nil))
    #expect(session.publish(3) == "3")
  }

  @Test func `a received value is no longer expected after the kiosk changes it`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    #expect(session.publish(0) == nil)
    // A report before the kiosk's answer may be older.
    session.give(20)
    #expect(session.publish(21) == "21")
    #expect(session.publish(20) == nil)
    let first = session.give(30)
    #expect(session.recordAnswer(to: first, .done(.bool(true))) == true)
    #expect(session.publish(31) == "31")
    #expect(session.publish(30) == "30")
    let second = session.give(40)
    #expect(session.recordAnswer(to: second, .done(.bool(true))) == true)
    #expect(session.publish(40) == nil)
  }

  @Test func `accepted values aren't published when the kiosk reports them`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    #expect(session.publish(0) == nil)
    for number in [1.0, 2, 0] {
      let request = session.give(number)
      #expect(session.recordAnswer(to: request, .done(.bool(true))) == true)
    }
    #expect(session.publish(1) == nil)
    #expect(session.publish(0) == nil)
    #expect(session.publish(2) == "2")
  }

  @Test func `only the newest message waits for its turn, and only its own answer counts`() throws {
    var session = try Self.session(#"{"kind": "number", "from": {"mqtt": "t"}}"#)
    session.receive(.init(.bytes(Array("1".utf8)), at: .zero), turn: 1)
    session.receive(.init(.bytes(Array("2".utf8)), at: .zero), turn: 2)
    #expect(session.incomingTurn(at: .zero) == 1)
    let waiting = session.takeWaiting(at: .zero)
    let message = try #require(waiting)
    #expect(message.content == .bytes(Array("2".utf8)))
    session.recordRequest(7, for: message, giving: .number(2))
    #expect(session.isAwaitingAnswer && session.incomingTurn(at: .zero) == nil)
    #expect(session.recordAnswer(to: 6, .done(.bool(true))) == false)
    // Without a connection, the message waits for the next one, unless a newer one has arrived.
    #expect(session.recordAnswer(to: 7, .disconnected(reason: "")) == true)
    let again = session.takeWaiting(at: .zero)
    #expect(again?.content == message.content)
    session.recordRequest(8, for: message, giving: .number(2))
    session.receive(.init(.bytes(Array("3".utf8)), at: .zero), turn: 3)
    #expect(session.recordAnswer(to: 8, .disconnected(reason: "")) == true)
    let newer = session.takeWaiting(at: .zero)
    #expect(newer?.content == .bytes(Array("3".utf8)))
    #expect(session.incomingTurn(at: .zero) == nil && !session.isAwaitingAnswer)
  }

  @Test func `a message that waits too long is stale`() throws {
    var session = try Self.session(#"{"kind": "number", "from": {"mqtt": "t"}, "stale": 5}"#)
    for (seconds, isFresh) in [(4.9, true), (5, false)] {
      session.receive(.init(.bytes([0x31]), at: .zero), turn: 1)
      let message = session.takeWaiting(at: .zero + seconds)
      #expect((message != nil) == isFresh)
    }
  }

  @Test func `a message survives a new declaration with the same topic`() throws {
    var session = try Self.session(#"{"kind": "number", "from": {"mqtt": "t"}}"#)
    session.receive(.init(.bytes([0x31]), at: .zero), turn: 4)
    let wider = try Self.session(#"{"kind": "number", "max": 9, "from": {"mqtt": "t"}}"#).value
    #expect(ValueSession(wider, after: session).incomingTurn(at: .zero) == 4)
    let other = try Self.session(#"{"kind": "number", "from": {"mqtt": "u"}}"#).value
    #expect(ValueSession(other, after: session).incomingTurn(at: .zero) == nil)
  }

  @Test func `the first value after a restart isn't published, and the next one is`() throws {
    var session = try Self.session(
      #"{"kind": "flag", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    func publish(_ isOn: Bool) -> String? {
      session.record(.bool(isOn), turn: 0)
      return session.published
    }
    #expect(publish(false) == nil)
    let message = ValueSession.Message(.bytes(Array("ON".utf8)), at: .zero)
    session.recordRequest(1, for: message, giving: .bool(true))
    #expect(session.recordAnswer(to: 1, .done(.bool(true))) == true)
    #expect(publish(true) == nil)
    session.forgetReports()
    #expect(publish(false) == nil)
    // The kiosk reports it again to a new watch.
    #expect(publish(false) == nil)
    #expect(publish(true) == "true")
  }

  @Test func `only a retained value is published from the start`() throws {
    var kept = try Self.session(#"{"kind": "number", "to": {"mqtt": "u", "retain": true}}"#)
    #expect(kept.publish(3) == "3")
    var command = try Self.session(#"{"kind": "number", "to": {"mqtt": "u"}}"#)
    #expect(command.publish(3) == nil)
    #expect(command.publish(4) == "4")
  }

  @Test func `a value with gone is published from the start and on each new connection`() throws {
    var session = try Self.session(
      #"{"kind": "number", "to": {"mqtt": "u"}, "gone": "off"}"#)
    #expect(session.publish(3) == "3")
    session.resend(turn: 0)
    #expect(session.published == "3")
    // After the kiosk ends, `gone` isn't followed by an older message but by the next report.
    session.forgetReports()
    session.resend(turn: 0)
    #expect(session.published == nil)
    #expect(session.publish(3) == "3")
  }

  @Test func `after gone, a device's report of its value is accepted`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}, "gone": "off"}"#)
    #expect(session.publish(0) == nil)
    #expect(session.publish(1) == "1")
    session.resend(turn: 0)
    #expect(session.published == nil)
    session.forgetReports()
    #expect(session.publish(1) == nil)
    #expect(session.publish(0) == "0")
  }
}

extension ValueSession {
  /// The published message, if any.
  fileprivate var published: String? {
    mutating get { takeOutgoing(at: .zero).map { $0.string ?? $0.text } }
  }

  /// Reports a value from the kiosk, and returns the published message.
  fileprivate mutating func publish(_ number: Double) -> String? {
    record(.number(number), turn: 0)
    return published
  }

  /// Sends a value from the topic to the kiosk, and returns the request's number.
  @discardableResult
  fileprivate mutating func give(_ number: Double) -> Int {
    let message = Message(.json(.number(number)), at: .zero)
    recordRequest(Int(number), for: message, giving: .number(number))
    return Int(number)
  }
}
