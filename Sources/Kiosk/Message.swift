// SPDX-License-Identifier: MIT

package import RoundelExpressions

/// A message over any page.
package struct Message: Hashable, Sendable {
  package enum Level: String, CaseIterable, Sendable {
    case info
    /// Comes before other messages, and wakes the panel.
    case alarm
  }

  package var text: String
  /// The title, or an empty string.
  package var title: String
  package var level: Level
  /// The seconds until the message closes, or 0 to stay until a user closes it.
  package var seconds: Double

  package init(_ text: String, title: String = "", level: Level = .info, seconds: Double = 0) {
    self.text = text
    self.title = title
    self.level = level
    self.seconds = seconds
  }

  /// The maximum size of the text in UTF-8, as much as a label shows.
  package static let maximumBytes = 65_536
  /// The maximum of `seconds`.
  package static let maximumSeconds = 86_400.0

  /// The name of the kiosk's page for messages, and of the message in expressions.
  package static let name = "message"

  /// The fields of `notified` and `dismissed`. Expressions read them as `message.text`.
  package var fields: [Field] {
    [
      Field("text", .text(text)), Field("title", .text(title)),
      Field("level", .text(level.rawValue)),
    ]
  }

  package static let fieldNames = Message("").fields.map(\.name)
}
