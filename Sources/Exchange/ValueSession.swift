// SPDX-License-Identifier: MIT

package import RoundelJSON
internal import Kiosk
package import RoundelMotion

/// The exchange of one value with a service, in both directions.
package struct ValueSession {
  package struct Message {
    package var content: MessageContent
    package var time: Timestamp

    package init(_ content: MessageContent, at time: Timestamp) {
      self.content = content
      self.time = time
    }
  }

  /// `turn` determines the order among values.
  private enum Incoming {
    case none
    case waiting(Message, turn: Int)
    case sent(Message, request: Int, newer: (Message, turn: Int)?)
  }

  /// Values from the source that the kiosk will report as changes.
  private struct Expected {
    /// The value of the pending request.
    var sent: JSONValue?
    /// The values of earlier requests, oldest first.
    var accepted: [JSONValue] = []
    private static let maximumCount = 64

    func contains(_ value: JSONValue) -> Bool { value == sent || accepted.contains(value) }

    mutating func accept() {
      guard let value = sent.take() else { return }
      if accepted.count == Self.maximumCount { accepted.removeFirst() }
      accepted.append(value)
    }

    /// Returns whether the report was expected, which makes earlier values obsolete. A report
    /// before a request's answer may be older than the request.
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

  /// The last value for the target, unless the last value came from the source.
  private enum Outgoing {
    case none
    case waiting(JSONValue, turn: Int)
    case sent(JSONValue)
  }

  package let value: ExchangedValue
  private var incoming = Incoming.none
  private var expected = Expected()
  private var outgoing = Outgoing.none
  private var reported: JSONValue?
  /// Whether no finger holds a control that sets the value, and such controls rest.
  private var isSettled = true
  private var lastSent: Timestamp?

  /// Keeps the pending messages of an earlier session with the same source.
  package init(_ value: ExchangedValue, after earlier: ValueSession? = nil) {
    self.value = value
    guard let earlier, earlier.value.source == value.source else { return }
    (incoming, expected) = (earlier.incoming, earlier.expected)
  }

  // MARK: Rates

  /// The earliest time of the next message to the target, or nil for any time.
  private var nextSending: Timestamp? {
    guard let interval = value.target?.interval else { return nil }
    return lastSent.map { $0 + interval }
  }

  /// The time until the source may report former values.
  private var echoEnd: Timestamp? {
    guard let seconds = value.echoSeconds else { return nil }
    return lastSent.map { $0 + seconds }
  }

  /// The waiting message's time, or nil until another message is sent, or the controls rest.
  private var release: Timestamp? {
    if value.echoSeconds != nil, !isSettled { return nil }
    // The last change by a user isn't lost.
    if case .waiting = outgoing, isCalm { return nil }
    return echoEnd ?? .zero
  }

  /// Whether messages to the target may wait.
  private var isCalm: Bool {
    value.echoSeconds != nil || value.target?.interval != nil || value.target?.timing == .settled
  }

  /// The next sending time, or nil.
  package func deadline(after now: Timestamp) -> Timestamp? {
    var times: [Timestamp] = []
    if case .waiting = outgoing, let nextSending { times.append(nextSending) }
    if case .waiting = incoming, let release { times.append(release) }
    return times.filter { now < $0 }.min()
  }

  // MARK: From the source to the kiosk

  package func incomingTurn(at now: Timestamp) -> Int? {
    guard case .waiting(_, let turn) = incoming, let release, release <= now else { return nil }
    return turn
  }

  package var isAwaitingAnswer: Bool {
    if case .sent = incoming { true } else { false }
  }

  /// The message takes over the turn of a replaced one.
  package mutating func receive(_ message: Message, turn: Int) {
    switch incoming {
    case .none: incoming = .waiting(message, turn: turn)
    case .waiting(_, let turn): incoming = .waiting(message, turn: turn)
    case .sent(let sent, let request, let newer):
      incoming = .sent(sent, request: request, newer: (message, turn: newer?.turn ?? turn))
    }
  }

  /// Returns nil if the message is out of date.
  package mutating func takeWaiting(at now: Timestamp) -> Message? {
    guard case .waiting(let message, _) = incoming else { return nil }
    incoming = .none
    if let seconds = value.staleAfter, message.time + seconds <= now { return nil }
    return message
  }

  package mutating func recordRequest(
    _ number: Int, for message: Message, giving value: JSONValue
  ) {
    incoming = .sent(message, request: number, newer: nil)
    if value != reported || !expected.accepted.isEmpty { expected.sent = value }
    outgoing = .none
  }

  /// Returns whether the answer was expected. An unanswered message waits for the next connection.
  package mutating func recordAnswer(to number: Int, _ outcome: RequestOutcome) -> Bool {
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

  // MARK: From the kiosk to the target

  package func outgoingTurn(at now: Timestamp) -> Int? {
    guard case .waiting(_, let turn) = outgoing, nextSending ?? now <= now else { return nil }
    return turn
  }

  /// Records the kiosk's value, and whether the controls that set it rest.
  package mutating func record(_ value: JSONValue, isSettled: Bool = true, turn: Int) {
    self.isSettled = isSettled
    // A user's change is sent once it ends.
    if !isSettled, self.value.target?.timing == .settled, !expected.contains(value) { return }
    guard value != reported else { return }
    let isFirst = reported == nil
    reported = value
    if expected.record(value) {
      // Earlier messages are out of date.
      outgoing = .none
      return
    }
    guard let target = self.value.target, value != .null else { return }
    // The first report is published only if the topic may have another message, such as `gone`, and
    // the device doesn't report the value.
    if isFirst, self.value.source != nil || !(target.isRetained || self.value.gone != nil) {
      return
    }
    let first = if case .waiting(_, let first) = outgoing { first } else { turn }
    outgoing = .waiting(value, turn: first)
  }

  /// Returns the waiting value, which the program then sends.
  package mutating func takeOutgoing(at now: Timestamp) -> JSONValue? {
    guard case .waiting(let value, _) = outgoing else { return nil }
    outgoing = .sent(value)
    lastSent = now
    return value
  }

  /// Sends the value again if the broker may have lost it, or published `gone` for a value that the
  /// device doesn't report.
  package mutating func resend(turn: Int) {
    guard case .sent(let sent) = outgoing,
      value.target?.isRetained == true || value.gone != nil && value.source == nil
    else { return }
    outgoing = .waiting(sent, turn: turn)
  }

  /// The kiosk reports everything again. No earlier message may follow `gone`.
  package mutating func forgetReports() {
    reported = nil
    isSettled = true
    // The kiosk may still accept the value of a pending request.
    expected.accepted = []
    if value.gone != nil { outgoing = .none }
  }
}
