// SPDX-License-Identifier: MIT

package import RoundelJSON

/// The states of entities, from the compressed events of `subscribe_entities`.
package struct EntityStates: Hashable, Sendable {
  package struct Entity: Hashable, Sendable {
    package var state: String
    package var attributes: [String: JSONValue]
  }

  private var entities: [String: Entity] = [:]

  package init() {}

  package subscript(name: String) -> Entity? { entities[name] }

  /// Applies an event, and returns the names of its entities in order. Ignores unknown members, and
  /// changes of unknown entities.
  package mutating func apply(_ event: JSONValue) -> [String] {
    var changed: [String] = []
    for (name, json) in Self.members(event["a"]) {
      guard let state = json["s"]?.string else { continue }
      var entity = Entity(state: state, attributes: [:])
      for (name, value) in Self.members(json["a"]) { entity.attributes[name] = value }
      entities[name] = entity
      changed.append(name)
    }
    for (name, json) in Self.members(event["c"]) {
      guard var entity = entities.removeValue(forKey: name) else { continue }
      if let state = json["+"]?["s"]?.string { entity.state = state }
      for (name, value) in Self.members(json["+"]?["a"]) { entity.attributes[name] = value }
      if case .array(let names)? = json["-"]?["a"] {
        for name in names.compactMap(\.string) { entity.attributes[name] = nil }
      }
      entities[name] = entity
      changed.append(name)
    }
    if case .array(let names)? = event["r"] {
      for name in names.compactMap(\.string) where entities.removeValue(forKey: name) != nil {
        changed.append(name)
      }
    }
    return changed
  }

  private static func members(_ json: JSONValue?) -> [(name: String, value: JSONValue)] {
    guard case .object(let members)? = json else { return [] }
    return members.map { ($0.name, $0.value) }
  }

  /// A value, or an error if it is unknown.
  package func value(
    of name: String, attribute: String?
  ) -> Result<JSONValue, UnavailableError> {
    func unavailable(_ reason: String) -> Result<JSONValue, UnavailableError> {
      .failure(UnavailableError(reason: reason))
    }
    guard let entity = entities[name] else { return unavailable("Home Assistant has no \(name)") }
    guard entity.state != "unavailable" else { return unavailable("\(name) is unavailable") }
    guard let attribute else {
      return entity.state == "unknown"
        ? unavailable("\(name) is unknown") : .success(.string(entity.state))
    }
    return switch entity.attributes[attribute] {
    case nil: unavailable("\(name) has no attribute \(JSONValue.string(attribute).text)")
    case .null?: unavailable("\(name): \(attribute) is unknown")
    case let value?: .success(value)
    }
  }
}

/// An error for a value that Home Assistant doesn't have now.
package struct UnavailableError: Error, Hashable, Sendable {
  package var reason: String
}
