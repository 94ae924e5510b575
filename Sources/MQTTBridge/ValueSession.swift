// SPDX-License-Identifier: MIT

internal import HomeAssistant
internal import RoundelJSON
internal import Kiosk
internal import RoundelMotion

struct ValueSession {
  struct Message {
    var payload: [UInt8]
    var time: Timestamp
  }

  /// `turn` determines the order among values.
  private enum Incoming {
    case none
    case waiting(Message, turn: Int)
    case sent(Message, request: Int, newer: (Message, turn: Int)?)
  }

  /// Values from the topic that the kiosk will report as changes.
  private struct Expected {
    /// The value of the pending request.
    var sent: JSONValue?
    /// The values of earlier requests, oldest first.
    var accepted: [JSONValue] = []

    mutating func accept() {
      guard let value = sent.take() else { return }
      if accepted.count == ValueSession.maximumEchoes { accepted.removeFirst() }
      accepted.append(value)
    }

    /// Returns whether the report was expected. All earlier values are then obsolete, but a report
    /// that arrives before the answer to a request may be older than the request.
    mutating func record(_ value: JSONValue) -> Bool {
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
  private var reported: JSONValue?
  /// The newest messages to a topic that the value also comes from. The broker returns them in
  /// order.
  private var echoes: [String] = []
  private static let maximumEchoes = 64

  /// Keeps the pending messages of an earlier session with the same source.
  init(_ value: TopicValue, after earlier: ValueSession? = nil) {
    self.value = value
    guard let earlier, earlier.value.source == value.source else { return }
    (incoming, expected) = (earlier.incoming, earlier.expected)
  }

  // MARK: From the topic to the kiosk

  var incomingTurn: Int? {
    if case .waiting(_, let turn) = incoming { turn } else { nil }
  }

  var isAwaitingAnswer: Bool {
    if case .sent = incoming { true } else { false }
  }

  /// The message takes over the turn of a replaced one.
  mutating func receive(_ message: Message, turn: Int) {
    switch incoming {
    case .none: incoming = .waiting(message, turn: turn)
    case .waiting(_, let turn): incoming = .waiting(message, turn: turn)
    case .sent(let sent, let request, let newer):
      incoming = .sent(sent, request: request, newer: (message, turn: newer?.turn ?? turn))
    }
  }

  /// Whether this value has published the message. The broker returns each message once.
  mutating func isEcho(_ payload: [UInt8]) -> Bool {
    guard let place = echoes.firstIndex(where: { $0.utf8.elementsEqual(payload) }) else {
      return false
    }
    // The earlier messages were lost.
    echoes.removeFirst(place + 1)
    return true
  }

  /// Returns nil if the message is out of date.
  mutating func takeWaiting(at now: Timestamp) -> Message? {
    guard case .waiting(let message, _) = incoming else { return nil }
    incoming = .none
    if let seconds = value.staleAfter, message.time + seconds <= now { return nil }
    return message
  }

  mutating func recordRequest(_ number: Int, for message: Message, giving value: JSONValue) {
    incoming = .sent(message, request: number, newer: nil)
    if value != reported || !expected.accepted.isEmpty { expected.sent = value }
    outgoing = .none
  }

  /// Returns whether the answer was expected. After the connection's end, the message waits for the
  /// next one.
  mutating func recordAnswer(to number: Int, _ outcome: RequestOutcome) -> Bool {
    guard case .sent(let message, number, let newer) = incoming else { return false }
    incoming = newer.map { .waiting($0.0, turn: $0.turn) } ?? .none
    switch outcome {
    case .done: expected.accept()
    case .refused: expected.sent = nil
    case .disconnected:
      expected.sent = nil
      incoming = .waiting(newer?.0 ?? message, turn: 0)
    }
    return true
  }

  // MARK: From the kiosk to the topic

  var outgoingTurn: Int? {
    if case .waiting(_, let turn) = outgoing { turn } else { nil }
  }

  mutating func record(_ value: JSONValue, turn: Int) {
    guard value != reported else { return }
    let isFirst = reported == nil
    reported = value
    if expected.record(value) {
      // Earlier messages are out of date.
      outgoing = .none
      return
    }
    guard let target = self.value.target, value != .null else { return }
    // The first report is published only if the topic may have another message, such as a retained
    // one or `gone`, and the device itself doesn't report the value.
    if isFirst, self.value.source != nil || !(target.isRetained || self.value.gone != nil) {
      return
    }
    outgoing = .waiting(target.message(of: value), turn: outgoingTurn ?? turn)
  }

  mutating func takeOutgoing() -> BrokerMessage? {
    guard case .waiting(let text, _) = outgoing, let target = value.target else { return nil }
    outgoing = .published(text)
    if value.source?.topic == target.topic {
      if echoes.count == Self.maximumEchoes { echoes.removeFirst() }
      echoes.append(text)
    }
    return BrokerMessage(target.topic, text, isRetained: target.isRetained)
  }

  /// Publishes the last message on a new connection, if the broker may have lost it, or published
  /// `gone` for a value that the device itself doesn't report.
  mutating func republish(turn: Int) {
    guard case .published(let text) = outgoing,
      value.target?.isRetained == true || value.gone != nil && value.source == nil
    else { return }
    outgoing = .waiting(text, turn: turn)
  }

  /// Forgets messages that the broker doesn't return after the connection's end.
  mutating func forgetEchoes() { echoes = [] }

  /// The kiosk reports everything again. No earlier message may follow `gone`.
  mutating func forgetReports() {
    reported = nil
    // The kiosk may still accept the value of a pending request.
    expected.accepted = []
    if value.gone != nil { outgoing = .none }
  }
}
