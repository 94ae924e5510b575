// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
package import RoundelJSON

/// The names in Home Assistant that kiosks use.
package struct HomeNames: Hashable, Sendable {
  /// The attributes of each entity.
  package var entities: [String: Set<String>] = [:]
  /// The fields of each service.
  package var services: [String: Set<String>] = [:]

  /// Reads `{"entities": {NAME: [ATTRIBUTE]}, "services": {NAME: [FIELD]}}`. Returns nil for other JSON.
  package init?(_ json: JSONValue) {
    guard let entities = Self.names(json["entities"]), let services = Self.names(json["services"])
    else { return nil }
    (self.entities, self.services) = (entities, services)
  }

  private static func names(_ json: JSONValue?) -> [String: Set<String>]? {
    guard let json else { return [:] }
    guard case .object(let members) = json else { return nil }
    var names: [String: Set<String>] = [:]
    for member in members {
      guard case .array(let items) = member.value else { return nil }
      names[member.name, default: []].formUnion(items.compactMap(\.string))
    }
    return names
  }

  /// Describes names that Home Assistant doesn't have, with its answers to `get_states` and
  /// `get_services`.
  package func problems(states: JSONValue, services known: JSONValue) -> [String] {
    entityProblems(states) + serviceProblems(known)
  }

  private func entityProblems(_ states: JSONValue) -> [String] {
    guard case .array(let items) = states else { return ["cannot read Home Assistant's states"] }
    var known: [String: JSONValue] = [:]
    for item in items {
      if let name = item["entity_id"]?.string { known[name] = item }
    }
    return entities.keys.sorted().flatMap { name -> [String] in
      guard let entity = known[name] else {
        return ["Home Assistant has no entity \(name)" + Self.hint(name, among: known.keys)]
      }
      guard let wanted = entities[name], entity["state"]?.string != "unavailable",
        case .object(let attributes)? = entity["attributes"]
      else { return [] }
      let names = attributes.map(\.name)
      return wanted.subtracting(names).sorted().map {
        "\(name) has no attribute \($0); it has \(names.sorted().alternatives)"
      }
    }
  }

  private func serviceProblems(_ known: JSONValue) -> [String] {
    guard case .object(let domains) = known else {
      return ["cannot read Home Assistant's services"]
    }
    var all: [String: JSONValue] = [:]
    for domain in domains {
      guard case .object(let members) = domain.value else { continue }
      for member in members { all["\(domain.name).\(member.name)"] = member.value }
    }
    return services.keys.sorted().flatMap { name -> [String] in
      guard let service = all[name] else {
        return ["Home Assistant has no service \(name)" + Self.hint(name, among: all.keys)]
      }
      let names = Self.fields(service["fields"])
      // Some services don't describe their fields.
      guard let wanted = services[name], !names.isEmpty else { return [] }
      return wanted.subtracting(names).sorted().map {
        "\(name) has no field \($0); it has \(names.sorted().alternatives)"
      }
    }
  }

  /// Fields may be in sections.
  private static func fields(_ json: JSONValue?) -> [String] {
    guard case .object(let members)? = json else { return [] }
    return members.flatMap { member in
      guard case .object(let inner)? = member.value["fields"] else { return [member.name] }
      return inner.map(\.name)
    }
  }

  private static func hint(_ name: String, among others: some Sequence<String>) -> String {
    others.sorted().nearest(to: name).map { "; did you mean \($0)?" } ?? ""
  }
}
