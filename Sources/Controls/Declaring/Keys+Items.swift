// SPDX-License-Identifier: MIT

package import Declarations
package import Geometry
internal import JSON

extension Keys {
  /// The keys `id` and `on` of a part that the control's events name as their item. No two parts of
  /// a control, however deep, have the same id.
  package mutating func item(events: [String] = []) -> Key<String> {
    takeTemplates()
    let id = required("id", .id, "Its name in events; unique in the control.")
    style()
    spoken()
    if !events.isEmpty { on(events) }
    identifies = true
    whenFound { node, reader in
      guard let name = node["id"], let text = name.text else { return }
      reader.controlFile.add(
        item: text, at: name.mark, events: events, actions: node["on"], spoken: node["spoken"])
    }
    return id
  }

  /// Lets the maps in the list `key` have a key `on` of their own: those of parts without an id, which
  /// the control's events name by their place, as `3`, or `wheel/3` in a part with an id.
  package mutating func places(in key: String) {
    whenFound { node, reader in
      let outer = node["id"].map { $0.text.map { "\($0)/" } } ?? ""
      guard let outer, let list = node[key] else { return }
      for (index, item) in list.items.enumerated() {
        guard item["on"] != nil || item["spoken"] != nil else { continue }
        reader.controlFile.add(
          item: "\(outer)\(index)", at: item.mark, events: Self.placeEvents, actions: item["on"],
          spoken: item["spoken"])
      }
    }
  }

  /// The key `on` of such a part, whose actions follow when it comes to rest in the selected place.
  package mutating func place() {
    takeTemplates()
    style()
    spoken()
    on(Self.placeEvents)
  }

  /// The key `hold` of a control that may be pressed.
  package mutating func hold<Root>(at path: WritableKeyPath<Root, Double> & Sendable) {
    optional(
      "hold", .hold, default: .number(Press.standardHold),
      "Seconds after which a press is `held`, where actions follow that.", at: path)
  }

  /// The same of a part.
  package mutating func hold<Root>(ofItemAt path: WritableKeyPath<Root, Double?> & Sendable) {
    optional("hold", .hold, "Seconds after which a press is `held`; the control's.", at: path)
  }

  private static let placeEvents = ["settled"]

  private mutating func style() {
    _ = optional("style", .style, "One of the file's styles, for keys that are left out.")
  }

  /// The key `spoken`. It is read when all that its template may name is known.
  package mutating func spoken() {
    _ = optional(
      "spoken", .spoken, "Its name in speech; its own text, or its id.")
  }

  /// The key `on`. Its actions are read when all pages and controls are known.
  package mutating func on(_ events: [String]) {
    _ = optional("on", .actions(on: events), "Actions by event.")
  }
}

extension Form where Value == Double {
  /// Seconds of a long press.
  package static var hold: Form { number(0.1...60, "seconds") }
}

extension Fields {
  /// Notes a target for fingers with this much room, in design pixels: if that is too small for a finger,
  /// the author is warned.
  package func target<T>(_ what: String, room: Size, at key: Key<T>) {
    reader.controlFile.add(target: what, room: room, at: mark(of: key))
  }
}

extension Size {
  package static func square(_ side: Double) -> Size { Size(side, side) }
}

extension Form where Value == Void {
  /// A template that is filled in each time that it is said. Only the file says it.
  package static var spoken: Form {
    Form(
      "a text", schema: { _ in Form<String>.textSchema }, read: { _, _ in },
      decode: { (_, _) throws(Unsuitable) in }
    ).as(.fixed)
  }

  /// `{EVENT: [ACTION, …]}`. It is not looked into until all pages and controls are known. The schema has the
  /// actions by their name.
  package static func actions(on events: [String]) -> Form {
    Form(
      "a map from events to actions", from: [.map],
      schema: { definitions in
        let list = definitions.reference("actions")
        return [
          "type": "object",
          "properties": .object(events.map { JSONValue.Member($0, list) }),
          "additionalProperties": false,
        ]
      },
      read: { _, _ in }, decode: { (_, _) throws(Unsuitable) in }
    ).as(.fixed)
  }
}
