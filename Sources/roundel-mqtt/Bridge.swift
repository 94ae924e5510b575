// SPDX-License-Identifier: MIT

import Broker
import HomeAssistant
import JSON
import KioskProtocol
import LinuxIO
import Motion

/// Tells a broker how the kiosk is, and the kiosk what the broker is told.
final class Bridge {
  struct Settings {
    var broker: BrokerAddress
    var prefix: String
    var discoveryPrefix: String
    /// The kiosk's name in topics; nil for its own.
    var name: String?
    var socket: String?
  }

  private let settings: Settings
  private let loop: EventLoop
  private let kiosk: KioskLink
  private var broker: BrokerConnection?
  private var backOff = BackOff(maximumSeconds: 60)
  private var retry: EventLoop.Token?

  private var topics: Topics?
  private var discovery: Discovery?
  private var entities: KioskEntities?
  private var states = TopicStates()
  private var pause: EventLoop.Token?
  /// How the panel is.
  private var panel = (isAwake: true, brightness: 1.0, cause: "time")
  private var isKioskThere = false
  /// The last reasons that were told, so that none is told twice.
  private var told: (kiosk: String?, broker: String?)

  /// Entities whose order the kiosk has not answered, with the last one that waits for that.
  private var orders: [String: [Order]] = [:]
  private var complaints = Complaints()

  init(_ settings: Settings, on loop: EventLoop) {
    self.settings = settings
    self.loop = loop
    kiosk = KioskLink(socket: settings.socket, on: loop)
    kiosk.onKiosk = { [unowned self] in meet($0, $1) }
    kiosk.onAway = { [unowned self] in miss($0) }
    kiosk.onEvent = { [unowned self] in tell(event: $0) }
    kiosk.onValue = { [unowned self] in tell($0, is: $1, by: $2) }
  }

  func start() { kiosk.connect() }

  /// Says good-bye to the broker.
  func stop() {
    publishAvailability(false)
    broker?.close()
  }

  // MARK: The kiosk

  private func meet(_ status: StatusAnswer, _ tree: TreeAnswer) {
    let name = settings.name ?? status.kiosk
    let topics = Topics(
      prefix: settings.prefix, kiosk: name, discoveryPrefix: settings.discoveryPrefix)
    let entities = KioskEntities(tree)
    let wasThere = isKioskThere
    isKioskThere = true
    told.kiosk = nil
    if topics != self.topics { move(to: topics) }
    panel.isAwake = !status.isBlank
    tellPanel()
    let discovery = Discovery(entities, of: name, at: topics, version: status.version)
    if discovery != self.discovery {
      let old = self.discovery?.message
      self.discovery = discovery
      self.entities = entities
      publishDiscovery(inPlaceOf: old)
    }
    if !wasThere {
      Log.write("the kiosk \(name) is there, with \(entities.all.count) entities")
      publishAvailability(true)
    }
    if !wasThere || watched != expressions(of: entities) {
      watched = expressions(of: entities)
      kiosk.watch(watched)
    }
    if broker == nil, retry == nil { connect() }
    flush()
  }

  private var watched: [String] = []

  private func expressions(of entities: KioskEntities) -> [String] {
    var seen: Set<String> = []
    return entities.all.compactMap { entity in
      switch entity.source {
      case .expression(let text): text
      case .panel: "screen.brightness"
      case .events: nil
      }
    }.filter { seen.insert($0).inserted }
  }

  private func miss(_ reason: String) {
    if isKioskThere || told.kiosk != reason { Log.write("the kiosk is away: \(reason)") }
    told.kiosk = reason
    guard isKioskThere else { return }
    isKioskThere = false
    orders = [:]
    publishAvailability(false)
  }

  private func tell(_ expression: String, is value: JSONValue, by cause: String) {
    guard let topics, let entities else { return }
    for entity in entities.all {
      switch entity.source {
      case .expression(expression):
        if entity.isStrange(value) { kiosk.askAgain() }
        states.set(topics.state(entity.name), to: entity.state(of: value, by: cause).text)
      case .panel where expression == "screen.brightness":
        panel.brightness = value.number ?? 1
        panel.cause = cause
        tellPanel()
      default: break
      }
    }
    flush()
  }

  private func tellPanel() {
    guard let topics else { return }
    let state = Entity.state(
      isAwake: panel.isAwake, brightness: panel.brightness, by: panel.cause)
    states.set(topics.state("panel"), to: state.text)
  }

  private func tell(event: [JSONValue.Member]) {
    func text(_ name: String) -> String? { event.first { $0.name == name }?.value.string }
    let control = text("control")
    if control == nil, let name = text("event"), name == "slept" || name == "woken" {
      panel.isAwake = name == "woken"
      panel.cause = text("by") ?? "time"
      tellPanel()
      flush()
    }
    guard let topics, let broker, broker.isConnected, let entities else { return }
    for entity in entities.all {
      guard case .events(control) = entity.source, let state = entity.state(ofEvent: event) else {
        continue
      }
      // What nobody takes is no event any more when somebody does.
      guard !broker.isBusy || unsent < Self.maximumUnsentEvents else { continue }
      unsent += 1
      broker.publish(topics.state(entity.name), state.text, isRetained: false)
    }
  }

  /// Events since all was sent.
  private var unsent = 0
  private static let maximumUnsentEvents = 256

  // MARK: The broker

  private func connect() {
    retry = nil
    guard let topics else { return }
    do throws(BrokerConnection.Failure) {
      let broker = try BrokerConnection(
        to: settings.broker, as: topics.device,
        will: BrokerConnection.Will(topic: topics.availability, text: Self.offline),
        maximumPayloadBytes: Self.maximumPayloadBytes, on: loop)
      self.broker = broker
      broker.onConnect = { [unowned self] in greet() }
      broker.onMessage = { [unowned self] in take($0) }
      broker.onRoom = { [unowned self] in
        unsent = 0
        flush()
      }
      broker.onEnd = { [unowned self] in lose($0) }
    } catch {
      lose(error)
    }
  }

  /// A description of a kiosk with thousands of controls.
  private static let maximumPayloadBytes = 4 << 20

  private var brokerName: String { "\(settings.broker.host):\(settings.broker.port)" }

  private func lose(_ failure: BrokerConnection.Failure) {
    // It is in the midst of telling this.
    if let broker { loop.perform(at: MonotonicClock.now) { _ = broker } }
    broker = nil
    pause = nil
    let pause = max(backOff.next(), 1)
    retry = loop.schedule(at: MonotonicClock.now + pause) { [unowned self] in connect() }
    guard told.broker != failure.description else { return }
    told.broker = failure.description
    Log.write(
      "no connection to the broker \(brokerName): \(failure); trying again, at least once a minute")
  }

  private func greet() {
    guard let broker, let topics else { return }
    Log.write("connected to the broker \(brokerName); topics \(topics.base)/…")
    backOff.reset()
    told.broker = nil
    unsent = 0
    broker.subscribe(to: topics.allSettings)
    // What an earlier bridge has said comes before what this one says.
    broker.subscribe(to: topics.discovery)
    broker.subscribe(to: topics.availability)
    publishDiscovery()
    publishAvailability(isKioskThere)
    states.tellAll()
    flush()
  }

  /// Gives back, some seconds later, the memory that only starts and changes need.
  private func rest() {
    guard resting == nil else { return }
    resting = loop.schedule(at: MonotonicClock.now + Self.restlessSeconds) { [unowned self] in
      resting = nil
      FreedMemory.giveBack()
      FreedMemory.giveBackCode()
    }
  }

  private static let restlessSeconds = 3.0
  private var resting: EventLoop.Token?

  /// Sends what waits, as long as the broker takes it.
  private func flush() {
    pause = nil
    guard let broker, broker.isConnected else { return }
    while !broker.isBusy, let next = states.next(at: MonotonicClock.now) {
      broker.publish(next.topic, next.text, isRetained: true)
      rest()
    }
    guard self.broker != nil, !broker.isBusy, let time = states.nextTime else { return }
    pause = loop.schedule(at: time) { [unowned self] in flush() }
  }

  private static let (online, offline) = ("online", "offline")

  private func publishAvailability(_ isThere: Bool) {
    guard let topics else { return }
    broker?.publish(topics.availability, isThere ? Self.online : Self.offline, isRetained: true)
  }

  /// Describes the kiosk, and removes what an older description had.
  private func publishDiscovery(inPlaceOf old: JSONValue? = nil) {
    guard let topics, let discovery else { return }
    if let old {
      if let removal = discovery.removal(of: old) {
        broker?.publish(topics.discovery, removal.text, isRetained: true)
      }
      for topic in discovery.forgottenTopics(of: old) { clear(topic) }
    }
    broker?.publish(topics.discovery, discovery.message.text, isRetained: true)
  }

  private func clear(_ topic: String) {
    states.remove(topic)
    broker?.publish(topic, "", isRetained: true)
  }

  /// The kiosk has got another name.
  private func move(to topics: Topics) {
    if let old = self.topics {
      publishAvailability(false)
      for topic in states.topics { clear(topic) }
      broker?.publish(old.discovery, "", isRetained: true)
      broker?.close()
      broker = nil
      retry = nil
    }
    states = TopicStates()
    discovery = nil
    self.topics = topics
  }

  // MARK: Messages

  private func take(_ message: BrokerConnection.Message) {
    guard let topics, let broker else { return }
    defer { if message.payload.count > 1 << 16 { FreedMemory.giveBack() } }
    switch message.topic {
    case topics.discovery:
      // From before this bridge; what it has said itself comes back, too, but is not kept from before.
      guard message.isRetained, let old = try? JSONValue(parsing: message.payload),
        let discovery, old != discovery.message
      else { return }
      publishDiscovery(inPlaceOf: old)
    case topics.availability:
      // The will of a connection that the broker has taken for alive until now.
      let wanted = isKioskThere ? Self.online : Self.offline
      guard !message.payload.elementsEqual(wanted.utf8) else { return }
      broker.publish(topics.availability, wanted, isRetained: true)
    default:
      guard let name = topics.settingName(of: message.topic) else { return }
      obey(name, message)
    }
  }

  private func obey(_ name: String, _ message: BrokerConnection.Message) {
    func complain(_ what: String) {
      if let line = complaints.line(what, at: MonotonicClock.now) { Log.write(line) }
    }
    guard let entity = entities?[name] else {
      return complain("\(message.topic): the kiosk has no \(JSONValue.string(name).text)")
    }
    guard !message.isRetained else {
      return complain(
        "\(message.topic): a retained message is not carried out; publish it without retaining")
    }
    do throws(OrderError) {
      let given = try entity.orders(message.payload)
      if orders[name] != nil {
        orders[name] = given
      } else {
        orders[name] = []
        carryOut(given, for: name)
      }
    } catch {
      complain("\(message.topic): \(error)")
    }
  }

  /// Has orders carried out one after the other, then the last ones that have come meanwhile.
  private func carryOut(_ given: [Order], for name: String) {
    guard let first = given.first else {
      let waiting = orders[name] ?? []
      orders[name] = nil
      guard !waiting.isEmpty else { return }
      orders[name] = []
      return carryOut(waiting, for: name)
    }
    kiosk.carryOut(first) { [unowned self] problem in
      if let problem, let line = complaints.line("\(name): \(problem)", at: MonotonicClock.now) {
        Log.write(line)
      }
      carryOut(Array(given.dropFirst()), for: name)
    }
  }
}
