// SPDX-License-Identifier: MIT

internal import Exchange
internal import RoundelJSON
internal import RoundelMotion

/// A client of Home Assistant. Reconnects after the connection ends.
struct HomeSession {
  private enum State {
    case waiting(until: Timestamp)
    /// Until Home Assistant accepts the access token.
    case connecting(ConnectionID, until: Timestamp)
    case connected(ConnectionID, since: Timestamp, ping: Ping)
  }

  private enum Ping {
    case due(Timestamp)
    case sent(until: Timestamp)

    var deadline: Timestamp {
      switch self {
      case .due(let time), .sent(until: let time): time
      }
    }
  }

  enum Report: Hashable {
    case connected
    case result(Int, JSONValue, failure: String?)
    case event(Int, JSONValue)
    /// `problem` is nil if it is the same as for the last attempt.
    case ended(problem: String?)
  }

  /// Seconds until an attempt fails, which includes the name's resolution and TLS.
  static let connectionSeconds = 20.0
  static let pingSeconds = 30.0
  static let answerSeconds = 10.0
  /// Home Assistant may ban clients that use a wrong token often.
  static let rejectedSeconds = 60.0
  private static let minimumSeconds = 10.0

  private let place: String
  private let actions: HomeActions
  private var state: State
  private var backOff = BackOff(maximumSeconds: 60)
  private var lastCommand = 0
  private var reportedProblem: String?

  init(_ place: String, _ actions: HomeActions) {
    self.place = place
    self.actions = actions
    state = .waiting(until: actions.now)
  }

  /// The connection, or nil until Home Assistant has accepted the access token.
  var connection: ConnectionID? {
    if case .connected(let connection, _, _) = state { connection } else { nil }
  }

  func owns(_ connection: ConnectionID) -> Bool {
    switch state {
    case .waiting: false
    case .connecting(let own, _), .connected(let own, _, _): own == connection
    }
  }

  // MARK: Commands

  /// Returns the command's number, or nil without a connection.
  mutating func send(_ type: String, _ members: [JSONValue.Member] = []) -> Int? {
    guard let connection else { return nil }
    lastCommand += 1
    let head: [JSONValue.Member] = [
      .init("id", .number(Double(lastCommand))), .init("type", .string(type)),
    ]
    actions.add(.send(.object(head + members), connection))
    return lastCommand
  }

  // MARK: Input

  mutating func receive(_ input: HomeInput) -> [Report] {
    switch input {
    case .ended(let reason): return [end("not connected to \(place): \(reason)")]
    case .message(let frame):
      do throws(JSONValue.SyntaxError) {
        var reports: [Report] = []
        for message in try HomeMessage.messages(in: frame) { reports += receive(message) }
        return reports
      } catch {
        return [fail("not connected to \(place): its message is not JSON: \(error.description)")]
      }
    }
  }

  private mutating func receive(_ message: HomeMessage) -> [Report] {
    switch (state, message) {
    case (.connecting(let connection, _), .authenticationRequired):
      actions.add(.authenticate(connection))
      return []
    case (.connecting(let connection, _), .authenticated(let version)):
      state = .connected(
        connection, since: actions.now, ping: .due(actions.now + Self.pingSeconds))
      lastCommand = 0
      reportedProblem = nil
      actions.log("connected to \(place), Home Assistant \(version)")
      return [.connected]
    case (.connecting, .rejected(let reason)):
      return [
        fail(
          "\(place) refuses the access token: \(reason); create a new one in your profile, under Security",
          pause: Self.rejectedSeconds)
      ]
    case (.connected(let connection, let start, _), _):
      // Any message proves that the connection works.
      state = .connected(
        connection, since: start, ping: .due(actions.now + Self.pingSeconds))
      switch message {
      case .result(let id, let json, let failure):
        return [.result(id, json, failure: failure)]
      case .event(let id, let json): return [.event(id, json)]
      case .authenticationRequired, .authenticated, .rejected, .pong, .other: return []
      }
    case (.waiting, _), (.connecting, _): return []
    }
  }

  private mutating func fail(_ problem: String, pause: Double = 0) -> Report {
    switch state {
    case .waiting: break
    case .connecting(let connection, _), .connected(let connection, _, _):
      actions.add(.close(connection))
    }
    return end(problem, pause: pause)
  }

  private mutating func end(_ problem: String, pause: Double = 0) -> Report {
    if case .connected(_, let start, _) = state, start + Self.minimumSeconds <= actions.now {
      backOff.reset()
    }
    // A first attempt would otherwise follow immediately.
    state = .waiting(until: actions.now + max(backOff.next(), 1, pause))
    guard reportedProblem != problem else { return .ended(problem: nil) }
    reportedProblem = problem
    return .ended(problem: problem)
  }

  // MARK: Time

  var deadline: Timestamp {
    switch state {
    case .waiting(until: let time), .connecting(_, until: let time): time
    case .connected(_, _, let ping): ping.deadline
    }
  }

  mutating func advance() -> [Report] {
    guard deadline <= actions.now else { return [] }
    switch state {
    case .waiting:
      let connection = actions.kiosk.makeConnection()
      state = .connecting(connection, until: actions.now + Self.connectionSeconds)
      actions.add(.open(connection))
      return []
    case .connected(let connection, let start, .due):
      _ = send("ping")
      state = .connected(
        connection, since: start, ping: .sent(until: actions.now + Self.answerSeconds))
      return []
    case .connecting, .connected(_, _, .sent):
      return [fail("not connected to \(place): no answer")]
    }
  }

  mutating func close() {
    switch state {
    case .waiting: break
    case .connecting(let connection, _), .connected(let connection, _, _):
      actions.add(.close(connection))
    }
  }
}
