// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import Kiosk

/// The vocabulary of kiosk files that other files also use.
package enum KioskVocabulary {
  package static func events(ofKind kind: String) -> [String] {
    ControlType.named(kind)?.events.map(\.name) ?? []
  }

  /// All events, including the kiosk's own.
  package static var events: [String] {
    var names: [String] = []
    let ofControls = ControlType.all.flatMap { $0.events.map(\.name) }
    for name in ofControls + EventType.ofKiosk.map(\.name) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
