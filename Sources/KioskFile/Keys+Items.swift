// SPDX-License-Identifier: MIT

internal import Declarations
internal import Geometry

extension Keys {
  /// The keys `id` and `on` of a part that the control's events name as their item. No two parts of
  /// a control, however deep, have the same id.
  mutating func item(events: [String] = []) -> Key<String> {
    takeTemplates()
    let id = required("id", .id, "Its name in events; unique in the control.")
    if !events.isEmpty { on(events) }
    whenFound { node, reader in
      guard let name = node["id"], let text = name.text else { return }
      reader.kiosk.add(item: text, at: name.mark, events: events, actions: node["on"])
    }
    return id
  }

  /// Lets the maps in the list `key` have a key `on` of their own: those of parts without an id, which
  /// the control's events name by their place, as `3`, or `wheel/3` in a part with an id.
  mutating func places(in key: String) {
    whenFound { node, reader in
      let outer = node["id"].map { $0.text.map { "\($0)/" } } ?? ""
      guard let outer, let list = node[key] else { return }
      for (index, item) in list.items.enumerated() {
        guard let actions = item["on"] else { continue }
        reader.kiosk.add(
          item: "\(outer)\(index)", at: item.mark, events: Self.placeEvents, actions: actions)
      }
    }
  }

  /// The key `on` of such a part, for when it comes to rest in the place that counts.
  mutating func place() {
    takeTemplates()
    on(Self.placeEvents)
  }

  private static let placeEvents = ["settled"]

  /// The key `on`. Its actions are read when all pages and controls are known.
  mutating func on(_ events: [String]) {
    _ = optional("on", .actions(on: events), "Actions by event.")
  }
}

extension Fields {
  /// Notes something to be touched that has this much room, in design pixels: where that is too small
  /// for a finger, the author is warned.
  func target<T>(_ what: String, room: Size, at key: Key<T>) {
    reader.kiosk.add(target: what, room: room, at: mark(of: key))
  }

}

extension Size {
  static func square(_ side: Double) -> Size { Size(side, side) }
}
