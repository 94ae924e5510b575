// SPDX-License-Identifier: MIT

/// The connection to the broker for one value with `gone`, whose last will is that message.
///
/// The connection lasts while the kiosk answers, and never ends with a DISCONNECT. Therefore the broker publishes the
/// will if the kiosk, the bridge, the machine or the network fails. The bridge publishes the value by the same
/// connection: brokers keep the order within a connection only, and `gone` has to follow all values.
struct WillSession {
  private enum History {
    case new
    /// The broker has never received the will, and an attempt failed.
    case failed
    /// The broker has received the will. An attempt failed since the last connection if `isReported`.
    case connected(isReported: Bool)
  }

  private(set) var broker: BrokerSession
  private var history = History.new

  init(_ will: BrokerMessage, as client: String, _ actions: ActionQueue) {
    broker = BrokerSession(client, will, keepAlive: 10, actions)
  }

  /// Connects if the broker can be reached, and stops further attempts if not.
  mutating func setBroker(isReachable: Bool) {
    if isReachable { broker.connect() } else { broker.rest() }
  }

  mutating func advance() { broker.advance() }

  mutating func noteAccepted() {
    broker.noteAccepted()
    history = .connected(isReported: false)
  }

  /// Notes the end of the connection; returns whether to report it: only the first of several failed attempts.
  mutating func noteEnd(isBrokerReachable: Bool) -> Bool {
    let end = broker.noteEnd()
    if !isBrokerReachable { broker.rest() }
    guard end == .refused else { return false }
    switch history {
    case .new: history = .failed
    case .connected(isReported: false): history = .connected(isReported: true)
    case .failed, .connected(isReported: true): return false
    }
    return true
  }

  enum End {
    /// The broker has never received the will.
    case nothing
    /// The broker publishes the will.
    case published
    /// The connection broke before: the broker may not have published the will.
    case owed
  }

  /// Ends the connection, so the broker publishes the will.
  mutating func end() -> End {
    let isConnected = broker.connection != nil
    broker.drop()
    switch history {
    case .new, .failed: return .nothing
    case .connected: return isConnected ? .published : .owed
    }
  }
}
