// SPDX-License-Identifier: MIT

package import RoundelMotion

/// The retained topics' last messages, sent at most ten times per second, or twice per second while
/// a control rotates. A rotating control's transient values are not sent.
package struct TopicStates: Sendable {
  /// Seconds between messages of a topic.
  package static let interval = 0.1
  /// Seconds between messages while a control rotates.
  package static let turningInterval = 0.5
  /// Seconds between the end of a rotation and its final value.
  package static let settlingTime = 0.1
  /// Seconds of a rotation without a reported start, for example by a program.
  package static let explicitTurningTime = 1.0

  private struct State {
    var wanted: String
    var rotaryControls: [String] = []
    /// The last sent message, or nil before the first.
    var sent: String?
    var lastTime: Timestamp?
    var turnEnd: Timestamp?
  }

  private var states: [String: State] = [:]
  /// The topic that has waited longest is first.
  private var waiting: [String] = []
  /// Each rotation's latest end, or nil if it will be reported.
  private var turning: [String: Timestamp?] = [:]

  package init() {}

  package var topics: [String] { Array(states.keys) }

  package subscript(topic: String) -> String? { states[topic]?.wanted }

  /// The message is transient while any of `rotaryControls` rotates.
  package mutating func set(
    _ topic: String, to text: String, passedBy rotaryControls: [String] = []
  ) {
    states[topic]?.rotaryControls = rotaryControls
    guard states[topic]?.wanted != text else { return }
    states[topic, default: State(wanted: text, rotaryControls: rotaryControls)].wanted = text
    if !waiting.contains(topic) { waiting.append(topic) }
  }

  package mutating func remove(_ topic: String) {
    states[topic] = nil
    waiting.removeAll { $0 == topic }
  }

  /// Sends all messages again, for example to a new broker.
  package mutating func resendAll() {
    for topic in states.keys {
      states[topic]?.sent = nil
      states[topic]?.lastTime = nil
    }
    waiting = states.keys.sorted()
  }

  // MARK: Rotation

  /// Begins a rotation whose end will be reported.
  package mutating func beginTurn(of rotaryControl: String) {
    turning.updateValue(nil, forKey: rotaryControl)
  }

  /// Records a rotation without a reported start.
  package mutating func recordTurn(of topic: String, at now: Timestamp) {
    if states[topic]?.turnEnd.map({ now < $0 }) != true {
      states[topic]?.turnEnd = now + Self.explicitTurningTime
    }
  }

  package mutating func endTurn(of rotaryControl: String, at now: Timestamp) {
    let end = now + Self.settlingTime
    if turning[rotaryControl] != nil { turning[rotaryControl] = end }
    for (topic, state) in states
    where state.turnEnd != nil && state.rotaryControls.contains(rotaryControl) {
      states[topic]?.turnEnd = end
    }
  }

  package mutating func endAllTurns() {
    turning = [:]
    for topic in states.keys { states[topic]?.turnEnd = nil }
  }

  /// Returns nil while a message waits for the end of a rotation.
  private func time(of state: State) -> Timestamp? {
    // The first message is sent immediately.
    guard let last = state.lastTime else { return Timestamp(microseconds: 0) }
    var time = last + (turning.isEmpty ? Self.interval : Self.turningInterval)
    if let end = state.turnEnd { time = max(time, end) }
    for rotaryControl in state.rotaryControls {
      guard let end = turning[rotaryControl] else { continue }
      guard let end else { return nil }
      time = max(time, end)
    }
    return time
  }

  // MARK: Messages

  package mutating func next(at now: Timestamp) -> (topic: String, text: String)? {
    turning = turning.filter { $0.value.map { now < $0 } ?? true }
    var index = 0
    while index < waiting.count {
      let topic = waiting[index]
      guard let state = states[topic], state.wanted != state.sent else {
        waiting.remove(at: index)
        continue
      }
      guard let time = time(of: state), time <= now else {
        index += 1
        continue
      }
      waiting.remove(at: index)
      states[topic]?.sent = state.wanted
      states[topic]?.lastTime = now
      return (topic, state.wanted)
    }
    return nil
  }

  package var nextTime: Timestamp? {
    waiting.compactMap { states[$0].flatMap { time(of: $0) } }.min()
  }
}
