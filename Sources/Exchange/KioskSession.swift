// SPDX-License-Identifier: MIT

internal import JSONRPC
internal import Kiosk
internal import KioskProtocol
package import RoundelJSON
internal import RoundelMotion

/// A connection to the kiosk, with additional connections for watches.
package final class KioskSession {
  private enum Purpose {
    case acknowledgement
    case connection(Bool)
    case status, tree, check
    case watch(String)
    case requester(Requester)
  }

  private enum Description {
    /// The status arrives before the controls.
    case requested(StatusAnswer?, isOutdated: Bool)
    case known
  }

  /// Reports, and the reason to end the session, or nil.
  typealias Reaction = (reports: [KioskReport], failure: String?)

  /// The previous connection's error, until this one is open.
  private(set) var replacedReason: String?
  /// Whether the kiosk knew of the service's connection when it sent its last event. Otherwise, it
  /// reports itself that an action's message isn't sent.
  package private(set) var isConnectionKnown = false
  private let service: Service
  private let connection: ConnectionID
  private let start: Timestamp
  private let actions: KioskActions
  private var check: KioskCheck
  private var lastRequest = 0
  private var requests: [Int: (connection: ConnectionID, purpose: Purpose)] = [:]
  private var description = Description.requested(nil, isOutdated: false)
  private var isDescribed = false
  private var nextDescription: Timestamp?
  private var watched: [String] = []
  /// Additional connections, because watches per client are limited.
  private var watchers: [ConnectionID] = []

  init(
    of service: Service, replacing reason: String?, isBridged: Bool, isCheckedOften: Bool,
    _ actions: KioskActions
  ) {
    self.service = service
    self.actions = actions
    replacedReason = reason
    connection = actions.makeConnection()
    start = actions.now
    check = KioskCheck(often: isCheckedOften, at: actions.now)
    actions.add(.open(connection))
    send(EventsRequest(), .acknowledgement)
    if isBridged { reportConnection(true) }
    requestDescription()
  }

  /// Whether a living kiosk should accept another connection immediately.
  var isEstablished: Bool { isDescribed && start + 1 <= actions.now }

  func owns(_ connection: ConnectionID) -> Bool {
    connection == self.connection || watchers.contains(connection)
  }

  // MARK: Requests

  private func send(_ request: some MethodRequest, _ purpose: Purpose) {
    send(type(of: request).method.name, request.jsonMembers, purpose, by: connection)
  }

  @discardableResult
  private func send(
    _ method: String, _ parameters: [JSONValue.Member], _ purpose: Purpose, by line: ConnectionID
  ) -> Int {
    lastRequest += 1
    requests[lastRequest] = (line, purpose)
    let parameters: JSONValue? = parameters.isEmpty ? nil : .object(parameters)
    actions.add(.send(Request(method, parameters, id: .number(Double(lastRequest))), line))
    return lastRequest
  }

  /// Returns the request's number.
  package func send(
    _ method: String, _ parameters: [JSONValue.Member], for requester: Requester
  ) -> Int {
    send(method, parameters, .requester(requester), by: connection)
  }

  /// Reports the service's connection. Older kiosks don't support the request.
  func reportConnection(_ isBridged: Bool) {
    let request = BridgeRequest {
      $0.isConnected = isBridged
      $0.service = service
    }
    send(request, .connection(isBridged))
  }

  package func report(failure message: String) {
    send(FailedRequest { $0.message = message }, .acknowledgement)
  }

  // MARK: The description

  private func requestDescription() {
    description = .requested(nil, isOutdated: false)
    send(StatusRequest(), .status)
    send(TreeRequest { $0.properties = true }, .tree)
  }

  func describe() {
    switch description {
    case .requested(let status, _): description = .requested(status, isOutdated: true)
    case .known: requestDescription()
    }
  }

  /// Like `describe`, but at most once per second.
  package func describeSoon() {
    if nextDescription == nil { nextDescription = actions.now + 1 }
  }

  private func recordStatus(_ result: Result<JSONValue, RemoteError>) {
    guard case .requested(_, let isOutdated) = description else { return }
    description = .requested(Self.status(result), isOutdated: isOutdated)
  }

  private func recordTree(_ json: JSONValue) -> Reaction {
    guard case .requested(let status?, let isOutdated) = description, let tree = TreeAnswer(json)
    else { return ([], "\(ClientError.misread(method: TreeRequest.method.name))") }
    description = .known
    isDescribed = true
    check.recordLife(at: actions.now)
    if isOutdated { requestDescription() }
    return ([.described(status, tree)], nil)
  }

  private static func status(_ result: Result<JSONValue, RemoteError>) -> StatusAnswer? {
    (try? result.get()).flatMap { StatusAnswer($0) }
  }

  // MARK: Watches

  /// Replaces the watched expressions. The kiosk reports each value now and after each change.
  ///
  /// Expressions in `ordered` share the main connection up to a client's limit, in the order of the
  /// kiosk's events. The others may overtake events: separate connections keep large values from
  /// displacing events. For `phased` expressions, the kiosk also reports when their controls come
  /// to rest.
  package func watch(_ ordered: [String], and others: [String], phased: Set<String>) {
    guard watched != ordered + others else { return }
    if !watched.isEmpty { endWatches() }
    watched = ordered + others
    let limits = Limits()
    var (line, count, bytes) = (connection, 0, 0)
    for (index, expression) in watched.enumerated() {
      count += 1
      bytes += expression.utf8.count
      if index == ordered.count || count > limits.maximumWatches
        || bytes > limits.maximumWatchBytes
      {
        line = actions.makeConnection()
        actions.add(.open(line))
        watchers.append(line)
        (count, bytes) = (1, expression.utf8.count)
      }
      let request = WatchRequest {
        $0.expressions = [expression]
        $0.causes = true
        $0.targets = true
        $0.phases = phased.contains(expression)
      }
      send(WatchRequest.method.name, request.jsonMembers, .watch(expression), by: line)
    }
  }

  /// The next watches report all values again.
  package func endWatches() {
    guard !watched.isEmpty else { return }
    watched = []
    for watcher in watchers { actions.add(.close(watcher)) }
    requests = requests.filter { !watchers.contains($0.value.connection) }
    watchers = []
    send(WatchRequest { $0.on = false }, .acknowledgement)
  }

  // MARK: Time

  func setChecks(often isOften: Bool) { check.set(often: isOften, at: actions.now) }

  var deadline: Timestamp? { [check.deadline, nextDescription].compactMap(\.self).min() }

  func advance() -> [KioskReport] {
    if let time = nextDescription, time <= actions.now {
      nextDescription = nil
      describe()
    }
    switch check.advance(to: actions.now) {
    case .request: send(StatusRequest(), .check)
    case .failure: return [.silent]
    case nil: break
    }
    return []
  }

  // MARK: Input

  /// Returns a report if the connection replaces a broken one.
  func open() -> [KioskReport] { replacedReason.take().map { [.reconnected(reason: $0)] } ?? [] }

  func receive(_ response: Response, from line: ConnectionID) -> Reaction {
    // An error without an id concerns the connection or an unreadable request, which is never answered.
    if response.id == .null, case .failure(let error) = response.outcome {
      return (fail(.refused(error), on: line), "\(error)")
    }
    guard let number = response.id.integer, let request = requests.removeValue(forKey: number)
    else { return ([], nil) }
    switch (request.purpose, response.outcome) {
    case (.acknowledgement, _), (.watch, .success): break
    case (.connection(let isBridged), _): isConnectionKnown = isBridged
    case (.watch(let expression), .failure(let error)):
      actions.log("cannot watch \(expression): \(error)")
    case (.status, let result): recordStatus(result)
    case (.tree, .success(let json)): return recordTree(json)
    case (.tree, .failure(let error)): return ([], "\(error)")
    case (.check, let result):
      if check.recordAnswer(at: actions.now) {
        describe()
      } else if let status = Self.status(result) {
        return ([.status(status)], nil)
      }
    case (.requester(let requester), let result):
      return ([.answered(requester, request: number, RequestOutcome(result))], nil)
    }
    return ([], nil)
  }

  /// A nil `line` means all connections.
  private func fail(_ outcome: RequestOutcome, on line: ConnectionID? = nil) -> [KioskReport] {
    let failed = requests.filter { line == nil || $0.value.connection == line }
    for number in failed.keys { requests[number] = nil }
    return failed.sorted { $0.key < $1.key }.compactMap { number, request in
      guard case .requester(let requester) = request.purpose else { return nil }
      return .answered(requester, request: number, outcome)
    }
  }

  func end(_ reason: String) -> [KioskReport] {
    for line in [connection] + watchers { actions.add(.close(line)) }
    return fail(.disconnected(reason: reason))
  }
}
