// SPDX-License-Identifier: MIT

package import Expressions

/// An event that can trigger actions, and the fields that they can read.
package struct EventType: Sendable {
  package let name: String
  /// A sentence for the reference.
  package let summary: String
  /// The event's own fields, as subscribers receive them.
  package private(set) var fields: [EventField]
  /// The fields common to all events of a control. Empty for events of a page or the kiosk.
  private var common = [EventField.control]

  package init(_ name: String, _ summary: String, _ fields: [EventField] = []) {
    self.name = name
    self.summary = summary
    self.fields = fields
  }

  /// Creates an event of a page or the kiosk.
  package static func plain(
    _ name: String, _ summary: String, _ fields: [EventField] = []
  ) -> EventType { EventType(name, summary, fields).plain }

  /// The event without a control's common fields, for a page or the kiosk.
  package var plain: EventType {
    var event = self
    event.common = []
    return event
  }

  /// Returns the event with other fields.
  package func with(_ fields: [EventField]) -> EventType {
    var event = self
    event.fields = fields
    return event
  }

  /// Returns events that share the same fields.
  static func all(_ events: [EventType], _ fields: [EventField]) -> [EventType] {
    events.map { $0.with(fields) }
  }

  /// All fields that actions can read.
  package var all: [EventField] { fields + common + [.event, .by] }

  package var kinds: [String: Value.Kind] { all.reduce(into: [:]) { $0[$1.name] = $1.kind } }

  /// The event without fields that reveal secret typed text.
  package var ofSecret: EventType { with(fields.filter { !$0.isSecret }) }
}

package struct EventField: Hashable, Sendable {
  package let name: String
  package private(set) var kind: Value.Kind
  /// A sentence for the reference.
  package let summary: String
  /// Whether the field is omitted if the typed text is secret.
  package private(set) var isSecret = false

  package init(_ name: String, _ kind: Value.Kind, _ summary: String) {
    self.name = name
    self.kind = kind
    self.summary = summary
  }

  /// Returns the field with another kind of values.
  package func of(_ kind: Value.Kind) -> EventField {
    var field = self
    field.kind = kind
    return field
  }

  /// The field, marked as omitted if the typed text is secret.
  package var secret: EventField {
    var field = self
    field.isSecret = true
    return field
  }
}

// MARK: Fields

extension EventField {
  package static let control = EventField(
    "control", .text, "The id of the control; events of the kiosk itself have none.")
  package static let item = EventField("item", .text, "The id of the wedge, the leaf or the row.")
  package static let index = EventField(
    "index", .number, "Its place, from 0; of a number, steps from the minimum.")
  package static let label = EventField("label", .text, "Its text.")
  /// A field of any kind, until a control specifies the kind.
  package static let value = EventField(
    "value", .any,
    "The number of a dial or ring, the index of a dial with labels; what a picker's row stands for; whether a toggle is on."
  )
  package static let steps = EventField(
    "steps", .number, "Of an endless dial, the steps of this turn, positive clockwise.")
  package static let turns = EventField("turns", .number, "Its turns clockwise since the start.")
  package static let path = EventField(
    "path", .list, "Of a menu, the ids from the first ring to the leaf.")
  package static let wheel = EventField("wheel", .text, "The id of a picker's wheel.")
  package static let values = EventField("values", .record, "Of slots, `{REEL: {index, label}}`.")
  package static let bands = EventField("bands", .list, "The colours of a resistor.")
  package static let ohms = EventField("ohms", .number, "Its resistance.")
  package static let tolerance = EventField("tolerance", .number, "Its tolerance, in percent.")
  package static let text = EventField(
    "text", .text,
    "Its value in words; of a keypad, what has been typed; of `spoken`, what is said.")
  package static let page = EventField(
    "page", .text, "The page that is shown, or what was pressed or swiped.")
  package static let direction = EventField(
    "direction", .text, "The way that a finger has swiped: `left`, `right`, `up` or `down`.")
  package static let name = EventField(
    "name", .text, "The name of what an `emit` reports; its own fields follow.")
  package static let message = EventField("message", .text, "What could not be done, and why.")
  package static let by = EventField(
    "by", .text, "What caused it: `finger`, `command`, `action` or `time`.")
  package static let why = EventField(
    "why", .text, "Why a menu has closed: `selected`, `outside`, `root`, `released` or `command`.")
  package static let key = EventField("key", .text, "The key of a keypad.")
  package static let count = EventField("count", .number, "The number of letters typed.")
  package static let language = EventField("language", .text, "The language in use.")
  package static let seconds = EventField(
    "seconds", .number, "Of `warned`, how soon it goes home or sleeps.")

  static let event = EventField("event", .text, "Its name.")

  /// All fields of events, except for time and name.
  package static let all = [
    control, item, index, label, value, steps, turns, path, wheel, values, bands, ohms, tolerance,
    text, page, direction, name, message, by, why, key, count, language, seconds,
  ]
}

// MARK: Events of several types of controls

extension EventType {
  static let pressed = EventType(
    "pressed", "A finger has come down on it. One of the other events ends it.")
  static let selected = EventType("selected", "A finger was lifted on what it had pressed.")
  static let confirmed = EventType(
    "confirmed", "The blinking after `selected` is over; without it, at once.")
  static let held = EventType(
    "held",
    "The press has lasted `hold` seconds, where actions follow that; `cancelled` comes with it.")
  static let cancelled = EventType(
    "cancelled",
    "The press ended without a choice: its finger was lifted elsewhere, or a page change, a swipe or the panel's sleep took it away."
  )
  static let passing = EventType(
    "passing",
    "A detent or another item has been reached on the way; none is left out. Of a menu also no leaf any more, with the index -1."
  )
  static let settled = EventType("settled", "It has come to rest.")

  /// Returns the events of a control that a finger turns from detent to detent.
  static func turning(_ fields: [EventField]) -> [EventType] {
    all([pressed, passing, settled], fields)
  }

  private static let ofChoice = [pressed, selected, confirmed, cancelled, held]
  package static let choosing = ofChoice.map(\.name)

  /// Returns the events of a control that is chosen when a finger is lifted on it.
  static func choosing(_ fields: [EventField]) -> [EventType] { all(ofChoice, fields) }

  private static let ofPress = [pressed, selected, cancelled, held]
  package static let pressing = ofPress.map(\.name)

  /// Returns the events of a control that can be pressed but has no light.
  package static func pressing(_ fields: [EventField]) -> [EventType] {
    all(ofPress, fields)
  }
}
