// SPDX-License-Identifier: MIT

import Broker
import LinuxIO
import Motion

/// The connection to the broker of one value with `gone`, whose last will is that message.
///
/// The connection lasts while the kiosk answers, and never ends with a DISCONNECT. Therefore the broker publishes the
/// will if the kiosk, the bridge, the machine or the network fails. The bridge publishes the value by the same
/// connection: brokers keep the order within a connection only, and `gone` has to follow all values.
final class Lifeline {
  /// Seconds between two keep-alive messages.
  static let keepAlive = 10
  /// The minimum duration of a successful connection, in seconds.
  private static let earlySeconds = 10.0

  let will: BrokerConnection.Will
  /// The connection once the broker has accepted it, or nil.
  var connection: BrokerConnection? { current?.isConnected == true ? current : nil }
  /// Whether the broker has ever received the will.
  private(set) var wasConnected = false

  var onConnect: () -> Void = {}
  /// Called when all published messages have been written to the socket.
  var onRoom: () -> Void = {}
  /// Called with the reason when the first attempt to connect fails.
  var onFailure: (BrokerConnection.Failure) -> Void = { _ in }

  private let address: BrokerAddress
  private let identity: String
  private let loop: EventLoop
  private var current: BrokerConnection?
  private var start: Timestamp?
  private var backOff = BackOff(maximumSeconds: 60)
  private var retry: EventLoop.Token?
  /// Whether a failure has been reported since the last connection.
  private var isReported = false

  init(
    to address: BrokerAddress, as identity: String, _ will: BrokerConnection.Will,
    on loop: EventLoop
  ) {
    self.address = address
    self.identity = identity
    self.will = will
    self.loop = loop
  }

  /// Connects, and retries until `rest`. Does nothing if already connected.
  func connect() {
    retry = nil
    guard current == nil else { return }
    do throws(BrokerConnection.Failure) {
      let connection = try BrokerConnection(
        to: address, as: identity, will: will, keepAlive: Self.keepAlive, maximumPayloadBytes: 0,
        on: loop)
      current = connection
      connection.onConnect = { [unowned self] in
        start = MonotonicClock.now
        wasConnected = true
        isReported = false
        onConnect()
      }
      connection.onRoom = { [unowned self] in onRoom() }
      connection.onEnd = { [unowned self] in lose($0) }
    } catch {
      lose(error)
    }
  }

  /// Stops retrying, because the broker is unreachable.
  func rest() { retry = nil }

  /// Ends the connection, so the broker publishes the will.
  func drop() {
    retry = nil
    current?.drop()
    release()
  }

  private func lose(_ failure: BrokerConnection.Failure) {
    release()
    if let start, start + Self.earlySeconds <= MonotonicClock.now { backOff.reset() }
    let wasFailure = start == nil
    start = nil
    retry = loop.schedule(at: MonotonicClock.now + max(backOff.next(), 1)) { [unowned self] in
      connect()
    }
    if wasFailure, !isReported {
      isReported = true
      onFailure(failure)
    }
  }

  /// Releases the connection in the next iteration: it may still be reporting its end.
  private func release() {
    if let current { loop.perform(at: MonotonicClock.now) { _ = current } }
    current = nil
  }
}
