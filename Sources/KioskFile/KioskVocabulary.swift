// SPDX-License-Identifier: MIT

/// The words of kiosk files that other files use, too.
package enum KioskVocabulary {
  /// The events of a type of control, such as `dial`.
  package static func events(ofKind kind: String) -> [String] {
    ControlType.named(kind)?.events ?? []
  }

  /// The events of the kiosk itself.
  package static let kioskEvents = [
    "page", "emit", "failed", "reloaded", "restarted", "slept", "woken", "language",
  ]

  /// All events, also those of no control.
  package static var events: [String] {
    var names: [String] = []
    for name in ControlType.all.flatMap(\.events) + kioskEvents
    where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
