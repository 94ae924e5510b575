// SPDX-License-Identifier: MIT

import Broker
import HomeAssistant
import JSON
import KioskProtocol
import LinuxIO
import Motion

/// Passes the kiosk's state to a broker, and the broker's orders to the kiosk.
final class Bridge {
  struct Settings {
    var broker: BrokerAddress
    var prefix: String
    var discoveryPrefix: String
    /// The panel's name in topics, and for people; nil where its kiosk's own is both.
    var node: (name: String, title: String)?
    /// Names that several panels share, for what is set.
    var groups: [String] = []
    /// Seconds over which the panels of a fleet spread their tries to reach a broker that they have lost at the same
    /// moment; nil for a panel alone, which is soon back.
    var spread: Double?
    /// The file that asks for the newest version of the kiosk; nil where nothing fetches one.
    var updateRequest: String?
    var socket: String?
  }

  private let settings: Settings
  private let loop: EventLoop
  private let kiosk: KioskLink
  private var broker: BrokerConnection?
  private var backOff: BackOff
  private var retry: EventLoop.Token?

  private var topics: Topics?
  private var discovery: Discovery?
  private var entities: KioskEntities?
  private var states = TopicStates()
  private var pause: EventLoop.Token?
  /// How the panel is.
  private var panel = (isAwake: true, brightness: 1.0, cause: "time") { didSet { countPage() } }
  private var isKioskThere = false { didSet { countPage() } }
  private var page: String? { didSet { countPage() } }
  private var times: PageTimes?
  /// The kiosk's problem; nil inside where it has none, outside while that is not known.
  private var problem: String??
  /// The timers until an absent kiosk counts as a problem, and until the problem is reported once more.
  private var absence: EventLoop.Token?
  private var reminder: EventLoop.Token?
  /// An earlier bridge's message about a kiosk that this bridge has not met.
  private var found: JSONValue?
  private var introduction: EventLoop.Token?
  /// Since when there is a connection to the broker, and how many in a row have ended early.
  private var connectionStart: Timestamp?
  private var earlyEnds = 0
  /// The last reasons that were told, so that none is told twice.
  private var told: (kiosk: String?, broker: String?)

  /// Entities with an order that the kiosk has not answered, and the newest orders that wait for the answer.
  private var orders: [String: [Order]] = [:]
  private var complaints = Complaints(maximumLines: 20)
  private let exchange: TopicExchange

  init(_ settings: Settings, on loop: EventLoop) {
    self.settings = settings
    self.loop = loop
    backOff = settings.spread.map { BackOff(spreadOver: $0) } ?? BackOff(maximumSeconds: 60)
    kiosk = KioskLink(socket: settings.socket, on: loop)
    exchange = TopicExchange(kiosk, settings.broker, on: loop)
    kiosk.onKiosk = { [unowned self] in meet($0, $1) }
    kiosk.onStatus = { [unowned self] in note($0) }
    kiosk.onAway = { [unowned self] in miss($0) }
    kiosk.onSilence = { [unowned self] in
      miss("it does not answer")
      tell(problem: "the kiosk does not answer")
    }
    kiosk.onLoss = { [unowned self] in states.endAllTurns() }
    kiosk.onBreak = { [unowned self] in
      Log.write("connected to the kiosk again: \($0)")
      states.endAllTurns()
      exchange.takeBack()
      // Watches the values again.
      watched = []
    }
    kiosk.onEvent = { [unowned self] in tell(event: $0) }
    kiosk.onValue = { [unowned self] in tell($0, is: $1, by: $2) }
  }

  func start() {
    if let node = settings.node { move(to: topics(of: node.name)) }
    kiosk.connect()
  }

  /// Takes leave of the broker. Releases machines, because nothing stops them from now on.
  func stop() {
    exchange.releaseMachines()
    publishAvailability(false)
    if let topics, problem != nil {
      broker?.publish(topics.state(Self.problemName), problemState(isHere: false), isRetained: true)
    }
    broker?.close()
  }

  // MARK: The kiosk

  private func topics(of node: String) -> Topics {
    Topics(
      prefix: settings.prefix, node: node, groups: settings.groups,
      discoveryPrefix: settings.discoveryPrefix)
  }

  private func meet(_ status: StatusAnswer, _ tree: TreeAnswer) {
    told.kiosk = nil
    states.endAllTurns()
    // The page that says that the kiosk cannot be shown is not the kiosk's own, nor another device.
    guard status.standIn != .page else {
      note(status)
      if isKioskThere { Log.write("the kiosk is not shown: \(status.fault ?? "")") }
      return setKiosk(isThere: false)
    }
    if settings.node == nil { move(to: topics(of: status.kiosk)) }
    guard let topics else { return }
    let entities = KioskEntities(tree)
    let discovery = Discovery(
      entities, of: settings.node?.title ?? status.kiosk, showing: status.kiosk, at: topics,
      version: status.version)
    self.entities = entities
    if discovery != self.discovery {
      let old = self.discovery?.message ?? found
      self.discovery = discovery
      publishDiscovery(inPlaceOf: old)
    }
    found = nil
    note(status)
    panel.isAwake = !status.isBlank
    tellPanel()
    let wasThere = isKioskThere
    let hasNewValues = exchange.meet(tree)
    kiosk.isCheckedOften = exchange.hasMachines
    if !wasThere {
      Log.write("the kiosk \(status.kiosk) is there, with \(entities.all.count) entities")
    }
    setKiosk(isThere: true)
    if !wasThere || hasNewValues || watched != expressions(of: entities) {
      watched = expressions(of: entities)
      kiosk.watch(
        watched.filter(exchange.isTwoWay), and: watched.filter { !exchange.isTwoWay($0) })
    }
    exchange.advance()
    flush()
  }

  private func setKiosk(isThere: Bool) {
    guard isThere != isKioskThere else { return }
    isKioskThere = isThere
    if !isThere {
      orders = [:]
      exchange.miss()
    }
    publishAvailability(isThere)
  }

  /// Tells how the kiosk and its display are.
  private func note(_ status: StatusAnswer) {
    absence = nil
    tell(problem: status.fault ?? status.display.obstacle.map { "nothing is shown: \($0)" })
    if times?.kiosk != status.sha256 { times = PageTimes(of: status.sha256) }
    page = status.page
    guard let topics else { return }
    let members: [JSONValue.Member] = [
      .init("version", .string(status.version)), .init("kiosk", .string(status.kiosk)),
      .init("sha256", .string(status.sha256)),
      .init("bundle", status.bundle.map { .number(Double($0)) } ?? .null),
      .init("page", .string(status.page)),
      .init("fault", status.fault.map { .string($0) } ?? .null),
      .init("display", .string(status.display.state)),
      .init("slot", Slot.current.map { .string($0) } ?? .null),
    ]
    states.set(topics.status, to: JSONValue.object(members).text)
    // For a kiosk that came from no bundle, the hash of its file is the version.
    installed = status.bundle.map { "\($0)" } ?? String(status.sha256.prefix(12))
    tellVersions()
    flush()
  }

  private func countPage() {
    times?.show(isKioskThere && panel.isAwake ? page : nil, at: MonotonicClock.now)
  }

  /// The versions of the kiosk: the one that is installed, and the newest one that was reported.
  private var installed: String?
  private var latest: String?

  private func tellVersions() {
    guard let topics, let installed else { return }
    let json = JSONValue.object([
      .init("installed_version", .string(installed)),
      .init("latest_version", .string(latest ?? installed)),
    ])
    states.set(topics.update, to: json.text)
  }

  /// Takes note of the newest version, which a retained message may say.
  private func noteLatest(_ payload: [UInt8]) -> Bool {
    let text = String(validating: payload, as: UTF8.self) ?? "\n"
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      return false
    }
    latest = text.isEmpty ? nil : text
    tellVersions()
    flush()
    return true
  }

  private func requestUpdate() -> String? {
    guard let file = settings.updateRequest else { return "nothing fetches another version here" }
    do throws(Failure) {
      try Files.write([], to: file, isLasting: false)
      return nil
    } catch {
      return error.message
    }
  }

  /// Tells the picture on the panel, and what it is.
  private func tellPicture(then done: @escaping (String?) -> Void) {
    kiosk.takePicture { [unowned self] outcome in
      guard let topics, let broker, broker.isConnected else { return done(nil) }
      switch outcome {
      case .success(let picture):
        let status = states[topics.status].flatMap { try? JSONValue(parsing: $0.utf8) }
        let proof = JSONValue.object([
          .init("sha256", .string(SHA256.text(of: picture.png))),
          .init("time", .number(WallClock.secondsSince1970.rounded())),
          .init("t", .number(picture.time)), .init("bytes", .number(Double(picture.png.count))),
          .init("status", status ?? .null),
          .init("hours", times?.hours(at: MonotonicClock.now) ?? .null),
        ])
        broker.publish(topics.picture, picture.png, isRetained: false)
        broker.publish(topics.proof, proof.text, isRetained: false)
        done(nil)
      case .failure(let error): done("\(error)")
      }
    }
  }

  private static let problemName = Topics.ofNode + "problem"

  private func problemState(isHere: Bool = true) -> String {
    let problem = problem ?? nil
    return JSONValue.object(
      [.init("value", .string(problem == nil ? "OFF" : "ON"))]
        + (problem.map { [.init("reason", .string($0))] } ?? [])
        + [.init("bridge", .string(isHere ? Self.online : Self.offline))]
    ).text
  }

  private func tell(problem: String?) {
    self.problem = .some(problem)
    guard let topics else { return }
    states.set(topics.state(Self.problemName), to: problemState())
    flush()
  }

  private var watched: [String] = []

  private func expressions(of entities: KioskEntities) -> [String] {
    var seen: Set<String> = []
    return entities.all.compactMap { entity in
      switch entity.source {
      case .expression(let text): text
      case .panel: "screen.brightness"
      case .events, .problem, .versions, .picture, .nothing: nil
      }
    }.filter { seen.insert($0).inserted }
  }

  private func miss(_ reason: String) {
    if isKioskThere || told.kiosk != reason { Log.write("the kiosk is away: \(reason)") }
    told.kiosk = reason
    setKiosk(isThere: false)
    // A kiosk that is only started again is soon back.
    guard absence == nil else { return }
    absence = loop.schedule(at: MonotonicClock.now + Self.absenceSeconds) { [unowned self] in
      tell(problem: "the kiosk is away: \(told.kiosk ?? reason)")
    }
  }

  private static let absenceSeconds = 10.0

  private func tell(_ expression: String, is value: JSONValue, by cause: String) {
    guard let topics, let entities else { return }
    exchange.tell(expression, is: value)
    if expression == "page" { page = value.string }
    for entity in entities.all {
      switch entity.source {
      case .expression(expression):
        if entity.isStrange(value) { kiosk.askAgain() }
        let topic = topics.state(entity.name)
        if entity.isTurned, cause == "command" || cause == "action" {
          states.noteTurn(of: topic, at: MonotonicClock.now)
        }
        states.set(
          topic, to: entity.state(of: value, by: cause).text, passedBy: entity.turners)
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
    guard let topics, let entity = entities?["panel"] else { return }
    let state = entity.state(
      isAwake: panel.isAwake, brightness: panel.brightness, by: panel.cause)
    states.set(topics.state(entity.name), to: state.text, passedBy: entity.turners)
  }

  private func tell(event: [JSONValue.Member]) {
    func text(_ name: String) -> String? { event.first { $0.name == name }?.value.string }
    let kioskEvent = event.kioskEvent
    switch kioskEvent {
    case "restarted":
      exchange.restart()
      // A value that is as it was is reported, too.
      watched = []
    case "slept", "woken":
      panel.isAwake = kioskEvent == "woken"
      panel.cause = text("by") ?? "time"
      tellPanel()
      flush()
    default: break
    }
    guard isKioskThere, let topics, let entities else { return }
    let control = text("control")
    if let control, let name = text("event") {
      let turner = text("wheel").map { "\(control).\($0)" } ?? control
      switch name {
      case "pressed" where entities.turners.contains(turner): states.beginTurn(of: turner)
      case "settled", "cancelled":
        states.endTurn(of: turner, at: MonotonicClock.now)
        flush()
      default: break
      }
    }
    guard let broker, broker.isConnected else { return }
    for entity in entities.all {
      guard case .events(control) = entity.source, let state = entity.state(ofEvent: event) else {
        continue
      }
      // An event that nobody takes now is out of date when somebody does.
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
    exchange.broker = nil
    kiosk.isBridged = false
    // The connection is still in the call that reports its end.
    if let broker { loop.perform(at: MonotonicClock.now) { _ = broker } }
    broker = nil
    pause = nil
    reminder = nil
    if let start = connectionStart {
      if MonotonicClock.now < start + Self.earlySeconds {
        earlyEnds += 1
      } else {
        earlyEnds = 0
        told.broker = nil
        backOff.reset()
      }
      connectionStart = nil
    }
    // A second for all of the first would bring them at once.
    let pause = settings.spread == nil ? max(backOff.next(), 1) : backOff.next()
    retry = loop.schedule(at: MonotonicClock.now + pause) { [unowned self] in connect() }
    let words =
      earlyEnds < Self.clashingEnds
      ? "no connection to the broker \(brokerName): \(failure)"
      : "the broker \(brokerName) ends each connection at once: probably another client calls "
        + "itself \(topics?.device ?? "") there; give each panel its own --name"
    guard told.broker != words else { return }
    told.broker = words
    Log.write(words + "; trying again, at least every \(Int(backOff.maximumSeconds)) s")
  }

  /// A connection that ends sooner has ended early, and so many in a row are no accident: a broker ends
  /// one when another client takes its name.
  private static let earlySeconds = 10.0
  private static let clashingEnds = 2

  private func greet() {
    guard let broker, let topics else { return }
    if earlyEnds < Self.clashingEnds {
      Log.write("connected to the broker \(brokerName); topics \(topics.base)/…")
    }
    connectionStart = MonotonicClock.now
    kiosk.isBridged = true
    unsent = 0
    for topic in topics.allSettings { broker.subscribe(to: topic) }
    // The messages of an earlier bridge arrive before this bridge publishes its own.
    broker.subscribe(to: topics.discovery)
    broker.subscribe(to: topics.availability)
    exchange.broker = broker
    publishDiscovery()
    publishAvailability(isKioskThere)
    states.tellAll()
    flush()
    remind()
    introduction = loop.schedule(at: MonotonicClock.now + Self.introductionSeconds) {
      [unowned self] in introduce()
    }
  }

  /// Describes a panel whose kiosk nobody has met yet: its problem, and how to start it again.
  private func introduce() {
    guard discovery == nil, found == nil, let topics, let title = settings.node?.title else {
      return
    }
    let entities = KioskEntities()
    self.entities = entities
    discovery = Discovery(
      entities, of: title, showing: "Kiosk", at: topics, version: ProgramVersion.current)
    publishDiscovery()
  }

  /// Seconds in which a broker tells what it has kept.
  private static let introductionSeconds = 2.0

  /// Reports again and again whether there is a problem: Home Assistant believes it no longer than
  /// `Entity.problemSeconds`. Pings, which are 2 bytes, tell that the connection stands.
  private func remind() {
    reminder = loop.schedule(at: MonotonicClock.now + Self.reminderSeconds) {
      [unowned self] in
      if let topics, problem != nil {
        broker?.publish(topics.state(Self.problemName), problemState(), isRetained: true)
      }
      remind()
    }
  }

  /// Twice within `Entity.problemSeconds`.
  private static let reminderSeconds = 360.0

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
    exchange.flush()
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

  /// Takes topics in place of others: a kiosk that they are named after has a new name.
  private func move(to topics: Topics) {
    guard topics != self.topics else { return }
    if let old = self.topics {
      exchange.releaseMachines()
      publishAvailability(false)
      // An earlier bridge may have said what this one has not said yet.
      for topic in Set(states.topics + (discovery?.stateTopics ?? [])) { clear(topic) }
      broker?.publish(old.discovery, "", isRetained: true)
      broker?.close()
      broker = nil
      exchange.broker = nil
      retry = nil
    }
    states = TopicStates()
    // They are told again.
    watched = []
    discovery = nil
    found = nil
    connectionStart = nil
    reminder = nil
    introduction = nil
    self.topics = topics
    exchange.device = topics.device
    connect()
  }

  // MARK: Messages

  private func take(_ message: BrokerConnection.Message) {
    guard let topics, let broker else { return }
    defer { if message.payload.count > 1 << 16 { FreedMemory.giveBack() } }
    switch message.topic {
    case topics.discovery:
      // From before this bridge; what it has said itself comes back, too, but is not kept from before.
      guard message.isRetained, let old = try? JSONValue(parsing: message.payload) else { return }
      guard let discovery else {
        found = old
        return
      }
      if old != discovery.message { publishDiscovery(inPlaceOf: old) }
    case topics.availability:
      // The will of a connection that the broker has taken for alive until now.
      let wanted = isKioskThere ? Self.online : Self.offline
      guard !message.payload.elementsEqual(wanted.utf8) else { return }
      broker.publish(topics.availability, wanted, isRetained: true)
    default:
      exchange.take(message)
      guard let name = topics.settingName(of: message.topic) else { return }
      obey(name, message)
    }
  }

  private func obey(_ name: String, _ message: BrokerConnection.Message) {
    func complain(_ what: String) {
      if let line = complaints.line(what, at: MonotonicClock.now) { Log.write(line) }
    }
    if name == Topics.latest {
      if !noteLatest(message.payload) { complain("\(message.topic): this is not a version") }
      return
    }
    guard let entity = entities?[name] else {
      return complain("\(message.topic): the kiosk has no \(JSONValue.string(name).text)")
    }
    guard !message.isRetained else {
      return complain(
        "\(message.topic): a retained message is not carried out; publish it without retaining")
    }
    guard isKioskThere || name.hasPrefix(Topics.ofNode) else {
      return complain("\(message.topic): the kiosk is not there")
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

  private func perform(_ order: Order, then done: @escaping (String?) -> Void) {
    switch order {
    case .update: done(requestUpdate())
    case .screenshot: tellPicture(then: done)
    case .command, .restart: kiosk.carryOut(order, then: done)
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
    perform(first) { [unowned self] problem in
      if let problem, let line = complaints.line("\(name): \(problem)", at: MonotonicClock.now) {
        Log.write(line)
      }
      carryOut(Array(given.dropFirst()), for: name)
    }
  }
}
