// SPDX-License-Identifier: MIT

package import Expressions

/// An event that actions can follow, and the fields that they can read of it.
package struct EventType: Sendable {
  package let name: String
  /// Its own fields, as subscribers receive them.
  package let fields: [EventField]
  /// The fields that all events of a control, or of a page or the kiosk, have besides.
  var common = [EventField("control", .text)]

  package init(_ name: String, _ fields: [EventField] = []) {
    self.name = name
    self.fields = fields
  }

  /// All that actions can read.
  package var all: [EventField] {
    fields + common + [EventField("event", .text), EventField("by", .text)]
  }

  /// The kinds of all fields, by name.
  package var kinds: [String: Value.Kind] { all.reduce(into: [:]) { $0[$1.name] = $1.kind } }

  /// The event of a control whose typed text is secret.
  package var ofSecret: EventType { EventType(name, fields.filter { !$0.isSecret }) }
}

/// A field of an event.
package struct EventField: Hashable, Sendable {
  package let name: String
  package let kind: Value.Kind
  /// Whether it is left out if the typed text is secret.
  package let isSecret: Bool

  package init(_ name: String, _ kind: Value.Kind, isSecret: Bool = false) {
    self.name = name
    self.kind = kind
    self.isSecret = isSecret
  }

  package static let item = EventField("item", .text)
  package static let index = EventField("index", .number)
  package static let label = EventField("label", .text)
}

extension EventType {
  /// Events of these names that have the same fields.
  package static func all(_ names: [String], _ fields: [EventField]) -> [EventType] {
    names.map { EventType($0, fields) }
  }

  /// The events of a control that a finger turns from detent to detent.
  static func turning(_ fields: [EventField]) -> [EventType] {
    all(["pressed", "passing", "settled"], fields)
  }

  /// The events of a control that is chosen when a finger is lifted on it.
  static func choosing(_ fields: [EventField]) -> [EventType] { all(choosing, fields) }

  package static let choosing = ["pressed", "selected", "confirmed", "cancelled", "held"]

  /// The events of a control that is pressed and does not answer with a light.
  package static let pressing = ["pressed", "selected", "cancelled", "held"]

  /// The events of a page, or of the kiosk.
  package static func plain(_ names: [String], _ fields: [EventField] = []) -> [EventType] {
    names.map { name in
      var event = EventType(name, fields)
      event.common = []
      return event
    }
  }
}
