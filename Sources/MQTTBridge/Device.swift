// SPDX-License-Identifier: MIT

internal import HomeAssistant
internal import RoundelJSON
internal import RoundelMotion

/// The panel as a device at the broker.
struct Device {
  private enum Announcement {
    case none
    /// A retained message from an earlier bridge.
    case found(JSONValue)
    case published(Discovery)
  }

  /// Seconds within which a broker sends its retained messages.
  private static let introductionSeconds = 2.0
  /// Seconds between problem reports. Home Assistant must get one per `Entity.problemSeconds`.
  /// Pings of 2 bytes keep the connection alive.
  private static let reminderSeconds = 360.0
  private static let maximumWaitingEvents = 256

  static func availability(_ isAvailable: Bool) -> String { isAvailable ? "online" : "offline" }

  let topics: Topics
  private let actions: ActionQueue
  private(set) var broker: BrokerClient
  private var announcement = Announcement.none
  private var states = TopicStates()
  /// Events that wait for room in the connection.
  private var events: [BrokerMessage] = []
  private var reminder: Timestamp?

  init(_ topics: Topics, _ settings: BridgeSettings, _ actions: ActionQueue) {
    self.topics = topics
    self.actions = actions
    let will = BrokerMessage(topics.availability, Self.availability(false), isRetained: true)
    broker = BrokerClient(topics.device, will, settings, actions)
  }

  // MARK: The connection

  mutating func recordAccepted(isKioskPresent: Bool) {
    broker.recordAccepted(topics: topics.base)
    guard let connection = broker.session.connection else { return }
    // The messages of an earlier bridge arrive before this bridge publishes its own.
    for topic in topics.allSettings + [topics.discovery, topics.availability] {
      actions.add(.subscribe(topic, connection))
    }
    if case .published(let discovery) = announcement {
      broker.publish(topics.discovery, discovery.message.text)
    }
    publishAvailability(isKioskPresent)
    states.resendAll()
    reminder = actions.now + Self.reminderSeconds
  }

  mutating func recordEnd(_ reason: String) {
    broker.recordEnd(reason)
    events = []
    reminder = nil
  }

  func publishAvailability(_ isAvailable: Bool) {
    broker.publish(topics.availability, Self.availability(isAvailable))
  }

  /// If `isRemoved`, also removes the messages of old topics.
  mutating func close(removing isRemoved: Bool) {
    publishAvailability(false)
    if isRemoved {
      var stateTopics = Set(states.topics)
      if case .published(let discovery) = announcement {
        stateTopics.formUnion(discovery.stateTopics)
      }
      for topic in stateTopics.sorted() { broker.publish(topic, "") }
      broker.publish(topics.discovery, "")
    }
    broker.close()
  }

  /// Returns false unless the message is about the device itself.
  mutating func receive(_ message: BrokerMessage, isKioskPresent: Bool) -> Bool {
    switch message.topic {
    case topics.discovery:
      // The bridge's own messages also arrive, but aren't marked as retained.
      guard message.isRetained, let old = try? JSONValue(parsing: message.payload) else { break }
      guard case .published(let discovery) = announcement else {
        announcement = .found(old)
        break
      }
      if old != discovery.message { publish(discovery, after: old) }
    case topics.availability:
      // The will of an old connection, whose end the broker has just noticed.
      guard !message.payload.elementsEqual(Self.availability(isKioskPresent).utf8) else { break }
      publishAvailability(isKioskPresent)
    default: return false
    }
    return true
  }

  // MARK: Discovery

  mutating func announce(_ discovery: Discovery) {
    switch announcement {
    case .none: publish(discovery, after: nil)
    case .found(let old): publish(discovery, after: old)
    case .published(discovery): break
    case .published(let earlier): publish(discovery, after: earlier.message)
    }
    announcement = .published(discovery)
  }

  /// Removes the rest of an older description.
  private mutating func publish(_ discovery: Discovery, after old: JSONValue?) {
    if let old {
      if let removal = discovery.removal(of: old) {
        broker.publish(topics.discovery, removal.text)
      }
      for topic in discovery.forgottenTopics(of: old) {
        states.remove(topic)
        broker.publish(topic, "")
      }
    }
    broker.publish(topics.discovery, discovery.message.text)
  }

  // MARK: States and events

  mutating func set(_ topic: String, to json: JSONValue?, passedBy rotaryControls: [String] = []) {
    if let json { states.set(topic, to: json.text, passedBy: rotaryControls) }
  }

  /// Drops an event that would be out of date before the broker can receive it.
  mutating func publish(event text: String, to topic: String) {
    guard broker.session.connection != nil, events.count < Self.maximumWaitingEvents else { return }
    events.append(BrokerMessage(topic, text, isRetained: false))
  }

  mutating func recordTurn(of topic: String) { states.recordTurn(of: topic, at: actions.now) }
  mutating func beginTurn(of rotaryControl: String) { states.beginTurn(of: rotaryControl) }
  mutating func endTurn(of rotaryControl: String) {
    states.endTurn(of: rotaryControl, at: actions.now)
  }
  mutating func endAllTurns() { states.endAllTurns() }

  mutating func nextEvent() -> BrokerMessage? { events.isEmpty ? nil : events.removeFirst() }

  mutating func nextState() -> BrokerMessage? {
    states.next(at: actions.now).map { BrokerMessage($0.topic, $0.text, isRetained: true) }
  }

  // MARK: Time

  /// The time to introduce a panel whose kiosk is unknown.
  private var introduction: Timestamp? {
    guard case .none = announcement else { return nil }
    return broker.session.start.map { $0 + Self.introductionSeconds }
  }

  var deadline: Timestamp? {
    [broker.session.deadline, introduction, reminder].compactMap(\.self).min()
  }

  var stateDeadline: Timestamp? { states.nextTime }

  enum Step { case introduce, remind }

  /// Reconnects if due, and returns the other due steps.
  mutating func advance() -> [Step] {
    broker.advance()
    var steps: [Step] = []
    if let introduction, introduction <= actions.now { steps.append(.introduce) }
    if let time = reminder, time <= actions.now {
      reminder = actions.now + Self.reminderSeconds
      steps.append(.remind)
    }
    return steps
  }
}
