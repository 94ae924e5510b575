// SPDX-License-Identifier: MIT

package import RoundelDeclarations
internal import RoundelDrawing
package import RoundelGeometry
internal import RoundelJSON

extension Keys {
  /// Adds the keys of a part with an id, which must be unique within the control.
  package mutating func item(events: [String] = []) -> Key<String> {
    allowTemplates()
    let id = required("id", .id, "The name in events, unique in the control.")
    style()
    spoken()
    language("The language of the item's text. The default is the control's.")
    if !events.isEmpty { on(events) }
    identifies = true
    whenFound { node, reader in
      guard let name = node["id"], let text = name.text else { return }
      reader.controlFile.add(
        item: text, at: name.mark, events: events, actions: node["on"], spoken: node["spoken"],
        language: node["lang"]?.text)
    }
    return id
  }

  /// Allows a key `on` in the maps of the list `key`: parts named by their index, such as
  /// `wheel/3`.
  package mutating func places(in key: String) {
    whenFound { node, reader in
      let outer = node["id"].map { $0.text.map { "\($0)/" } } ?? ""
      guard let outer, let list = node[key] else { return }
      for (index, item) in list.items.enumerated() {
        guard ["on", "spoken", "lang"].contains(where: { item[$0] != nil }) else { continue }
        reader.controlFile.add(
          item: "\(outer)\(index)", at: item.mark, events: Self.placeEvents, actions: item["on"],
          spoken: item["spoken"], language: item["lang"]?.text)
      }
    }
  }

  /// Adds the keys of a part without an id. Actions follow when the control rests on the part.
  package mutating func place() {
    allowTemplates()
    style()
    spoken()
    language("The language of the label. The default is the control's.")
    on(Self.placeEvents)
  }

  package mutating func hold<Root>(at path: WritableKeyPath<Root, Double> & Sendable) {
    optional(
      "hold", .hold, default: .number(Press.standardHold),
      "Seconds until a press is `held`, if there are actions for `held`.", at: path)
  }

  package mutating func hold<Root>(ofItemAt path: WritableKeyPath<Root, Double?> & Sendable) {
    optional(
      "hold", .hold, "Seconds until a press is `held`. The default is the control's.", at: path)
  }

  mutating func empty<Root>(_ place: String, at path: WritableKeyPath<Root, String> & Sendable) {
    optional("empty", .text, default: "", "The text in \(place).", at: path)
  }

  mutating func selected<Root>(
    _ part: String, at path: WritableKeyPath<Root, Bool> & Sendable
  ) {
    optional(
      "selected", .flag, default: false,
      "Whether \(part) is marked as the current choice. It doesn't change by a touch.", at: path)
  }

  mutating func textColor<Root>(
    _ subject: String, at path: WritableKeyPath<Root, ThemeColor?> & Sendable
  ) {
    optional(
      "text_color", .color,
      "The colour of \(subject). The default is the theme's text colour, or white or near-black for contrast.",
      at: path)
  }

  mutating func home<Root>(at path: WritableKeyPath<Root, Bool> & Sendable) {
    optional(
      "home", .choice(["number": false, "climate": true]).as(.fixed), default: "number",
      "The entity in Home Assistant over MQTT: a number, or a thermostat whose target is the value and whose actual temperature is `marker`.",
      at: path)
  }

  private static let placeEvents = ["settled"]

  private mutating func style() {
    _ = optional(
      "style", .style, "One of the file's styles, which provides values for missing keys.")
  }

  /// Adds the key `spoken`, read when all names that its template may use are known.
  package mutating func spoken() {
    _ = optional(
      "spoken", .spoken,
      "The spoken name. The default is the text, or the id if there isn't any text.")
  }

  /// Adds the key `lang`.
  @discardableResult
  package mutating func language(_ summary: String) -> Key<String?> {
    optional("lang", Form<String>.word("the name of a language").as(.fixed), summary)
  }

  /// Adds the key `on`, read when all pages and controls are known.
  package mutating func on(_ events: [String]) {
    _ = optional("on", .actions(on: events), "Actions by event.")
  }
}

extension Form where Value == Double {
  package static var hold: Form { number(0.1...60, "seconds") }
}

extension Fields {
  /// Warns the author if a touch target is too small for a finger.
  package func target<T>(_ what: String, size: Size, at key: Key<T>) {
    reader.controlFile.add(target: what, size: size, at: mark(of: key))
  }
}

extension Size {
  package static func square(_ side: Double) -> Size { Size(side, side) }
}

extension Form where Value == Void {
  package static var spoken: Form {
    Form(
      "a string", schema: { _ in Form<String>.textSchema }, read: { _, _ in },
      decode: { (_, _) throws(InvalidValueError) in }
    ).as(.fixed)
  }

  /// A map `{EVENT: [ACTION, …]}`, read when all pages and controls are known.
  package static func actions(on events: [String]) -> Form {
    Form(
      "a map from events to actions", from: [.map],
      schema: { definitions in
        let list = definitions.reference("actions")
        return [
          "type": "object", "properties": .object(events.map { JSONValue.Member($0, list) }),
          "additionalProperties": false,
        ]
      },
      read: { _, _ in }, decode: { (_, _) throws(InvalidValueError) in }
    ).as(.fixed)
  }
}
