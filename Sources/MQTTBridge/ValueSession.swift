// SPDX-License-Identifier: MIT

internal import HomeAssistant
internal import JSON
internal import Kiosk
internal import Motion

/// One value with topics: its messages on their way to the kiosk and to the broker.
struct ValueSession {
  /// A message from the value's topic.
  struct Message {
    var payload: [UInt8]
    var time: Timestamp
  }

  /// The messages to the kiosk, of which only the newest counts. Values take turns by number.
  private enum Incoming {
    case none
    case waiting(Message, turn: Int)
    /// The kiosk has not answered the request.
    case sent(Message, request: Int, newer: (Message, turn: Int)?)
  }

  /// The values that came from the topic and that the kiosk will report as changes.
  private struct Expected {
    /// The value of the request that the kiosk has not answered.
    var sent: JSONValue?
    /// The values of earlier requests, oldest first.
    var accepted: [JSONValue] = []

    mutating func accept() {
      guard let value = sent.take() else { return }
      if accepted.count == ValueSession.maximumEchoes { accepted.removeFirst() }
      accepted.append(value)
    }

    /// Takes a report of the kiosk; returns whether it was expected. The kiosk has moved on from all values before it,
    /// but a report before the answer to a request may be older than the request.
    mutating func note(_ value: JSONValue) -> Bool {
      if value == sent {
        self = Expected()
        return true
      }
      let place = accepted.firstIndex(of: value)
      accepted.removeFirst(place.map { $0 + 1 } ?? accepted.count)
      return place != nil
    }
  }

  /// The last message for the target's topic, unless the last value came from the topic.
  private enum Outgoing {
    case none
    case waiting(String, turn: Int)
    case published(String)
  }

  let value: TopicValue
  private var incoming = Incoming.none
  private var expected = Expected()
  private var outgoing = Outgoing.none
  /// The last value that the kiosk has reported.
  private var reported: JSONValue?
  /// The newest messages to the topic, if the value also comes from it: the broker returns them in this order.
  private var echoes: [String] = []
  private static let maximumEchoes = 64

  /// Begins with the messages to the kiosk of an earlier session, if their source is the same.
  init(_ value: TopicValue, after earlier: ValueSession? = nil) {
    self.value = value
    guard let earlier, earlier.value.source == value.source else { return }
    (incoming, expected) = (earlier.incoming, earlier.expected)
  }

  // MARK: From the topic to the kiosk

  /// The turn of the message that waits for the kiosk, if one does.
  var incomingTurn: Int? {
    if case .waiting(_, let turn) = incoming { turn } else { nil }
  }

  /// Whether the kiosk has a message that it has not answered.
  var isAwaitingAnswer: Bool {
    if case .sent = incoming { true } else { false }
  }

  /// Takes a message of the topic. A newer message has the turn of the one that it replaces.
  mutating func receive(_ message: Message, turn: Int) {
    switch incoming {
    case .none: incoming = .waiting(message, turn: turn)
    case .waiting(_, let turn): incoming = .waiting(message, turn: turn)
    case .sent(let sent, let request, let newer):
      incoming = .sent(sent, request: request, newer: (message, turn: newer?.turn ?? turn))
    }
  }

  /// Whether a message from the topic is one of the value's own, each of which the broker returns once.
  mutating func isEcho(_ payload: [UInt8]) -> Bool {
    guard let place = echoes.firstIndex(where: { $0.utf8.elementsEqual(payload) }) else {
      return false
    }
    // The messages before it were lost on the way.
    echoes.removeFirst(place + 1)
    return true
  }

  /// Takes the waiting message, unless it is out of date.
  mutating func takeWaiting(at now: Timestamp) -> Message? {
    guard case .waiting(let message, _) = incoming else { return nil }
    incoming = .none
    if let seconds = value.staleAfter, message.time + seconds <= now { return nil }
    return message
  }

  /// Notes that the kiosk is given the value of a message.
  mutating func noteRequest(_ number: Int, for message: Message, giving value: JSONValue) {
    incoming = .sent(message, request: number, newer: nil)
    if value != reported || !expected.accepted.isEmpty { expected.sent = value }
    outgoing = .none
  }

  /// Takes the answer to a request. Without a connection, its message waits for the next one. Returns whether the
  /// session waited for this answer.
  mutating func noteAnswer(to number: Int, _ outcome: RequestOutcome) -> Bool {
    guard case .sent(let message, number, let newer) = incoming else { return false }
    incoming = newer.map { .waiting($0.0, turn: $0.turn) } ?? .none
    switch outcome {
    case .done: expected.accept()
    case .refused: expected.sent = nil
    case .disconnected:
      expected.sent = nil
      // The first to be given again.
      incoming = .waiting(newer?.0 ?? message, turn: 0)
    }
    return true
  }

  // MARK: From the kiosk to the topic

  /// The turn of the message that waits for the broker, if one does.
  var outgoingTurn: Int? {
    if case .waiting(_, let turn) = outgoing { turn } else { nil }
  }

  /// Takes a report of the kiosk.
  mutating func note(_ value: JSONValue, turn: Int) {
    guard value != reported else { return }
    let isFirst = reported == nil
    reported = value
    if expected.note(value) {
      // An earlier message that was not published is out of date.
      outgoing = .none
      return
    }
    guard let target = self.value.target, value != .null else { return }
    // The first report is not a change. It is published if the topic may have another message, the broker's retained
    // one or `gone`, unless the device itself reports the value.
    if isFirst, self.value.source != nil || !(target.isRetained || self.value.gone != nil) {
      return
    }
    outgoing = .waiting(target.message(of: value), turn: outgoingTurn ?? turn)
  }

  /// The message that waits for the broker, which gets it now.
  mutating func takeOutgoing() -> BrokerMessage? {
    guard case .waiting(let text, _) = outgoing, let target = value.target else { return nil }
    outgoing = .published(text)
    if value.source?.topic == target.topic {
      if echoes.count == Self.maximumEchoes { echoes.removeFirst() }
      echoes.append(text)
    }
    return BrokerMessage(target.topic, text, isRetained: target.isRetained)
  }

  /// Publishes the last message again by a new connection, if the broker may have forgotten it or published `gone`. A
  /// device that reports the value itself is believed after `gone`.
  mutating func republish(turn: Int) {
    guard case .published(let text) = outgoing,
      value.target?.isRetained == true || value.gone != nil && value.source == nil
    else { return }
    outgoing = .waiting(text, turn: turn)
  }

  /// Forgets the own messages: after the end of a connection the broker does not return them.
  mutating func forgetEchoes() { echoes = [] }

  /// Forgets the reports of the kiosk, which will report everything again. No earlier message follows `gone`.
  mutating func forgetReports() {
    reported = nil
    // The kiosk may still take the value of a request that it has not answered.
    expected.accepted = []
    if value.gone != nil { outgoing = .none }
  }
}
