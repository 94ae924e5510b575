// SPDX-License-Identifier: MIT

package import Motion

/// What retained topics are to say. Of several changes of a topic only the last is sent, and no topic
/// more often than ten times a second. What a broker has not been told yet waits for it.
package struct TopicStates: Sendable {
  /// Seconds between two messages of a topic.
  package static let interval = 0.1

  private struct State {
    var wanted: String
    /// What the broker was told; nil before.
    var told: String?
    var lastTime: Timestamp?
  }

  private var states: [String: State] = [:]
  /// Topics with something to tell, the one that has waited longest first.
  private var waiting: [String] = []

  package init() {}

  /// All topics, in no order.
  package var topics: [String] { Array(states.keys) }

  /// What a topic is to say.
  package subscript(topic: String) -> String? { states[topic]?.wanted }

  package mutating func set(_ topic: String, to text: String) {
    guard states[topic]?.wanted != text else { return }
    states[topic, default: State(wanted: text)].wanted = text
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

  /// The next message that is due; nil while there is none.
  package mutating func next(at now: Timestamp) -> (topic: String, text: String)? {
    var index = 0
    while index < waiting.count {
      let topic = waiting[index]
      guard let state = states[topic], state.wanted != state.told else {
        waiting.remove(at: index)
        continue
      }
      if let last = state.lastTime, now < last + Self.interval {
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

  /// When `next` has something again; nil where nothing waits.
  package var nextTime: Timestamp? {
    waiting.compactMap { states[$0]?.lastTime }.min().map { $0 + Self.interval }
  }
}
