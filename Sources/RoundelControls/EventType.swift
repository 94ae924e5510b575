// SPDX-License-Identifier: MIT

package import RoundelExpressions

/// An event that can trigger actions, and its fields.
package struct EventType: Sendable {
  package let name: String
  package let summary: String
  package private(set) var fields: [EventField]
  /// Empty in events of a page or the kiosk.
  private var common = [EventField.control]
  /// Whether events have more fields, which only their sender knows.
  package private(set) var isOpen = false

  package init(_ name: String, _ summary: String, _ fields: [EventField] = []) {
    self.name = name
    self.summary = summary
    self.fields = fields
  }

  package static func plain(
    _ name: String, _ summary: String, _ fields: [EventField] = []
  ) -> EventType { EventType(name, summary, fields).plain }

  package var plain: EventType {
    var event = self
    event.common = []
    return event
  }

  package var open: EventType {
    var event = self
    event.isOpen = true
    return event
  }

  package func with(_ fields: [EventField]) -> EventType {
    var event = self
    event.fields = fields
    return event
  }

  static func all(_ events: [EventType], _ fields: [EventField]) -> [EventType] {
    events.map { $0.with(fields) }
  }

  package var all: [EventField] { fields + common + [.event, .by] }

  package var kinds: [String: Value.Kind] { all.reduce(into: [:]) { $0[$1.name] = $1.kind } }

  package var ofSecret: EventType { with(fields.filter { !$0.isSecret }) }
}

package struct EventField: Hashable, Sendable {
  package let name: String
  package private(set) var kind: Value.Kind
  package let summary: String
  package private(set) var isSecret = false

  package init(_ name: String, _ kind: Value.Kind, _ summary: String) {
    self.name = name
    self.kind = kind
    self.summary = summary
  }

  package func of(_ kind: Value.Kind) -> EventField {
    var field = self
    field.kind = kind
    return field
  }

  package var secret: EventField {
    var field = self
    field.isSecret = true
    return field
  }
}

// MARK: Fields

extension EventField {
  package static let control = EventField(
    "control", .text, "The id of the control. Events of the kiosk itself don't have this field.")
  package static let item = EventField("item", .text, "The id of the wedge, leaf or row.")
  package static let index = EventField(
    "index", .number, "The index, from 0. For a number, the steps from the minimum.")
  package static let label = EventField("label", .text, "The text.")
  /// A field of any kind, until a control specifies the kind.
  package static let value = EventField(
    "value", .any,
    "The number of a dial, ring or bar, the colour of a wheel, the index of a dial's label, the value of a picker's row, or the state of a toggle."
  )
  package static let steps = EventField(
    "steps", .number, "The steps of an endless dial in this event, positive clockwise.")
  package static let turns = EventField(
    "turns", .number, "The turns of an endless dial since the start, positive clockwise.")
  package static let path = EventField(
    "path", .list, "The ids from a menu's first ring to the leaf.")
  package static let wheel = EventField("wheel", .text, "The id of a picker's wheel.")
  package static let values = EventField(
    "values", .record, "The results of slots, as `{REEL: {index, label}}`.")
  package static let bands = EventField("bands", .list, "The colours of a resistor.")
  package static let ohms = EventField("ohms", .number, "The resistance of a resistor, in ohms.")
  package static let tolerance = EventField(
    "tolerance", .number, "The tolerance of a resistor, in percent.")
  package static let text = EventField(
    "text", .text,
    "The value of a resistor in words, the input of a keypad, the sentence of `spoken`, a scanned line, or a message."
  )
  package static let page = EventField(
    "page", .text, "The current page, or the pressed or swiped page.")
  package static let direction = EventField(
    "direction", .text, "The direction of a swipe: `left`, `right`, `up` or `down`.")
  package static let name = EventField(
    "name", .text, "The name of the event from `emit`. The fields of `emit` follow.")
  package static let message = EventField(
    "message", .text, "A description of the failure, with its reason.")
  package static let by = EventField(
    "by", .text, "The cause: `finger`, `command`, `action` or `time`.")
  package static let why = EventField(
    "why", .text,
    "The cause of closing a menu: `selected`, `outside`, `root`, `released` or `command`.")
  package static let key = EventField("key", .text, "The key of a keypad.")
  package static let count = EventField("count", .number, "The number of typed characters.")
  package static let language = EventField("language", .text, "The current language.")
  package static let topic = EventField("mqtt", .text, "The topic of a message.")
  package static let homeService = EventField("home", .text, "The service of Home Assistant.")
  package static let entity = EventField(
    "entity", .text, "The entity in Home Assistant, or an empty string.")
  package static let data = EventField("data", .record, "The fields of a service.")
  package static let payload = EventField("payload", .text, "The content of a message.")
  package static let retain = EventField(
    "retain", .flag, "Whether the broker retains the message.")
  package static let qos = EventField("qos", .number, "The quality of service: 0, 1 or 2.")
  package static let seconds = EventField(
    "seconds", .number, "The seconds until the kiosk goes home or sleeps, in `warned`.")

  package static let title = EventField(
    "title", .text, "The title of a message, or an empty string.")
  package static let level = EventField(
    "level", .text, "The urgency of a message: `info` or `alarm`.")
  package static let hue = EventField("hue", .number, "The hue of a colour, from 0 to 360.")
  package static let saturation = EventField(
    "saturation", .number, "The saturation of a colour, from 0 to 100.")
  package static let kelvin = EventField(
    "kelvin", .number, "The colour temperature in kelvin, or 0 for a wheel of hues.")

  static let event = EventField("event", .text, "The event's name.")

  /// All except time and name.
  package static let all = [
    control, item, index, label, value, steps, turns, path, wheel, values, bands, ohms, tolerance,
    text, page, direction, name, message, by, why, key, count, language, topic, homeService,
    entity, data, payload, retain, qos, seconds, title, level, hue, saturation, kelvin,
  ]
}

// MARK: Events of several types of controls

extension EventType {
  static let pressed = EventType(
    "pressed", "A finger touched the element. One of the other events ends the press.")
  static let left = EventType(
    "left",
    "The pressed finger moved off the element, and stays down. `hold` starts again when it returns."
  )
  static let returned = EventType("returned", "The pressed finger moved back onto the element.")
  static let selected = EventType("selected", "The finger was lifted on the pressed element.")
  static let confirmed = EventType(
    "confirmed",
    "The blinking after `selected` ended. Without blinking, this event follows immediately.")
  static let held = EventType(
    "held",
    "The finger rested on the pressed element for `hold` seconds without leaving it, and there are actions for `held`. `cancelled` is reported, too."
  )
  static let cancelled = EventType(
    "cancelled",
    "The press ended without a selection: the finger was lifted elsewhere, or a page change, a swipe or the panel's sleep ended it."
  )
  static let passing = EventType(
    "passing",
    "The control reached a detent or another item during a movement. None is skipped. A menu also reports leaving a leaf, with the index -1."
  )
  static let settled = EventType("settled", "The control came to rest.")

  static func turning(_ fields: [EventField]) -> [EventType] {
    all([pressed, passing, settled], fields)
  }

  /// The events of a pressed finger that moves off an element and back, without an end.
  package static let leaving = [left, returned].map(\.name)

  private static let ofChoice = [pressed, left, returned, selected, confirmed, cancelled, held]
  package static let choosing = ofChoice.map(\.name)
  /// The choices for Home Assistant.
  static let choices = choosing.filter { !leaving.contains($0) }

  static func choosing(_ fields: [EventField]) -> [EventType] { all(ofChoice, fields) }

  private static let ofPress = [pressed, left, returned, selected, cancelled, held]
  package static let pressing = ofPress.map(\.name)

  package static func pressing(_ fields: [EventField]) -> [EventType] { all(ofPress, fields) }
}
