// SPDX-License-Identifier: MIT

package import Motion

/// The messages that retained topics are to hold. If a topic changes several times, only the last change is sent,
/// and no topic is sent more often than ten times a second, or twice while anything turns. A control that turns
/// passes through values that nobody has asked for: they are not sent before it is at rest. Messages that were not
/// sent yet wait for the broker.
package struct TopicStates: Sendable {
  /// Seconds between two messages of a topic.
  package static let interval = 0.1
  /// The same while anything turns.
  package static let turningInterval = 0.5
  /// Seconds after the end of a turn in which the last value may still come.
  package static let settlingTime = 0.1
  /// The maximum number of seconds of a turn whose beginning is not reported, such as one by a program.
  package static let ownTurningTime = 1.0

  private struct State {
    var wanted: String
    /// The controls that turn when this changes.
    var turners: [String] = []
    /// The message that the broker was given last; nil before.
    var told: String?
    var lastTime: Timestamp?
    /// The end of a turn whose beginning was not reported.
    var turnEnd: Timestamp?
  }

  private var states: [String: State] = [:]
  /// Topics with a message to send, the one that has waited longest first.
  private var waiting: [String] = []
  /// The controls that turn, and the latest end of each turn; nil where the end will be reported.
  private var turning: [String: Timestamp?] = [:]

  package init() {}

  /// All topics, in no order.
  package var topics: [String] { Array(states.keys) }

  /// The message of a topic.
  package subscript(topic: String) -> String? { states[topic]?.wanted }

  /// Sets the message of a topic. While any of `turners` turns, it is only passing.
  package mutating func set(_ topic: String, to text: String, passedBy turners: [String] = []) {
    states[topic]?.turners = turners
    guard states[topic]?.wanted != text else { return }
    states[topic, default: State(wanted: text, turners: turners)].wanted = text
    if !waiting.contains(topic) { waiting.append(topic) }
  }

  /// Forgets a topic, to which nothing more is sent.
  package mutating func remove(_ topic: String) {
    states[topic] = nil
    waiting.removeAll { $0 == topic }
  }

  /// Sends all messages again, to a new broker.
  package mutating func tellAll() {
    for topic in states.keys {
      states[topic]?.told = nil
      states[topic]?.lastTime = nil
    }
    waiting = states.keys.sorted()
  }

  // MARK: Turning

  /// Notes that a finger has begun to turn something; the end will be reported.
  package mutating func beginTurn(of turner: String) { turning.updateValue(nil, forKey: turner) }

  /// Notes that a topic is turned by something whose beginning is not reported.
  package mutating func noteTurn(of topic: String, at now: Timestamp) {
    if states[topic]?.turnEnd.map({ now < $0 }) != true {
      states[topic]?.turnEnd = now + Self.ownTurningTime
    }
  }

  /// Notes that something has come to rest.
  package mutating func endTurn(of turner: String, at now: Timestamp) {
    let end = now + Self.settlingTime
    if turning[turner] != nil { turning[turner] = end }
    for (topic, state) in states where state.turnEnd != nil && state.turners.contains(turner) {
      states[topic]?.turnEnd = end
    }
  }

  /// Forgets all turns.
  package mutating func endAllTurns() {
    turning = [:]
    for topic in states.keys { states[topic]?.turnEnd = nil }
  }

  /// The time when a message to a topic may be sent; nil where it waits for the end of a turn.
  private func time(of state: State) -> Timestamp? {
    // The first message to a topic is sent immediately.
    guard let last = state.lastTime else { return Timestamp(microseconds: 0) }
    var time = last + (turning.isEmpty ? Self.interval : Self.turningInterval)
    if let end = state.turnEnd { time = max(time, end) }
    for turner in state.turners {
      guard let end = turning[turner] else { continue }
      guard let end else { return nil }
      time = max(time, end)
    }
    return time
  }

  // MARK: Messages

  /// The next message that is due; nil while there is none.
  package mutating func next(at now: Timestamp) -> (topic: String, text: String)? {
    turning = turning.filter { $0.value.map { now < $0 } ?? true }
    var index = 0
    while index < waiting.count {
      let topic = waiting[index]
      guard let state = states[topic], state.wanted != state.told else {
        waiting.remove(at: index)
        continue
      }
      guard let time = time(of: state), time <= now else {
        index += 1
        continue
      }
      waiting.remove(at: index)
      states[topic]?.told = state.wanted
      states[topic]?.lastTime = now
      return (topic, state.wanted)
    }
    return nil
  }

  /// The time when `next` has a message again, as far as that is known; nil where none is waiting.
  package var nextTime: Timestamp? {
    waiting.compactMap { states[$0].flatMap { time(of: $0) } }.min()
  }
}
