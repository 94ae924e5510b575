// SPDX-License-Identifier: MIT

package import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON

/// The rules for topics of MQTT.
package enum Topic {
  /// In bytes, which MQTT stores in 16 bits.
  package static let maximumBytes = 65_535
  package static let expected = "one topic, such as home/kitchen"

  /// Describes why a string isn't a single topic, or returns nil if it is.
  package static func problem(in topic: String) -> String? {
    if topic.isEmpty { return "an empty topic" }
    if topic.utf8.count > maximumBytes { return "a topic of \(topic.utf8.count) bytes" }
    if topic.utf8.contains(0) { return "a topic with a zero byte" }
    let wildcard = topic.first { $0 == "#" || $0 == "+" }
    return wildcard.map { "a topic with the wildcard \"\($0)\"" }
  }
}

extension Form where Value == String {
  package static var topic: Form {
    Form(
      Topic.expected, as: .text,
      schema: { _ in
        [
          "type": "string", "minLength": 1, "maxLength": .number(Double(Topic.maximumBytes)),
          "pattern": "^[^#+]*$",
        ]
      },
      read: { node, reader in
        let topic = node.text ?? ""
        guard let diagnostic = Topic.problem(in: topic) else { return topic }
        reader.report(diagnostic, at: node.mark, expected: Topic.expected)
        return nil
      })
  }
}
