// SPDX-License-Identifier: MIT

internal import Controls

/// The words of kiosk files that other files use, too.
package enum KioskVocabulary {
  /// The events of a type of control, such as `dial`.
  package static func events(ofKind kind: String) -> [String] {
    ControlType.named(kind)?.events.map(\.name) ?? []
  }

  /// The events of the kiosk itself.
  package static let kioskEvents = [
    "page", "emit", "failed", "reloaded", "restarted", "slept", "woken", "language",
    "swiped", "spoken", "warned",
  ]

  /// The fields that events have besides their time and their name, with a sentence for the reference.
  package static let eventFields: [(name: String, summary: String)] = [
    ("control", "The id of the control; events of the kiosk itself have none."),
    ("item", "The id of the wedge, the leaf or the row."),
    ("index", "Its place, from 0; of a number, steps from the minimum."),
    ("label", "Its text."),
    (
      "value",
      "The number of a dial or ring, the index of a dial with labels; what a picker's row stands for; whether a toggle is on."
    ),
    ("steps", "Of an endless dial, the steps of this turn, positive clockwise."),
    ("turns", "Its turns clockwise since the start."),
    ("path", "Of a menu, the ids from the first ring to the leaf."),
    ("wheel", "The id of a picker's wheel."),
    ("values", "Of slots, `{REEL: {index, label}}`."),
    ("bands", "The colours of a resistor."),
    ("ohms", "Its resistance."),
    ("tolerance", "Its tolerance, in percent."),
    (
      "text",
      "Its value in words; of a keypad, what has been typed; of `spoken`, what is said."
    ),
    ("page", "The page that is shown, or what was pressed or swiped."),
    ("direction", "The way that a finger has swiped: `left`, `right`, `up` or `down`."),
    ("name", "The name of what an `emit` reports; its own fields follow."),
    ("message", "What could not be done, and why."),
    ("by", "What caused it: `finger`, `command`, `action` or `time`."),
    (
      "why",
      "Why a menu has closed: `selected`, `outside`, `root`, `released` or `command`."
    ),
    ("key", "The key of a keypad."),
    ("count", "The number of letters typed."),
    ("language", "The language in use."),
    ("seconds", "Of `warned`, how soon it goes home or sleeps."),
  ]

  /// All events, also those of no control.
  package static var events: [String] {
    var names: [String] = []
    let ofControls = ControlType.all.flatMap { $0.events.map(\.name) }
    for name in ofControls + kioskEvents
    where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
