// SPDX-License-Identifier: MIT

package import Motion

/// The messages that retained topics are to hold. Of several changes of a topic only the last is sent, and
/// no topic more often than ten times a second, or twice while anything turns. What turns passes through values
/// that nobody has asked for: they are not sent before it is at rest. What a broker has not been told yet
/// waits for it.
package struct TopicStates: Sendable {
  /// Seconds between two messages of a topic.
  package static let interval = 0.1
  /// The same while anything turns.
  package static let turningInterval = 0.5
  /// Seconds after the end of a turn in which the last value may still come.
  package static let settlingTime = 0.1
  /// Seconds that a turn takes at most that nobody told the beginning of, as a program's.
  package static let ownTurningTime = 1.0

  private struct State {
    var wanted: String
    /// The controls that turn when this changes.
    var turners: [String] = []
    /// The message that the broker was given last; nil before.
    var told: String?
    var lastTime: Timestamp?
    /// When a turn is over that nobody told the beginning of.
    var turnEnd: Timestamp?
  }

  private var states: [String: State] = [:]
  /// Topics with something to tell, the one that has waited longest first.
  private var waiting: [String] = []
  /// The controls that turn, and until when at most; nil where its end will be told.
  private var turning: [String: Timestamp?] = [:]

  package init() {}

  /// All topics, in no order.
  package var topics: [String] { Array(states.keys) }

  /// The message of a topic.
  package subscript(topic: String) -> String? { states[topic]?.wanted }

  /// Has a topic say something, which passes while any of `turners` turns.
  package mutating func set(_ topic: String, to text: String, passedBy turners: [String] = []) {
    states[topic]?.turners = turners
    guard states[topic]?.wanted != text else { return }
    states[topic, default: State(wanted: text, turners: turners)].wanted = text
    if !waiting.contains(topic) { waiting.append(topic) }
  }

  /// Forgets a topic, which is told nothing more.
  package mutating func remove(_ topic: String) {
    states[topic] = nil
    waiting.removeAll { $0 == topic }
  }

  /// A new broker knows nothing.
  package mutating func tellAll() {
    for topic in states.keys {
      states[topic]?.told = nil
      states[topic]?.lastTime = nil
    }
    waiting = states.keys.sorted()
  }

  // MARK: What turns

  /// A finger has begun to turn something, whose end will be told.
  package mutating func beginTurn(of turner: String) { turning.updateValue(nil, forKey: turner) }

  /// Notes that a topic is turned by something whose beginning nobody reports.
  package mutating func noteTurn(of topic: String, at now: Timestamp) {
    if states[topic]?.turnEnd.map({ now < $0 }) != true {
      states[topic]?.turnEnd = now + Self.ownTurningTime
    }
  }

  /// Something is at rest.
  package mutating func endTurn(of turner: String, at now: Timestamp) {
    let end = now + Self.settlingTime
    if turning[turner] != nil { turning[turner] = end }
    for (topic, state) in states where state.turnEnd != nil && state.turners.contains(turner) {
      states[topic]?.turnEnd = end
    }
  }

  /// Nothing is known to turn.
  package mutating func endAllTurns() {
    turning = [:]
    for topic in states.keys { states[topic]?.turnEnd = nil }
  }

  /// When a topic may say something; nil where it waits for the end of a turn.
  private func time(of state: State) -> Timestamp? {
    // A topic of which nothing has been told yet says at once what it is.
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

  /// When `next` has something again, as far as is known; nil where nothing waits.
  package var nextTime: Timestamp? {
    waiting.compactMap { states[$0].flatMap { time(of: $0) } }.min()
  }
}
