// SPDX-License-Identifier: MIT

/// The topic of MQTT from which a value comes.
package struct TopicSource: Hashable, Sendable {
  package var topic: String
  /// The names and indices, from the outside in, that lead to the value in a message of JSON; none where the
  /// whole message is the value.
  package var path: [String]

  package init(topic: String, path: [String] = []) {
    self.topic = topic
    self.path = path
  }
}

/// The topic of MQTT to which a value goes whenever it changes.
package struct TopicTarget: Hashable, Sendable {
  package var topic: String
  /// The message, in which `{value}` stands for the value; nil for the value alone.
  package var payload: String?
  /// Whether the broker keeps the last message for later subscribers.
  package var isRetained: Bool

  package init(topic: String, payload: String? = nil, isRetained: Bool = false) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }
}

extension TopicTarget {
  /// The maximum number of values with a `gone`. The bridge has a connection to the broker for each.
  package static let maximumGoneCount = 16
  /// The maximum size of a `gone`, in bytes. MQTT gives the size of a last will in 16 bits.
  package static let maximumGoneBytes = 65_535
}

extension TopicSource {
  /// The longest topic, in bytes, as MQTT counts it in 16 bits.
  package static let maximumBytes = 65_535

  /// Why a text is not the name of one topic; nil where it is.
  package static func mistake(in topic: String) -> String? {
    if topic.isEmpty { return "an empty topic" }
    if topic.utf8.count > maximumBytes { return "a topic of \(topic.utf8.count) bytes" }
    if topic.utf8.contains(0) { return "a topic with a zero byte" }
    let wildcard = topic.first { $0 == "#" || $0 == "+" }
    return wildcard.map { "a topic with \"\($0)\", which stands for several" }
  }
}
