// SPDX-License-Identifier: MIT

package import Exchange
internal import HomeAssistant
internal import Kiosk
internal import KioskProtocol
internal import RoundelJSON
package import RoundelMotion

/// Publishes the kiosk's state to a broker, and sends the broker's messages to the kiosk.
///
/// Has no clock, sockets or files. A program passes it input, performs its actions, and calls
/// `advance` at its deadline.
package struct Bridge {
  let settings: BridgeSettings
  let actions: ActionQueue
  var kiosk: KioskClient
  /// The panel's device at the broker, or nil while its name is unknown.
  var device: Device?
  var exchange: TopicExchange
  var wills: WillSessions
  var panel: PanelState
  var entities: KioskEntities?
  var commands: [String: CommandSession] = [:]
  var failures = FailureLog(maximumLines: 20)

  package init(_ settings: BridgeSettings, at now: Timestamp) {
    self.settings = settings
    actions = ActionQueue(at: now)
    kiosk = KioskClient(of: .mqtt, actions.kiosk)
    exchange = TopicExchange(settings, actions)
    wills = WillSessions(actions)
    panel = PanelState(settings)
    device = settings.node.map { Device(settings.topics(of: $0.name), settings, actions) }
  }

  // MARK: Input

  package mutating func receive(
    _ input: KioskInput, from connection: ConnectionID, at now: Timestamp
  ) {
    actions.now = now
    for report in kiosk.receive(input, from: connection) { handle(report) }
  }

  package mutating func receive(
    _ input: BrokerInput, from connection: ConnectionID, at now: Timestamp
  ) {
    actions.now = now
    guard device?.broker.session.owns(connection) == true else {
      return handle(wills.receive(input, from: connection))
    }
    switch input {
    case .accepted:
      device?.recordAccepted(isKioskPresent: panel.isKioskPresent)
      setBroker(connection)
    case .message(let message): receive(message)
    case .ended(let reason):
      setBroker(nil)
      device?.recordEnd(reason)
    }
  }

  package mutating func advance(to now: Timestamp) {
    actions.now = now
    for report in kiosk.advance() { handle(report) }
    wills.advance()
    giveValues()
    if panel.advance(to: now) { publishProblem() }
    for step in device?.advance() ?? [] {
      switch step {
      case .introduce: introduce()
      case .remind:
        if let device, let problem = panel.problemState() {
          device.broker.publish(device.topics.problem, problem.text)
        }
      }
    }
  }

  /// Releases machines first, because nothing stops them afterwards.
  package mutating func stop(at now: Timestamp) {
    actions.now = now
    wills.endAll()
    if let device, let problem = panel.problemState(isBridgeHere: false) {
      device.broker.publish(device.topics.problem, problem.text)
    }
    device?.close(removing: false)
  }

  // MARK: Output

  /// Values, events and states wait for connections with room.
  package mutating func nextAction(
    at now: Timestamp, hasRoom: (ConnectionID) -> Bool
  ) -> Action? {
    actions.now = now
    if let action = actions.takeFirst() { return action }
    if let (message, connection) = exchange.nextMessage(wills, hasRoom) {
      // A message from the topic may have waited for this one.
      giveValues()
      return .publish(message, connection)
    }
    guard let connection = device?.broker.session.connection, hasRoom(connection),
      let message = device?.nextEvent() ?? device?.nextState()
    else { return nil }
    return .publish(message, connection)
  }

  /// Returns the time of the next `advance`, or nil if it isn't needed.
  package func deadline(hasRoom: (ConnectionID) -> Bool) -> Timestamp? {
    let state = device?.broker.session.connection.flatMap {
      hasRoom($0) ? device?.stateDeadline : nil
    }
    return [
      kiosk.deadline, exchange.values.deadline, wills.deadline, panel.deadline, device?.deadline,
      state,
    ].compactMap(\.self).min()
  }

  // MARK: The broker

  private mutating func setBroker(_ connection: ConnectionID?) {
    kiosk.isBridged = connection != nil
    exchange.setBroker(connection)
    wills.setBroker(connection)
  }

  private mutating func handle(_ report: WillSessions.Report?) {
    switch report {
    case .connected(let expression): exchange.republish(expression)
    case .failed(let expression, let reason):
      exchange.report(
        "cannot publish \(expression): no connection for its last will \"gone\": \(reason)",
        to: kiosk.session)
    case nil: break
    }
  }

  /// Changes the topics, and removes the previous ones.
  mutating func setTopics(_ topics: Topics) {
    guard topics != device?.topics else { return }
    if device != nil {
      wills.endAll()
      setBroker(nil)
      device?.close(removing: true)
      // The kiosk then reports all values again.
      kiosk.session?.endWatches()
    }
    device = Device(topics, settings, actions)
  }

  /// Describes a panel with an unknown kiosk by its problem and a restart button.
  private mutating func introduce() {
    guard let title = settings.node?.title else { return }
    announce(KioskEntities(), of: title, showing: "Kiosk", version: settings.version)
  }

  mutating func announce(
    _ entities: KioskEntities, of title: String, showing kiosk: String, version: String
  ) {
    guard let topics = device?.topics else { return }
    self.entities = entities
    device?.announce(
      Discovery(
        entities, of: title, showing: kiosk, at: topics, version: version, links: settings.links))
  }

  // MARK: States of the panel

  mutating func publishProblem() {
    guard let topics = device?.topics else { return }
    device?.set(topics.problem, to: panel.problemState())
  }

  mutating func publishStatus() {
    publishProblem()
    guard let topics = device?.topics else { return }
    device?.set(topics.status, to: panel.status)
    publishVersions()
  }

  mutating func publishVersions() {
    guard let topics = device?.topics else { return }
    device?.set(topics.update, to: panel.versions)
  }

  mutating func publishLight() {
    guard let topics = device?.topics, let entity = entities?["panel"] else { return }
    device?.set(
      topics.state(entity.name), to: panel.light(of: entity), passedBy: entity.rotaryControls)
  }
}
