// SPDX-License-Identifier: MIT

package import RoundelJSON
package import JSONRPC
package import RoundelSession

package struct EventsRequest: MethodRequest {
  package var on = true
  package init() {}

  package static let method = Method<EventsRequest, TimeAnswer>(
    "events", "Subscribes to events, which follow as notifications called \"event\".",
    result: "{t}: seconds since the kiosk's start")
  package static let members: [Member<EventsRequest>] = [
    .optional("on", \.on, .flag, "False unsubscribes.")
  ]
}

package struct RecordRequest: MethodRequest {
  package var on = true
  package init() {}

  package static let method = Method<RecordRequest, TimeAnswer>(
    "record",
    "Subscribes to touches and commands, which follow as notifications called \"touch\", in the format of recordings.",
    result: "{t}: seconds since the recording's start")
  package static let members: [Member<RecordRequest>] = [
    .optional("on", \.on, .flag, "False unsubscribes.")
  ]
}

package struct WatchRequest: MethodRequest {
  package var expressions: [String]?
  package var on = true
  package var causes = false
  package var phases = false
  package var targets = false
  package init() {}

  /// Limits the time for parsing expressions, which has no pause.
  package static let maximumExpressions = Limits().maximumExpressions

  package static let method = Method<WatchRequest, TimeAnswer>(
    "watch",
    "Subscribes to expressions. Notifications called \"watch\" with {t, watch, value} report the current values and each change. Undefined values are null.",
    result: "{t}: seconds since the kiosk's start")
  package static let members: [Member<WatchRequest>] = [
    .optional(
      "expressions", \.expressions, .texts, "The expressions, such as \"cups\" and \"d.value * 2\"."
    ),
    .optional(
      "on", \.on, .flag, "False unsubscribes from these expressions, or from all if none are given."
    ),
    .optional(
      "causes", \.causes, .flag,
      "Whether \"by\" reports the cause of the last change of an expression's inputs, as in events."
    ),
    .optional(
      "targets", \.targets, .flag,
      "Whether the client sends values to the targets of `to`, which includes private ones. Other private values are null."
    ),
    .optional(
      "settled", \.phases, .flag,
      "Whether \"settled\" reports if no finger holds a control that sets a value of the expression, and such controls rest. Its changes are reported, too."
    ),
  ]
}

extension JSONType where Value == [String] {
  fileprivate static let texts = JSONType(
    "a list of strings", .schema("array", .init("items", .schema("string"))),
    read: list(of: .text).read
  ) {
    list(of: .text).write($0)
  }
}

/// The time in seconds when a subscription started or ended.
package struct TimeAnswer: JSONRecord {
  package var time = 0.0
  package init() {}
  package init(_ time: Double) { self.time = time }
  package static let members: [Member<TimeAnswer>] = [.required("t", \.time, .seconds)]
}

/// A message that a kiosk sends to its subscribers.
package struct Notice: Sendable {
  package enum Kind: String, Sendable {
    case event
    /// A touch or command, as a line of a recording.
    case touch
    /// The value of a watched expression.
    case watch
    /// A screenshot of a recording.
    case shot
  }

  package let kind: Kind
  package let json: JSONValue
  /// The number of earlier messages that were dropped because the client didn't read them.
  package let lost: Int

  /// Returns nil for an unknown notification.
  package init?(_ notification: Request) {
    guard let kind = Kind(rawValue: notification.method),
      case .object(let members)? = notification.parameters
    else { return nil }
    self.kind = kind
    lost = notification.parameters?["lost"]?.integer ?? 0
    json = .object(members.filter { $0.name != "lost" })
  }

  /// The line, or nil for a screenshot.
  package var line: SessionLine? { kind == .shot ? nil : SessionLine(json) }
}

extension [JSONValue.Member] {
  /// The name of a kiosk's event, or nil for a control's event.
  package var kioskEvent: String? {
    contains { $0.name == "control" } ? nil : first { $0.name == "event" }?.value.string
  }
}
