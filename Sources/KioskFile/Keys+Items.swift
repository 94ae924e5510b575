// SPDX-License-Identifier: MIT

internal import YAML

extension Keys {
  /// The keys `id` and `on` of a part that the control's events name as their item. No two parts of
  /// a control, however deep, have the same id.
  mutating func item(events: [String] = []) -> Key<String> {
    let id = required("id", .id, "What events call it; unique in its control.")
    if !events.isEmpty { on(events) }
    whenFound { node, reader in
      guard let name = node["id"], let text = name.text else { return }
      reader.kiosk.add(item: text, at: name.mark, events: events, actions: node["on"])
    }
    return id
  }

  /// The key `on`. Its actions are read when all pages and controls are known.
  mutating func on(_ events: [String]) {
    _ = optional("on", .actions(on: events), "What its events set off.")
  }
}

extension Fields {
  /// Notes something to be touched whose largest inner circle is `width` design pixels across:
  /// where that is too small for a finger, the author is warned.
  func target<T>(_ what: String, width: Double, at key: Key<T>) {
    reader.kiosk.add(target: what, width: width, at: mark(of: key))
  }

  /// Notes that text is set in the bold face of the screen's font.
  func usesBoldFace() { reader.kiosk.boldMark = reader.kiosk.boldMark ?? node.mark }
}
