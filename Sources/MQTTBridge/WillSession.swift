// SPDX-License-Identifier: MIT

/// The connection to the broker for one value with `gone`, which is the connection's last will.
///
/// The connection lasts while the kiosk answers, and never ends with a DISCONNECT, so the broker
/// publishes the will if the kiosk, the bridge, the machine or the network fails. Values use the
/// same connection, because brokers only keep its order, and `gone` must follow all values.
struct WillSession {
  private enum History {
    case new
    case failed
    /// The broker has received the will. If `isReported`, a later attempt has failed.
    case connected(isReported: Bool)
  }

  private(set) var broker: BrokerSession
  private var history = History.new

  init(_ will: BrokerMessage, as client: String, _ actions: ActionQueue) {
    broker = BrokerSession(client, will, keepAlive: 10, actions)
  }

  /// Cancels further attempts if the broker isn't reachable.
  mutating func setBroker(isReachable: Bool) {
    if isReachable { broker.connect() } else { broker.rest() }
  }

  mutating func advance() { broker.advance() }

  mutating func recordAccepted() {
    broker.recordAccepted()
    history = .connected(isReported: false)
  }

  /// Whether to report the end: only the first of several failed attempts.
  mutating func recordEnd(isBrokerReachable: Bool) -> Bool {
    let end = broker.recordEnd()
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
    case published
    /// The broken connection's will may be unpublished.
    case pending
  }

  /// Makes the broker publish the will.
  mutating func end() -> End {
    let isConnected = broker.connection != nil
    broker.drop()
    switch history {
    case .new, .failed: return .nothing
    case .connected: return isConnected ? .published : .pending
    }
  }
}
