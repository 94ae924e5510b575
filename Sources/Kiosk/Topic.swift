// SPDX-License-Identifier: MIT

/// The source of a value in MQTT.
package struct TopicSource: Hashable, Sendable {
  package var topic: String
  /// The names and indices, from the outside in, of the value in a JSON message, or an empty array
  /// for the whole message.
  package var path: [String]

  package init(topic: String, path: [String] = []) {
    self.topic = topic
    self.path = path
  }
}

/// The MQTT topic where changes of a value are published.
package struct TopicTarget: Hashable, Sendable {
  package var topic: String
  /// The message, where `{value}` stands for the value, or nil for the value alone.
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
  /// The maximum number of values with a `gone`. Each needs a connection to the broker.
  package static let maximumGoneCount = 16
  /// The maximum size of a `gone` in bytes. MQTT stores the size of a last will in 16 bits.
  package static let maximumGoneBytes = 65_535
}

extension TopicSource {
  /// The maximum size in bytes. MQTT stores it in 16 bits.
  package static let maximumBytes = 65_535

  /// Describes why a string isn't a single topic, or returns nil if it is.
  package static func problem(in topic: String) -> String? {
    if topic.isEmpty { return "an empty topic" }
    if topic.utf8.count > maximumBytes { return "a topic of \(topic.utf8.count) bytes" }
    if topic.utf8.contains(0) { return "a topic with a zero byte" }
    let wildcard = topic.first { $0 == "#" || $0 == "+" }
    return wildcard.map { "a topic with the wildcard \"\($0)\"" }
  }
}
