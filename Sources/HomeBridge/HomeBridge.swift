// SPDX-License-Identifier: MIT

package import Exchange
internal import Kiosk
internal import KioskProtocol
internal import RoundelJSON
package import RoundelMotion

/// Sets values from Home Assistant's entities, and calls its services.
///
/// Has no clock, sockets or files. A program passes it input, performs its actions, and calls
/// `advance` at its deadline.
package struct HomeBridge {
  private let actions: HomeActions
  private var kiosk: KioskClient
  private var exchange: ValueExchange
  private var home: HomeSession
  private var isKioskPresent = false
  private var entities = EntitySubscription()
  private var calls = PendingCalls()

  /// - Parameter place: Home Assistant's address, for messages.
  package init(_ place: String, at now: Timestamp) {
    actions = HomeActions(at: now)
    kiosk = KioskClient(of: .home, actions.kiosk)
    exchange = ValueExchange(.home, actions.kiosk) { (_, _) throws(MessageError) in
      throw MessageError(description: "entities have no images")
    }
    home = HomeSession(place, actions)
  }

  // MARK: Input

  package mutating func receive(
    _ input: KioskInput, from connection: ConnectionID, at now: Timestamp
  ) {
    actions.now = now
    for report in kiosk.receive(input, from: connection) { handle(report) }
  }

  package mutating func receive(
    _ input: HomeInput, from connection: ConnectionID, at now: Timestamp
  ) {
    actions.now = now
    guard home.owns(connection) else { return }
    for report in home.receive(input) { handle(report) }
    giveValues()
  }

  package mutating func advance(to now: Timestamp) {
    actions.now = now
    for report in kiosk.advance() { handle(report) }
    for report in home.advance() { handle(report) }
    if isKioskPresent {
      for expression in entities.due(exchange, at: now)
      where !calls.isPending(for: expression, at: now) {
        give(expression, isRepeated: true)
      }
    }
    giveValues()
  }

  package mutating func stop(at now: Timestamp) {
    actions.now = now
    home.close()
  }

  // MARK: Output

  package mutating func nextAction(at now: Timestamp) -> HomeAction? {
    actions.now = now
    while true {
      if let action = actions.takeFirst() { return action }
      guard home.connection != nil else { return nil }
      let calls = calls
      let next = exchange.next { calls.isPending(for: $0.expression, at: now) ? nil : true }
      guard let next, let target = next.value.target, let field = target.field else { return nil }
      call(
        target.name, target.entity ?? "", [.init(field, next.json)], of: next.value)
      // A message from the entity may have waited for this one.
      giveValues()
    }
  }

  /// Returns the time of the next `advance`, or nil if it isn't needed.
  package var deadline: Timestamp? {
    [
      kiosk.deadline, exchange.deadline, home.deadline, calls.deadline(after: actions.now),
      isKioskPresent
        ? entities.deadline(exchange) { !calls.isPending(for: $0, at: actions.now) } : nil,
    ].compactMap(\.self).min()
  }

  // MARK: The kiosk

  private mutating func handle(_ report: KioskReport) {
    switch report {
    case .described(let status, let tree): describe(status, tree)
    case .silent: recordAbsence("no answer")
    case .reconnected(let reason): actions.log("connected to the kiosk again: \(reason)")
    case .away(let reason): recordAbsence(reason)
    case .event(let members): receive(event: members)
    case .value(let expression, let value, _, let isSettled):
      // A hung kiosk repeats its late reports.
      if isKioskPresent { exchange.record(expression, is: value, isSettled: isSettled) }
    case .answered(.value(let expression), let request, let outcome):
      exchange.recordAnswer(to: request, of: expression, outcome, from: kiosk.session)
    case .answered(.entity, _, _), .status, .lostNotifications: break
    }
    giveValues()
  }

  private mutating func giveValues() {
    if isKioskPresent, let session = kiosk.session { exchange.advance(session) }
  }

  private mutating func describe(_ status: StatusAnswer, _ tree: TreeAnswer) {
    guard status.fallbackKind != .page else {
      return recordAbsence("the kiosk has a fault: \(status.fault ?? "")")
    }
    let (hasNew, sources) = exchange.describe(by: tree)
    let wasPresent = isKioskPresent
    isKioskPresent = true
    if !wasPresent {
      actions.log(
        "connected to the kiosk \(status.kiosk), which has \(exchange.values.count) values of Home Assistant"
      )
    }
    if !wasPresent || hasNew { kiosk.session?.endWatches() }
    let targets = exchange.values.filter { $0.target != nil }.map(\.expression).sorted()
    kiosk.session?.watch(
      targets.filter(exchange.isTwoWay), and: targets.filter { !exchange.isTwoWay($0) },
      phased: exchange.phased)
    for source in sources.sorted() { give(entity: source, isRepeated: true) }
    entities.subscribe(to: Set(exchange.listeners.keys), &home)
  }

  private mutating func recordAbsence(_ reason: String) {
    guard isKioskPresent else { return }
    isKioskPresent = false
    actions.log("not connected to the kiosk: \(reason)")
    exchange.recordAbsence()
    // The next description makes the kiosk's values new.
    giveAll()
  }

  private mutating func receive(event: [JSONValue.Member]) {
    func value(_ name: String) -> JSONValue? { event.first { $0.name == name }?.value }
    switch event.kioskEvent {
    case "restarted":
      exchange.recordRestart()
      // New watches report unchanged values, too.
      kiosk.session?.endWatches()
      giveAll()
    case "call":
      guard let service = value("home")?.string else { return }
      guard home.connection != nil else {
        guard kiosk.session?.isConnectionKnown == true else { return }
        return report("cannot call \(service): not connected to Home Assistant")
      }
      guard !calls.isFull else {
        return report("cannot call \(service): too many calls are unanswered")
      }
      let data: [JSONValue.Member] =
        if case .object(let members)? = value("data") { members } else { [] }
      call(service, value("entity")?.string ?? "", data, of: nil)
    default: break
    }
  }

  private mutating func report(_ failure: String) { exchange.report(failure, to: kiosk.session) }

  // MARK: Home Assistant

  private mutating func handle(_ report: HomeSession.Report) {
    switch report {
    case .connected:
      kiosk.isBridged = true
      entities.reset()
      entities.subscribe(to: Set(exchange.listeners.keys), &home)
    case .ended(let problem):
      kiosk.isBridged = false
      entities.reset()
      for name in calls.removeAll() {
        self.report("\(name): the connection to Home Assistant ended before the answer")
      }
      if let problem { self.report(problem) }
    case .event(let id, let json):
      guard let changed = entities.receive(id, json) else { return }
      for entity in changed { give(entity: entity) }
    case .result(let id, _, let failure):
      if entities.isSubscription(id), let failure {
        return self.report("cannot subscribe to entities: \(failure)")
      }
      guard let (name, expression) = calls.remove(id), let failure else { return }
      self.report("\(name): \(failure)")
      // The service refuses the value, so the entity has another.
      if let expression { give(expression, isRepeated: true) }
    }
  }

  private mutating func giveAll() {
    for entity in exchange.listeners.keys.sorted() { give(entity: entity, isRepeated: true) }
  }

  private mutating func give(entity: String, isRepeated: Bool = false) {
    for expression in exchange.listeners[entity] ?? [] {
      give(expression, isRepeated: isRepeated)
    }
  }

  /// Sets the kiosk's value, unless the entity's is known to be the same.
  private mutating func give(_ expression: String, isRepeated: Bool) {
    guard let value = exchange[expression] else { return }
    switch entities.value(for: value, isRepeated: isRepeated, at: actions.now) {
    case .none: break
    case .value(let json): exchange.receive(.json(json), for: expression)
    case .failure(let reason): report("\(value.name): \(reason)")
    }
  }

  private mutating func call(
    _ service: String, _ entity: String, _ data: [JSONValue.Member], of value: ExchangedValue?
  ) {
    let parts = service.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    var members: [JSONValue.Member] = [
      .init("domain", .string(parts[0])), .init("service", .string(parts[1])),
      .init("service_data", .object(data)),
    ]
    if !entity.isEmpty {
      members.append(.init("target", .object([.init("entity_id", .string(entity))])))
    }
    guard let number = home.send("call_service", members) else { return }
    let name = value.map { "\($0.name): \(service)" } ?? "cannot call \(service)"
    calls.add(number, name, of: value?.expression, at: actions.now)
  }
}
