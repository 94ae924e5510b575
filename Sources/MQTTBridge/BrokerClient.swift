// SPDX-License-Identifier: MIT

internal import RoundelMotion

struct BrokerClient {
  /// The number of early ends that indicates another client with the same name.
  private static let clashingEnds = 2

  private(set) var session: BrokerSession
  private let broker: String
  private let actions: ActionQueue
  /// The number of successive connections that ended early.
  private var earlyEnds = 0
  private var reported: String?

  init(_ name: String, _ will: BrokerMessage, _ settings: BridgeSettings, _ actions: ActionQueue) {
    self.actions = actions
    broker = settings.broker
    session = BrokerSession(name, will, keepAlive: 60, spread: settings.spread, actions)
    session.connect()
  }

  /// `base` is the common prefix of topics.
  mutating func recordAccepted(topics base: String) {
    session.recordAccepted()
    if earlyEnds < Self.clashingEnds {
      actions.log("connected to the broker \(broker); topics \(base)/…")
    }
  }

  mutating func recordEnd(_ reason: String) {
    switch session.recordEnd() {
    case .refused: break
    case .early: earlyEnds += 1
    case .late:
      earlyEnds = 0
      reported = nil
    }
    let words =
      earlyEnds < Self.clashingEnds
      ? "not connected to the broker \(broker): \(reason)"
      : "the broker \(broker) closes each connection at once, probably because another client "
        + "is named \(session.client); give each panel its own --name"
    guard reported != words else { return }
    reported = words
    let seconds = Int(session.backOff.maximumSeconds)
    actions.log(words + "; retrying at least every \(seconds) s")
  }

  /// Does nothing without a connection.
  func publish(_ topic: String, _ text: String, isRetained: Bool = true) {
    publish(BrokerMessage(topic, text, isRetained: isRetained))
  }

  func publish(_ message: BrokerMessage) {
    if let connection = session.connection { actions.add(.publish(message, connection)) }
  }

  mutating func close() { session.close() }
  mutating func advance() { session.advance() }
}
