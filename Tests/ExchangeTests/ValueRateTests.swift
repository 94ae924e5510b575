// SPDX-License-Identifier: MIT

import Exchange
import Kiosk
import RoundelJSON
import RoundelMotion
import Testing

/// The times of messages in both directions.
@Suite struct ValueRateTests {
  private static func session(_ range: String) throws -> ValueSession {
    let json = try JSONValue(parsing: Array(range.utf8))
    return ValueSession(try #require(ExchangedValue("v", json, of: .mqtt)))
  }

  private static func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: seconds) }

  /// Records a number, and returns whether a message may be sent.
  private static func record(
    _ number: Double, settled: Bool = true, _ session: inout ValueSession, at seconds: Double
  ) -> Double? {
    session.record(.number(number), isSettled: settled, turn: 1)
    return take(&session, at: seconds)
  }

  private static func take(_ session: inout ValueSession, at seconds: Double) -> Double? {
    guard session.outgoingTurn(at: time(seconds)) != nil else { return nil }
    return session.takeOutgoing(at: time(seconds))?.number
  }

  @Test func `a drag of 1.5 s at five messages per second sends at most 9, the last one right`()
    throws
  {
    var session = try Self.session(#"{"kind": "number", "to": {"mqtt": "t", "every": 0.2}}"#)
    _ = Self.record(0, &session, at: 0)
    var sent: [Double] = []
    for step in 1...150 {
      sent += [Self.record(Double(step), settled: false, &session, at: Double(step) / 100)]
        .compactMap(\.self)
    }
    let rest = try #require(session.deadline(after: Self.time(1.5)))
    #expect(rest.seconds < 1.71)
    sent += [Self.take(&session, at: rest.seconds)].compactMap(\.self)
    #expect(sent.count <= 9 && sent.first == 1 && sent.last == 150)
    #expect(session.deadline(after: rest) == nil)
  }

  @Test func `a value that waits for rest sends nothing in between, and no return`() throws {
    var session = try Self.session(
      #"{"kind": "number", "to": {"mqtt": "t", "when": "settled"}}"#)
    #expect(Self.record(5, &session, at: 0) == nil)
    #expect(Self.record(6, settled: false, &session, at: 1) == nil)
    #expect(Self.record(7, settled: false, &session, at: 2) == nil)
    #expect(Self.record(7, &session, at: 3) == 7)
    #expect(Self.record(8, settled: false, &session, at: 4) == nil)
    #expect(Self.record(7, &session, at: 5) == nil)
  }

  @Test func `after a message, messages from the source wait, and the last one counts`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "s"}, "to": {"mqtt": "t"}, "echo": 2}"#)
    #expect(Self.record(5, &session, at: 0) == nil)
    #expect(Self.record(6, &session, at: 1) == 6)
    for (text, seconds) in [("5", 1.5), ("6", 2)] {
      session.receive(.init(.bytes(Array(text.utf8)), at: Self.time(seconds)), turn: 1)
      #expect(session.incomingTurn(at: Self.time(seconds)) == nil)
    }
    #expect(session.deadline(after: Self.time(2)) == Self.time(3))
    #expect(session.incomingTurn(at: Self.time(3)) == 1)
    let message = session.takeWaiting(at: Self.time(3))
    #expect(message?.content == .bytes(Array("6".utf8)))
  }

  @Test func `while a finger holds the control, messages from the source wait`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "s"}, "to": {"mqtt": "t", "when": "settled"}, "echo": 1}"#
    )
    #expect(Self.record(5, &session, at: 0) == nil)
    #expect(Self.record(6, settled: false, &session, at: 1) == nil)
    session.receive(.init(.bytes([0x33]), at: Self.time(2)), turn: 1)
    #expect(session.incomingTurn(at: Self.time(9)) == nil)
    #expect(session.deadline(after: Self.time(9)) == nil)
    #expect(Self.record(6, &session, at: 10) == 6)
    #expect(session.incomingTurn(at: Self.time(10.5)) == nil)
    #expect(session.incomingTurn(at: Self.time(11)) == 1)
  }

  @Test func `a message doesn't replace a change that waits for its turn`() throws {
    var session = try Self.session(
      #"{"kind": "number", "from": {"mqtt": "s"}, "to": {"mqtt": "t", "every": 1}}"#)
    #expect(Self.record(5, &session, at: 0) == nil)
    #expect(Self.record(6, &session, at: 1) == 6)
    #expect(Self.record(7, &session, at: 1.1) == nil)
    session.receive(.init(.bytes([0x36]), at: Self.time(1.2)), turn: 1)
    #expect(session.incomingTurn(at: Self.time(2)) == nil)
    #expect(Self.take(&session, at: 2) == 7)
    #expect(session.incomingTurn(at: Self.time(2)) == 1)
  }
}
