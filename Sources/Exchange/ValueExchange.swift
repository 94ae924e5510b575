// SPDX-License-Identifier: MIT

package import RoundelJSON
package import Kiosk
package import KioskProtocol
package import RoundelMotion

/// The kiosk's values that a service provides or receives.
///
/// The kiosk gets one message at a time, and only the newest of each value, so a fast sender
/// doesn't affect it. The bridge's protocol determines the messages to the service.
package struct ValueExchange {
  private let service: Service
  private let actions: KioskActions
  private let keepImage: ImageKeeper
  private var sessions: [String: ValueSession] = [:]
  /// The expressions of values by the source's name.
  package private(set) var listeners: [String: [String]] = [:]
  private var lastTurn = 0
  private var failures = FailureLog(maximumLines: 60)

  package init(
    _ service: Service, _ actions: KioskActions,
    keepImage: @escaping ImageKeeper
  ) {
    self.service = service
    self.actions = actions
    self.keepImage = keepImage
  }

  private mutating func nextTurn() -> Int {
    lastTurn += 1
    return lastTurn
  }

  // MARK: The kiosk

  /// Returns whether there are new values to watch, and the sources of new values.
  package mutating func describe(by tree: TreeAnswer) -> (hasNew: Bool, sources: Set<String>) {
    var hasNew = false
    var sources: Set<String> = []
    let old = sessions
    sessions = [:]
    listeners = [:]
    for range in tree.ranges ?? [] {
      guard let value = ExchangedValue(range.name, range.value, of: service) else { continue }
      let expression = value.expression
      if let known = old[expression], known.value == value {
        sessions[expression] = known
      } else {
        hasNew = true
        sessions[expression] = ValueSession(value, after: old[expression])
        if let name = value.source?.name { sources.insert(name) }
      }
      if let name = value.source?.name { listeners[name, default: []].append(expression) }
    }
    return (hasNew, sources)
  }

  package subscript(expression: String) -> ExchangedValue? { sessions[expression]?.value }

  package var values: [ExchangedValue] { sessions.values.map(\.value) }

  package var expressions: [String] { sessions.keys.sorted() }

  /// Whether a value has a source and a target. The bridge must learn of a restart before it sends
  /// the value.
  package func isTwoWay(_ expression: String) -> Bool {
    self[expression].map { $0.source != nil && $0.target != nil } ?? false
  }

  /// The values whose messages wait until the controls are at rest.
  package var phased: Set<String> {
    Set(
      sessions.values.map(\.value).filter { $0.target?.timing == .settled || $0.echoSeconds != nil }
        .map(\.expression))
  }

  /// Makes arriving messages wait for the kiosk.
  package mutating func recordAbsence() {
    for expression in sessions.keys { sessions[expression]?.forgetReports() }
  }

  /// Values with sources have initial values, which are not sent, until the service repeats its
  /// values.
  package mutating func recordRestart() {
    for (expression, session) in sessions where session.value.source != nil {
      sessions[expression]?.forgetReports()
    }
  }

  package mutating func record(_ expression: String, is value: JSONValue, isSettled: Bool) {
    let turn = nextTurn()
    sessions[expression]?.record(value, isSettled: isSettled, turn: turn)
  }

  // MARK: Messages to the kiosk

  package mutating func receive(_ content: MessageContent, for expression: String) {
    let turn = nextTurn()
    sessions[expression]?.receive(.init(content, at: actions.now), turn: turn)
  }

  /// Sends the next message, unless a request is unanswered.
  package mutating func advance(_ kiosk: KioskSession) {
    guard !sessions.values.contains(where: \.isAwaitingAnswer) else { return }
    while let expression = nextIncoming {
      guard let message = sessions[expression]?.takeWaiting(at: actions.now),
        let value = sessions[expression]?.value
      else { continue }
      do throws(MessageError) {
        guard let json = try value.value(in: message.content, keepImage: keepImage),
          let call = value.call(json)
        else { continue }
        let number = kiosk.send(call.method, call.parameters, for: .value(expression))
        sessions[expression]?.recordRequest(number, for: message, giving: json)
        return
      } catch {
        report("\(value.name): \(value.source?.name ?? ""): \(error)", to: kiosk)
      }
    }
  }

  package mutating func recordAnswer(
    to request: Int, of expression: String, _ outcome: RequestOutcome, from kiosk: KioskSession?
  ) {
    guard sessions[expression]?.recordAnswer(to: request, outcome) == true,
      case .refused(let error) = outcome
    else { return }
    report("\(expression): \(self[expression]?.source?.name ?? ""): \(error)", to: kiosk)
  }

  private var nextIncoming: String? {
    sessions.compactMap { expression, session in
      session.incomingTurn(at: actions.now).map { (turn: $0, expression: expression) }
    }.min { $0.turn < $1.turn }?.expression
  }

  /// Logs a failure, and reports it as the kiosk's event `failed`.
  package mutating func report(_ failure: String, to kiosk: KioskSession?) {
    guard let line = failures.line(failure, at: actions.now) else { return }
    actions.log(line)
    kiosk?.report(failure: line)
  }

  // MARK: Messages to the service

  /// Sends the last value again, if the service may have lost it.
  package mutating func resend(_ expression: String) {
    let turn = nextTurn()
    sessions[expression]?.resend(turn: turn)
  }

  /// Returns the next value for the service whose `route` isn't nil.
  package mutating func next<Route>(
    _ route: (ExchangedValue) -> Route?
  ) -> (value: ExchangedValue, json: JSONValue, route: Route)? {
    var next: (turn: Int, expression: String, route: Route)?
    for (expression, session) in sessions {
      guard let turn = session.outgoingTurn(at: actions.now), turn < next?.turn ?? .max,
        let route = route(session.value)
      else { continue }
      next = (turn, expression, route)
    }
    guard let next, let value = self[next.expression],
      let json = sessions[next.expression]?.takeOutgoing(at: actions.now)
    else { return nil }
    return (value, json, next.route)
  }

  /// The next sending time in either direction, or nil.
  package var deadline: Timestamp? {
    sessions.values.compactMap { $0.deadline(after: actions.now) }.min()
  }
}
